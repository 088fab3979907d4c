// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl-fft.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "device/opencl-errors.hpp"
#include <clFFT.h>
#include <clocale>
#include <locale>
#include <map>
#include <tuple>

extern "C" {

SINO_OPENCL_CALL (clfftSetup, 1)
SINO_OPENCL_CALL (clfftTeardown, 0)
SINO_OPENCL_CALL (clfftCreateDefaultPlan, 4)
SINO_OPENCL_CALL (clfftBakePlan, 5)
SINO_OPENCL_CALL (clfftDestroyPlan, 1)
SINO_OPENCL_CALL (clfftSetPlanBatchSize, 2)
SINO_OPENCL_CALL (clfftSetPlanScale, 3)
SINO_OPENCL_CALL (clfftGetTmpBufSize, 2)
SINO_OPENCL_CALL (clfftEnqueueTransform, 10)

} // extern "C"

namespace sino {

namespace {

// Plans of the same kind share kernels inside clFFT, whose arguments are set before each launch: one call at a time.
std::mutex &one_at_a_time ()
{
  static auto &mutex = *new std::mutex; // never destroyed: plans may be dropped while the process leaves
  return mutex;
}

void check (clfftStatus status, const char *call, const OpenclDevice &device, int64_t length, int64_t rows)
{
  if (status == CLFFT_SUCCESS)
    return;
  fail (SINO_ERROR_DEVICE,
        "%s failed on %s (%s) for %" G_GINT64_FORMAT " transforms of length %" G_GINT64_FORMAT ": %s (%d)", call,
        device.id.c_str (), device.name.c_str (), rows, length,
        status > 0 ? "an error of clFFT" : opencl_error_name (status), static_cast<int> (status));
}

// The clFFT library while there are plans. It is shut down with the last plan: at process exit it would complain about
// remaining objects, when drivers may no longer be callable. Call with the lock held.
class Library : NoCopy
{
public:
  explicit Library (const OpenclDevice &device)
  {
    clfftSetupData data;
    clfftInitSetupData (&data);
    if (users == 0)
      check (clfftSetup (&data), "clfftSetup", device, 0, 0);
    users++;
  }
  ~Library ()
  {
    if (--users == 0)
      clfftTeardown ();
  }

private:
  static inline int users = 0;
};

// clFFT writes its kernels with C++ streams, which use the process's global locale: with a decimal comma, kernels do
// not compile. Sets the plain locale meanwhile, which other threads see, too. Call with the lock held.
auto plain_streams ()
{
  const std::locale before; // a copy of the global one
  const bool plain = before == std::locale::classic ();
  const std::string c_locale = std::setlocale (LC_ALL, nullptr); // the change below also sets it
  if (!plain)
    std::locale::global (std::locale::classic ());
  return AtEnd ([before, plain, c_locale] {
    if (plain)
      return;
    std::locale::global (before);
    std::setlocale (LC_ALL, c_locale.c_str ());
  });
}

} // namespace

class OpenclFft::Plan
{
public:
  // Call with the lock held.
  Plan (const OpenclDevice &d, int64_t l, int64_t r) : device (d), length (l), rows (r)
  {
    library.emplace (device);
    const auto size = static_cast<size_t> (length);
    must (clfftCreateDefaultPlan (&handle, device.context () (), CLFFT_1D, &size), "clfftCreateDefaultPlan");
    try {
      bake ();
    } catch (...) {
      clfftDestroyPlan (&handle);
      throw;
    }
  }
  ~Plan ()
  {
    const std::lock_guard guard (one_at_a_time ());
    clfftDestroyPlan (&handle);
    library.reset ();
  }

  size_t scratch () const { return scratch_; }

  void enqueue (clfftDirection direction, const cl::CommandQueue &queue, const cl::Buffer &values,
                const cl::Buffer &scratch) const
  {
    const std::lock_guard guard (one_at_a_time ());
    cl_command_queue on = queue ();
    cl_mem in_place = values ();
    must (clfftEnqueueTransform (handle, direction, 1, &on, 0, nullptr, nullptr, &in_place, nullptr, scratch ()),
          "clfftEnqueueTransform");
  }

private:
  const OpenclDevice &device;
  const int64_t length, rows;
  std::optional<Library> library;
  clfftPlanHandle handle = 0;
  size_t scratch_ = 0;

  void must (clfftStatus status, const char *call) const { check (status, call, device, length, rows); }

  // The defaults of a plan are used: rows one after the other, single precision, interleaved complex values, in place.
  void bake ()
  {
    const auto plain = plain_streams ();
    must (clfftSetPlanBatchSize (handle, static_cast<size_t> (rows)), "clfftSetPlanBatchSize");
    must (clfftSetPlanScale (handle, CLFFT_BACKWARD, 1), "clfftSetPlanScale");
    const cl::CommandQueue queue (device.context (), device.device);
    cl_command_queue on = queue ();
    must (clfftBakePlan (handle, 1, &on, nullptr, nullptr), "clfftBakePlan");
    must (clfftGetTmpBufSize (handle, &scratch_), "clfftGetTmpBufSize");
  }
};

OpenclFft::OpenclFft (const OpenclDevice &device, int64_t length, int64_t rows)
{
  static auto &plans = *new std::map<std::tuple<const OpenclDevice *, int64_t, int64_t>, std::weak_ptr<const Plan>>;
  const std::lock_guard guard (one_at_a_time ());
  auto &kept = plans[{&device, length, rows}];
  plan = kept.lock ();
  if (!plan)
    kept = plan = device.attempt ([&] { return std::make_shared<const Plan> (device, length, rows); });
}

size_t OpenclFft::scratch () const
{
  return plan->scratch ();
}

size_t OpenclFft::scratch_of_row (const OpenclDevice &device, int64_t length)
{
  static std::mutex mutex;
  static auto &known = *new std::map<std::pair<cl_device_id, int64_t>, size_t>;
  const std::lock_guard guard (mutex);
  if (const auto found = known.find ({device.device (), length}); found != known.end ())
    return found->second;
  return known[{device.device (), length}] = OpenclFft (device, length, 1).scratch ();
}

void OpenclFft::forward (const cl::CommandQueue &queue, const cl::Buffer &values, const cl::Buffer &scratch) const
{
  plan->enqueue (CLFFT_FORWARD, queue, values, scratch);
}

void OpenclFft::backward (const cl::CommandQueue &queue, const cl::Buffer &values, const cl::Buffer &scratch) const
{
  plan->enqueue (CLFFT_BACKWARD, queue, values, scratch);
}

} // namespace sino
