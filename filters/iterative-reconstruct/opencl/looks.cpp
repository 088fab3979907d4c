// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/looks.hpp"
#include "device/opencl-memory.hpp"
#include "filters/iterative-reconstruct/rows.hpp"
#include "filters/opencl/arguments.hpp"
#include "kernels/opencl/source.hpp"

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
    : device (d), queues (q), plan (p), blocks ({.values = nullptr,
                                                 .angles = std::ssize (p.problem.rays),
                                                 .columns = p.problem.columns,
                                                 .stride = l,
                                                 .lanes = l}),
      lanes (static_cast<size_t> (l))
{
  device.attempt ([&] {
    const auto program = device.build (iterate_source, opencl::opencl_source (iterate_source), lines.options ());
    find_medians = {program, "find_medians"};
    add_squares = {program, "add_squares"};
    continue_rows = {program, "continue_rows"};
    medians = take_buffer (device, allotment, buffers::medians);
    squares = take_buffer (device, allotment, buffers::squares);
    const auto &problem = plan.problem;
    set (find_medians, 1, problem.columns, blocks.across, blocks.step, blocks.width, blocks.height, medians);
    set (add_squares, 1, problem.columns, squares);
    if (problem.margin >= 0) {
      continued_ = take_buffer (device, allotment, buffers::continued);
      tapers = take_table (device, allotment, buffers::tapers, tapers_of (problem));
      set (continue_rows, 1, problem.columns, lanes, problem.margin, problem.size, tapers, continued_);
    }
  });
}

void Looks::look (const cl::Buffer &bins)
{
  constexpr auto block = static_cast<size_t> (iterate::block_side * iterate::block_side);
  if (plan.blocks > 0) {
    set (find_medians, 0, bins);
    launch (queues.kernels, find_medians, {plan.blocks * block, lanes}, {block, 1});
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
  return lanes_of (plan.problem, found, of_rows, static_cast<int> (lanes), first, used);
}

void Looks::read_results ()
{
  std::vector<float> differences (2 * plan.blocks * lanes), sums (plan.problem.rays.size () * lanes);
  wait_for (looked);
  if (!differences.empty ())
    queues.download.enqueueReadBuffer (medians, CL_TRUE, 0, differences.size () * sizeof (float), differences.data ());
  queues.download.enqueueReadBuffer (squares, CL_TRUE, 0, sums.size () * sizeof (float), sums.data ());
  found.resize (differences.size ());
  for (size_t i = 0; i < found.size (); i += 2)
    iterate::squares_of (differences[i], differences[i + 1], found.data () + i);
  of_rows.assign (sums.begin (), sums.end ());
}

} // namespace sino::iterative_reconstruct
