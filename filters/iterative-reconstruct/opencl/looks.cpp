// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/looks.hpp"
#include "device/opencl-memory.hpp"
#include "filters/iterative-reconstruct/rows.hpp"
#include "filters/opencl/arguments.hpp"
#include "kernels/opencl/source.hpp"
#include <cmath>

namespace sino::iterative_reconstruct {

using opencl::launch, opencl::set;

namespace {

constexpr size_t parts = 8, wide = 64; // sinograms.cl: parts of a row; work-items of a group along rows

std::vector<float> tapers_of (const Problem &problem)
{
  std::vector<float> tapers;
  for (int64_t i = 0; i < problem.size; i++)
    tapers.push_back (static_cast<float> (taper (i, problem.columns, problem.margin, problem.size)));
  return tapers;
}

} // namespace

Looks::Looks (const OpenclDevice &d, const OpenclQueues &q, const OpenclPlan &p, const Lines &lines, int l,
              Allotment &allotment)
    : device (d), queues (q), plan (p), blocks (p.problem.sinograms (nullptr, l, l)), lanes (static_cast<size_t> (l))
{
  device.attempt ([&] {
    const auto program = device.build (iterate_source, opencl::opencl_source (iterate_source), lines.options ());
    find_medians = {program, "find_medians"};
    find_expected = {program, "find_expected"};
    add_squares = {program, "add_squares"};
    continue_rows = {program, "continue_rows"};
    medians = take_buffer (device, allotment, buffers::medians);
    squares = take_buffer (device, allotment, buffers::squares);
    expected = take_buffer (device, allotment, buffers::expected);
    noise_of_lanes = take_buffer (device, allotment, buffers::noise);
    const auto &problem = plan.problem;
    set (find_medians, 1, problem.columns, blocks.across, blocks.step, blocks.width, blocks.height, medians);
    set (find_expected, 1, problem.columns, blocks.across, blocks.step, blocks.width, blocks.height, noise_of_lanes,
         expected);
    set (add_squares, 1, problem.columns, squares);
    if (problem.margin >= 0) {
      continued_ = take_buffer (device, allotment, buffers::continued);
      tapers = take_table (device, allotment, buffers::tapers, tapers_of (problem));
      set (continue_rows, 1, problem.columns, lanes, problem.margin, problem.size, tapers, continued_);
    }
  });
}

void Looks::look (const cl::Buffer &bins, const std::vector<iterate::ValueNoise> &noise)
{
  constexpr auto block = static_cast<size_t> (iterate::block_side * iterate::block_side);
  known_noise = plan.blocks > 0 ? noise : std::vector<iterate::ValueNoise>{};
  if (plan.blocks > 0) {
    set (find_medians, 0, bins);
    launch (queues.kernels, find_medians, {plan.blocks * block, lanes}, {block, 1});
  }
  if (!known_noise.empty ()) {
    std::vector<cl_float4> values;
    for (const auto &of_lane : known_noise)
      values.push_back ({{static_cast<float> (of_lane.photons), static_cast<float> (of_lane.readout),
                          static_cast<float> (of_lane.mean), 0}});
    queues.kernels.enqueueWriteBuffer (noise_of_lanes, CL_TRUE, 0, values.size () * sizeof (cl_float4), values.data ());
    set (find_expected, 0, bins);
    launch (queues.kernels, find_expected, {plan.blocks * block, lanes}, {block, 1});
  }
  set (add_squares, 0, bins);
  launch (queues.kernels, add_squares, {lanes, parts * plan.problem.rays.size ()}, {lanes, parts});
  looked = kernels_done (queues);
  read = false;
}

const cl::Buffer &Looks::continued (const cl::Buffer &bins)
{
  const auto &problem = plan.problem;
  if (problem.margin < 0)
    return bins;
  set (continue_rows, 0, bins);
  launch (queues.kernels, continue_rows,
          {round_up (static_cast<size_t> (problem.size) * lanes, wide), problem.rays.size ()}, {wide, 1});
  return continued_;
}

Lanes Looks::known (int first, int used)
{
  if (!read)
    read_results ();
  read = true;
  const auto sinograms =
      plan.problem.sinograms (nullptr, static_cast<int64_t> (lanes), static_cast<int> (lanes), known_noise);
  return lanes_of (plan.problem, found, of_rows, sinograms, first, used);
}

void Looks::read_results ()
{
  std::vector<float> differences (2 * plan.blocks * lanes), sums (plan.problem.rays.size () * lanes);
  std::vector<float> variances (known_noise.empty () ? 0 : plan.blocks * lanes);
  wait_for (looked);
  if (!differences.empty ())
    queues.download.enqueueReadBuffer (medians, CL_TRUE, 0, differences.size () * sizeof (float), differences.data ());
  queues.download.enqueueReadBuffer (squares, CL_TRUE, 0, sums.size () * sizeof (float), sums.data ());
  if (!variances.empty ())
    queues.download.enqueueReadBuffer (expected, CL_TRUE, 0, variances.size () * sizeof (float), variances.data ());
  found.assign (plan.blocks * lanes * iterate::results_of_block, NAN);
  for (size_t i = 0; i < plan.blocks * lanes; i++) {
    float *const results = found.data () + i * iterate::results_of_block;
    iterate::squares_of (differences[2 * i], differences[2 * i + 1], results);
    if (!variances.empty ())
      results[2] = variances[i];
  }
  of_rows.assign (sums.begin (), sums.end ());
}

} // namespace sino::iterative_reconstruct
