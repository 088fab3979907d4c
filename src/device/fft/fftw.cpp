// SPDX-License-Identifier: LGPL-3.0-or-later
// FFTW behind the C entry of backend.h. FFTW is under the GPL, so this is a separate module and not part of the
// library.
#include "device/fft/backend.h"
#include <fftw3.h>
#include <mutex>

namespace {

struct Plan {
  fftwf_plan forward = nullptr, backward = nullptr;

  Plan () = default;
  Plan (const Plan &) = delete;
  Plan &operator= (const Plan &) = delete;
  ~Plan ()
  {
    fftwf_destroy_plan (forward);
    fftwf_destroy_plan (backward);
  }
};

std::mutex planner; // FFTW's planner must not be called concurrently

#ifdef SINO_OWN_FFTW
// The module has its own copy of the planner, so no other code adds wisdom to it.
struct WithoutWisdom {
};
#else
// Wisdom that the process has gathered by measuring would change plans and the last bits of results, so it is set aside
// during planning.
class WithoutWisdom
{
public:
  WithoutWisdom () : kept (fftwf_export_wisdom_to_string ()) { fftwf_forget_wisdom (); }
  WithoutWisdom (const WithoutWisdom &) = delete;
  WithoutWisdom &operator= (const WithoutWisdom &) = delete;
  ~WithoutWisdom ()
  {
    fftwf_forget_wisdom ();
    if (kept)
      fftwf_import_wisdom_from_string (kept);
    fftwf_free (kept);
  }

private:
  char *kept;
};
#endif

void *make_plan (int64_t length)
{
  const std::lock_guard guard (planner);
  [[maybe_unused]] const WithoutWisdom fresh;
  auto *plan = new Plan;
  auto *from = fftwf_alloc_complex (static_cast<size_t> (length));
  auto *to = fftwf_alloc_complex (static_cast<size_t> (length));
  if (from && to) {
    const auto n = static_cast<int> (length);
    plan->forward = fftwf_plan_dft_1d (n, from, to, FFTW_FORWARD, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    plan->backward = fftwf_plan_dft_1d (n, from, to, FFTW_BACKWARD, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  }
  fftwf_free (from);
  fftwf_free (to);
  if (plan->forward && plan->backward)
    return plan;
  delete plan;
  return nullptr;
}

void drop (void *plan)
{
  const std::lock_guard guard (planner);
  delete static_cast<Plan *> (plan);
}

void execute (fftwf_plan plan, const float *from, float *to)
{
  fftwf_execute_dft (plan, reinterpret_cast<fftwf_complex *> (const_cast<float *> (from)),
                     reinterpret_cast<fftwf_complex *> (to));
}

constexpr SinoFftBackend backend{
    .plan = make_plan,
    .drop = drop,
    .plan_bytes = [] (int64_t length) { return 14 * sizeof (float) * static_cast<size_t> (length); },
    .work_values = [] (int64_t) -> int64_t { return 0; },
    .forward = [] (const void *plan, const float *from, float *to,
                   float *) { execute (static_cast<const Plan *> (plan)->forward, from, to); },
    .backward = [] (const void *plan, const float *from, float *to,
                    float *) { execute (static_cast<const Plan *> (plan)->backward, from, to); }};

} // namespace

extern "C" __attribute__ ((visibility ("default"), used)) const char sino_fft_mark[] = SINO_FFT_MARK SINO_FFT_API "\n";

extern "C" __attribute__ ((visibility ("default"))) const SinoFftBackend *sino_fft_backend ()
{
  return &backend;
}
