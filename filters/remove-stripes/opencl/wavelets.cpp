// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/remove-stripes/opencl/wavelets.hpp"
#include "device/opencl-memory.hpp"

namespace sino::remove_stripes {

using opencl::Long, opencl::set;

namespace {

// Names of items on the bill.
namespace buffers {
constexpr char planes[] = "wavelet coefficients", found[] = "low frequencies of columns",
               table[] = "factors of wavelets and frequencies";
}

// Filters of the wavelet, then the factors of each low-pass.
std::vector<float> table_of (const WaveletFourier &wavelets)
{
  auto all = wavelets.filters ().low;
  all.insert (all.end (), wavelets.filters ().high.begin (), wavelets.filters ().high.end ());
  for (const auto &pass : wavelets.low_passes ()) {
    const auto factors = pass.factors ();
    all.insert (all.end (), factors.begin (), factors.end ());
  }
  return all;
}

} // namespace

void OpenclWavelets::memory (const WaveletFourier &wavelets, int64_t lanes, int64_t groups, Bill &bill)
{
  const auto &sizes = wavelets.sizes ();
  int64_t most = 0;
  for (size_t l = 1; l < sizes.size (); l++)
    most = std::max (most, sizes[l].columns * wavelets.low_passes ()[l - 1].frequencies ());
  const auto lines = static_cast<size_t> (lanes * groups);
  add_buffers (bill, buffers::planes, lines * static_cast<size_t> (wavelets.values ()) * sizeof (float));
  add_buffers (bill, buffers::found, lines * static_cast<size_t> (most) * sizeof (cl_float2));
  add_buffers (bill, buffers::table, table_of (wavelets).size () * sizeof (float));
}

OpenclWavelets::OpenclWavelets (const OpenclDevice &device, const cl::Program &program, const WaveletFourier &wavelets,
                                int64_t lanes, Allotment &memory)
    : taps (static_cast<int> (wavelets.filters ().size ())), fill_gaps (program, "fill_gaps"),
      restore_gaps (program, "restore_gaps"), coarsen_angles (program, "coarsen_angles"),
      split_columns (program, "split_columns"), join_columns (program, "join_columns"),
      refine_angles (program, "refine_angles"), find_frequencies (program, "find_frequencies"),
      keep_frequencies (program, "keep_frequencies"), planes (take_buffer (device, memory, buffers::planes)),
      table (take_table (device, memory, buffers::table, table_of (wavelets))),
      found (take_buffer (device, memory, buffers::found))
{
  int64_t place = wavelets.between () * lanes, factors = 2 * taps;
  for (size_t l = 0; l < wavelets.sizes ().size (); l++) {
    const auto &size = wavelets.sizes ()[l];
    Level level{.stack = {static_cast<cl_int> (size.angles), static_cast<cl_int> (size.columns * lanes),
                          static_cast<cl_int> (lanes), 0}};
    if (l > 0) {
      const auto values = size.values () * lanes;
      const auto &pass = wavelets.low_passes ()[l - 1];
      level.coarse = place;
      level.fine = place + values;
      level.factors = factors;
      level.frequencies = static_cast<int> (pass.frequencies ());
      place += 2 * values;
      factors += std::ssize (pass.factors ());
    }
    levels.push_back (level);
  }
}

void OpenclWavelets::remove (const Batch &batch, Launches &launches)
{
  const auto groups = batch.stack.groups;
  const auto at = [groups] (int64_t place) { return Long{place * groups}; };
  for (auto &level : levels)
    level.stack.groups = groups;
  const auto of_lanes = static_cast<int64_t> (batch.stack.lanes) * batch.stack.angles;
  set (fill_gaps, 0, batch.stack, batch.in, batch.out, batch.first, batch.bridged, batch.bridges);
  launches.run (fill_gaps, {in_groups (of_lanes, narrow), 1, batch.groups ()}, {narrow, 1, 1});
  const Long halved{0}; // place of the plane that is coarse along angles only
  const auto half_of = [&] (size_t l) {
    auto half = levels[l - 1].stack;
    half.angles = levels[l].stack.angles;
    return half;
  };
  for (size_t l = 1; l < levels.size (); l++) {
    const auto &finer = levels[l - 1], &level = levels[l];
    const auto half = half_of (l);
    set (coarsen_angles, 0, finer.stack, l == 1 ? batch.out : planes, l == 1 ? batch.first : at (finer.coarse), half,
         planes, halved, taps, table);
    launches.run_lines (coarsen_angles, half);
    set (split_columns, 0, half, level.stack, planes, halved, at (level.coarse), at (level.fine), taps, table);
    launches.run_lines (split_columns, level.stack);
    set (find_frequencies, 0, level.stack, planes, at (level.fine), level.frequencies, Long{level.factors}, table,
         found);
    launches.run (find_frequencies,
                  {in_groups (level.stack.columns, narrow), static_cast<size_t> (level.frequencies), batch.groups ()},
                  {narrow, 1, 1});
    set (keep_frequencies, 0, level.stack, found, level.frequencies, Long{level.factors}, table, planes,
         at (level.fine));
    launches.run_lines (keep_frequencies, level.stack);
  }
  for (auto l = levels.size () - 1; l > 0; l--) {
    const auto &finer = levels[l - 1], &level = levels[l];
    const auto half = half_of (l);
    const bool has_coarse = l + 1 < levels.size (), subtract = l == 1;
    set (join_columns, 0, level.stack, half, planes, at (level.coarse), at (level.fine), halved, taps, has_coarse,
         table);
    launches.run_lines (join_columns, half);
    set (refine_angles, 0, half, planes, halved, finer.stack, subtract ? batch.out : planes,
         subtract ? batch.first : at (finer.coarse), taps, subtract, table);
    launches.run_lines (refine_angles, finer.stack);
  }
  set (restore_gaps, 0, batch.stack, batch.in, batch.out, batch.first, batch.bridged, batch.bridges);
  launches.run_lines (restore_gaps, batch.stack);
}

} // namespace sino::remove_stripes
