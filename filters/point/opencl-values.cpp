// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/point/opencl-values.hpp"
#include "base/error.hpp"
#include "base/half.hpp"
#include "families/trial.hpp"
#include "filters/point/opencl-elements.hpp"
#include "glue/workers/kernel-point-filter.hpp"
#include <algorithm>
#include <cmath>

namespace sino::point {

families::Kernel value_kernel (const families::KernelSource &source)
{
  auto kernel = point_kernel ("opencl", "OpenCL kernel", source);
  kernel.parameters = {{"GROUP", {256, 128, 64}}};
  return kernel;
}

OpenclValues::OpenclValues (const OpenclDevice &d, const families::Family &family, const families::Setting &setting,
                            const families::Problem &problem)
    : device (d), limited_ (d), group (setting.kernel->shape (setting, problem).group[0])
{
  std::string name = family.name;
  std::ranges::replace (name, '-', '_');
  device.attempt (
      [&] { kernel = cl::Kernel (build_precise (device, setting, problem, family.options), name.c_str ()); });
}

cl::Event OpenclValues::enqueue (const cl::CommandQueue &queue, const Block &layout, const cl::Buffer &in,
                                 const cl::Buffer &out)
{
  return device.attempt ([&] {
    const auto n = layout.values (), lanes = int64_t{layout.lanes ()}, rows = layout.rows ().size () % lanes;
    const auto padded = rows > 0 ? layout.angles ().size () * layout.line () * lanes : 0; // values of the last group
    opencl::set (kernel, 0, in, opencl::Long{n}, opencl::Long{n - padded}, lanes, rows, out, limited_.buffer ());
    return opencl::launch (queue, kernel, round_up (static_cast<size_t> (n), group), group);
  });
}

OpenclValueWorker::OpenclValueWorker (const Replica &replica, const families::Family &family,
                                      const families::Setting &setting, const families::Problem &problem, Tell t)
    : OpenclPointWorker (replica), values (device, family, setting, problem), tell (std::move (t))
{
}

OpenclPointWorker::Span OpenclValueWorker::process (const Block &in, const cl::Buffer &from, const Block &,
                                                    const cl::Buffer &to)
{
  const auto event = values.enqueue (queues.kernels, in, from, to);
  uncounted += in.rows ().size () * in.angles ().size () * in.line ();
  return {event, event};
}

void OpenclValueWorker::count ()
{
  if (uncounted > 0)
    tell (values.limited (queues.kernels), std::exchange (uncounted, 0));
}

namespace {

// Test values from 0 to 255, exact in half, some of them integers; some floats are NaN or infinite.
float some_value (Element element, int64_t i)
{
  if (i % 97 == 5 && (element == Element::f16 || element == Element::f32))
    return i % 2 ? NAN : -INFINITY;
  const auto value = static_cast<float> (i * 59 % 1021) / 4;
  return element == Element::u8 || element == Element::u16 ? std::floor (value)
                                                           : half_to_float (half_from_float (value));
}

} // namespace

double value_error (const OpenclDevice &device, OpenclValues &values, Element from, Element to,
                    const std::function<int64_t (const float *value, std::byte *out)> &native)
{
  const auto format = [] (Element element) {
    return std::make_shared<const Format> (sinograms (element, {Axis::row, 6}, {Axis::angle, 5}, {Axis::column, 67}));
  };
  const Region all{{0, 6}, {0, 5}};
  Block in = make_block (format (from), {4}, all), out = make_block (format (to), {4}, all),
        got = make_block (format (to), {4}, all);
  int64_t limited = 0;
  for (int64_t row = 0; row < 6; row++)
    for (int64_t angle = 0; angle < 5; angle++)
      for (int64_t column = 0; column < 67; column++) {
        const auto at = static_cast<size_t> (in.offset (angle, row) + column * 4);
        const float value = some_value (from, (row * 5 + angle) * 67 + column);
        store_value (from, in.data () + at * size_of (from), value);
        limited += native (&value, out.data () + at * size_of (to));
      }
  bool same = false;
  families::compute (device, in.all (), got.all (), [&] (auto &queue, auto &source, auto &target) {
    values.enqueue (queue, in, source, target);
    same = values.limited (queue) == limited;
  });
  if (!same)
    return 1;
  return to == Element::f32 ? largest_error (got.all<float> (), out.all<float> ())
                            : families::share_different (got.all (), out.all ());
}

} // namespace sino::point
