// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/images.hpp"
#include "device/opencl-memory.hpp"
#include "filters/opencl/arguments.hpp"
#include "kernels/iterate/steps.hpp"
#include "kernels/opencl/source.hpp"
#include <limits>

namespace sino::iterative_reconstruct {

using opencl::set;

namespace {

// Values per launch, of which slow devices take 0.2 s.
constexpr size_t most_values = size_t{1} << 25, most_values_of_cpu = size_t{1} << 22;
constexpr size_t adders = 64; // sums.cl

} // namespace

Images::Images (const OpenclDevice &d, const cl::CommandQueue &on, const OpenclPlan &of, const Lines &l, const Batch &b,
                const iterate::Plan &normal, Allotment &allotment)
    : device (d), queue (on), plan (of), lines (l), batch (b), n (static_cast<size_t> (normal.n)),
      image_bytes (n * n * static_cast<size_t> (b.pairs ()) * sizeof (cl_float2))
{
  device.attempt ([&] {
    make_kernels ();
    make_buffers (normal, allotment);
    set_arguments ();
  });
}

void Images::make_kernels ()
{
  const auto program = device.build (iterate_source, opencl::opencl_source (iterate_source), lines.options ());
  const auto named = [&] (const char *name) { return cl::Kernel (program, name); };
  pack_ = named ("pack");
  unpack_ = named ("unpack");
  add_rows_ = named ("add_rows");
  convolve_[0] = named ("convolve");
  convolve_[1] = named ("convolve");
  if (tv ()) {
    lay_duals_ = named ("lay_duals");
    lay_gradient_ = named ("lay_gradient");
    divide_ = named ("divide");
    update_ = named ("update");
  } else {
    lay_ = named ("lay");
    take_product_ = named ("take_product");
    step_ = named ("step_along"); // step () is a function of OpenCL
    turn_ = named ("turn");
  }
}

void Images::make_buffers (const iterate::Plan &normal, Allotment &allotment)
{
  const auto room = [&] (const char *item) { return take_buffer (device, allotment, item); };
  const auto table = [&] (const char *item, const auto &values) {
    return take_table (device, allotment, item, values);
  };
  for (const auto image : {x, q, y0, y1})
    images[image] = room (buffers::images);
  if (tv ()) {
    for (const auto image : {positive, data})
      images[image] = room (buffers::images);
    metric = table (buffers::metric, normal.metric);
  }
  for (auto &frequencies : z)
    frequencies = room (buffers::frequencies);
  kernel = table (buffers::kernel, normal.kernel);
  std::vector<cl_int2> ranges;
  for (size_t row = 0; row < n; row++)
    ranges.push_back ({{normal.first[row], normal.last[row]}});
  circle = table (buffers::circle, ranges);
  turns = take_turns (device, lines.plan, allotment, buffers::turns);
  half_turns = table (buffers::half_turns, normal.half_turns);
  sums = room (buffers::sums);
  for (auto &totals : totals_)
    totals = room (buffers::totals);
  factors = room (buffers::factors);
  for (auto &broken : broken_)
    broken = room (buffers::broken);
  fill_zeros (queue, sums, sums.getInfo<CL_MEM_SIZE> ());
}

void Images::set_arguments ()
{
  const auto &problem = plan.problem;
  for (int parity = 0; parity < 2; parity++)
    set (convolve_[parity], 0, z[parity], kernel, parity, turns, half_turns);
  set (add_rows_, 0, sums);
  set (pack_, 0, z[0]);
  set (pack_, 2, problem.solving.tries () ? 1 : 0, circle);
  const auto &roi = problem.roi;
  set (unpack_, 0, images[x], problem.corner (), problem.columns, roi.x, roi.y, roi.width, roi.height,
       problem.mask ? 1 : 0, problem.solving.non_negative ? 0.0F : -std::numeric_limits<float>::infinity (),
       static_cast<float> (1 / problem.pixel_size));
  tv () ? set_tv_arguments () : set_cgls_arguments ();
}

void Images::set_tv_arguments ()
{
  set (lay_duals_, 0, images[x], images[q], images[y0], images[y1], images[positive], z[0], z[1], circle, turns,
       half_turns, factors, iterate::dual_step);
  set (lay_gradient_, 0, images[x], images[data], images[y0], images[y1], images[positive], z[0], z[1], circle, turns,
       half_turns, sums);
  set (divide_, 0, z[0], metric, turns);
  set (update_, 0, images[x], images[q], z[0], circle, turns, factors);
}

void Images::set_cgls_arguments ()
{
  set (lay_, 0, images[p], z[0], z[1], circle, turns, half_turns);
  set (take_product_, 0, images[p], images[q], z[0], z[1], circle, turns, half_turns, sums);
  set (step_, 0, images[x], images[r], images[p], images[q], circle, factors);
  set (turn_, 0, images[p], images[r], circle, factors);
}

void Images::clear_marks (size_t slot)
{
  queue.enqueueFillBuffer (broken_[slot], cl_int{0}, 0, static_cast<size_t> (batch.slices) * sizeof (cl_int));
}

void Images::pack (Image to, int count, bool clips, size_t slot)
{
  set (pack_, 1, count);
  set (pack_, 4, clips ? 1 : 0, images[to], broken_[slot]);
  queue.enqueueNDRangeKernel (pack_, cl::NullRange, {n, n, static_cast<size_t> (batch.pairs ())}, cl::NullRange);
}

void Images::pack_data (int count, size_t slot)
{
  pack (tv () ? data : r, count, true, slot);
}

void Images::pack_start (int count, size_t slot)
{
  pack (x, count, true, slot);
}

void Images::begin_tv ()
{
  queue.enqueueCopyBuffer (images[x], images[q], 0, 0, image_bytes);
  for (const auto image : {y0, y1, positive})
    fill_zeros (queue, images[image], image_bytes);
}

void Images::begin_cgls ()
{
  queue.enqueueCopyBuffer (images[r], images[p], 0, 0, image_bytes);
  for (const auto image : {x, q})
    fill_zeros (queue, images[image], image_bytes);
}

void Images::set_factors (std::span<const float> of_slices)
{
  cl_float16 all{};
  std::ranges::copy (of_slices.first (std::min<size_t> (of_slices.size (), 16)), all.s);
  queue.enqueueFillBuffer (factors, all, 0, sizeof all);
}

// Calls launch (first, count) for parts of the pairs.
template <class Launch> void Images::in_parts (Launch launch)
{
  const auto pairs = static_cast<size_t> (batch.pairs ());
  const auto most = std::max<size_t> ((device.is_gpu ? most_values : most_values_of_cpu) / (n * n), 1);
  for (size_t first = 0; first < pairs; first += most)
    launch (first, std::min (most, pairs - first));
}

void Images::of_rows (const cl::Kernel &stage)
{
  const auto items = static_cast<size_t> (lines.plan.items), rows = static_cast<size_t> (lines.plan.lines);
  in_parts ([&] (size_t first, size_t count) {
    queue.enqueueNDRangeKernel (stage, {0, 0, first}, {items, n, count}, {items, rows, 1});
  });
}

void Images::of_columns (const cl::Kernel &stage)
{
  const auto items = static_cast<size_t> (lines.plan.items), columns = static_cast<size_t> (lines.columns);
  in_parts ([&] (size_t first, size_t count) {
    queue.enqueueNDRangeKernel (stage, {first * columns, 0, 0}, {count * columns, items, n / columns},
                                {columns, items, 1});
  });
}

void Images::lay_duals (float rise)
{
  set (lay_duals_, 12, rise);
  of_rows (lay_duals_);
}

void Images::convolve ()
{
  for (const auto &parity : convolve_)
    of_columns (parity);
}

void Images::lay_gradient ()
{
  of_rows (lay_gradient_);
}

void Images::divide ()
{
  of_columns (divide_);
}

// Sums are [sum][pair][row]: those of the gradient, then of the update.
void Images::update ()
{
  const auto apart = static_cast<int64_t> (static_cast<size_t> (batch.pairs ()) * n);
  set (update_, 6, sums, apart);
  of_rows (update_);
}

void Images::lay ()
{
  of_rows (lay_);
}

void Images::take_product ()
{
  of_rows (take_product_);
}

void Images::step ()
{
  set (step_, 6, sums);
  of_rows (step_);
}

void Images::turn ()
{
  of_rows (turn_);
}

void Images::add_rows (size_t slot)
{
  const auto groups = size_t{sums_of_rows} * static_cast<size_t> (batch.pairs ());
  set (add_rows_, 1, totals_[slot]);
  queue.enqueueNDRangeKernel (add_rows_, cl::NullRange, {groups * adders}, {adders});
}

cl::Event Images::unpack (int first, int slices, size_t slot, const cl::Buffer &out)
{
  constexpr size_t across = 64;
  const auto &roi = plan.problem.roi;
  set (unpack_, 10, broken_[slot], first, slices, out);
  return opencl::launch (queue, unpack_,
                         {round_up (static_cast<size_t> (roi.width), across), static_cast<size_t> (roi.height),
                          static_cast<size_t> (batch.pairs ())},
                         {across, 1, 1});
}

} // namespace sino::iterative_reconstruct
