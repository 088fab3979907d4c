// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/remove-stripes/opencl/remover.hpp"
#include "device/opencl-memory.hpp"
#include "filters/point/opencl-elements.hpp"
#include "filters/remove-stripes/look.hpp"
#include "filters/remove-stripes/offsets.hpp"
#include <bit>

namespace sino::remove_stripes {

using opencl::Long, opencl::set;

namespace {

constexpr int64_t values_at_once = 1 << 24;  // about; enough to fill a device
constexpr int64_t most_groups = 1024;        // with 32 lanes, all drivers accept as many work-groups in any dimension
constexpr int64_t tile = 32, tile_lines = 8; // as in the kernels
constexpr size_t parts_of_column = 16, together = 16; // as in the kernels
constexpr int64_t angles_together = 256;              // angles of which a work-item adds up the fluctuations

// Names of items on the bill.
namespace buffers {
constexpr char keys[] = "values of columns", order[] = "angles of these values", smooth[] = "medians across columns",
               numbers[] = "numbers of columns", bridges[] = "bridges over dead columns",
               parts[] = "fluctuations over some angles", sums[] = "removed values of blocks";
}
constexpr size_t numbers_pieces = 5, bridge_bytes = 12; // as in the kernels

std::string options (const families::Setting &, const families::Problem &problem)
{
  const auto settings = OpenclRemover::settings_of (problem);
  return text (" -DANGLES=%d -D%s%s%s", static_cast<int> (angles_together),
               settings.sorts ()                   ? "RANKS"
               : settings.method == Method::offset ? "OFFSETS"
                                                   : "WAVELETS",
               settings.finds_dead () ? " -DDEAD" : "", settings.finds_large () ? " -DLARGE" : "");
}

WaveletFourier wavelets_of (const Settings &settings, const Shape &group)
{
  return {settings.for_wavelets (), group.angles, group.columns / group.lanes};
}

} // namespace

families::Problem OpenclRemover::problem_of (const Settings &settings)
{
  return {1, 1000, {{"method", static_cast<int64_t> (settings.method)}, {"bridge", settings.bridge}}};
}

Settings OpenclRemover::settings_of (const families::Problem &problem)
{
  Settings settings;
  settings.method = static_cast<Method> (problem["method"]);
  settings.bridge = problem["bridge"] != 0;
  return settings;
}

void OpenclRemover::memory (const Settings &settings, const Shape &group, int64_t groups, Bill &bill)
{
  const bool offset = settings.method == Method::offset;
  const auto angles = offset ? Offsets::means_of (group.angles) : group.angles;
  const auto enough = divide_up (values_at_once, angles * group.columns);
  const auto at_once = std::max<int64_t> (std::min ({groups, enough, most_groups}), 1);
  const auto columns = static_cast<size_t> (at_once * group.columns), values = columns * static_cast<size_t> (angles);
  if (settings.method == Method::wavelet_fourier)
    OpenclWavelets::memory (wavelets_of (settings, group), group.lanes, at_once, bill);
  else {
    add_buffers (bill, buffers::keys, values * sizeof (cl_int));
    if (offset)
      add_buffers (bill, buffers::smooth, values * sizeof (cl_int));
    else
      add_buffers (bill, buffers::order, values * sizeof (cl_ushort));
  }
  add_buffers (bill, buffers::numbers, columns * sizeof (cl_double), numbers_pieces);
  add_buffers (bill, buffers::bridges, columns * bridge_bytes);
  if (settings.finds_dead ())
    add_buffers (bill, buffers::parts,
                 columns * sizeof (cl_double) * static_cast<size_t> (divide_up (group.angles, angles_together)));
  add_buffers (bill, buffers::sums,
               static_cast<size_t> (group.columns / group.lanes * most_looks) * sizeof (cl_double));
}

// Compute units need about this many clocks per value.
// Clocks of a unit per value. On an H200, sinograms of 2048 x 2048 take 6 (offset) and 25 (all); the parts of `all`,
// and wavelet-fourier, are in proportion to their operations.
double OpenclRemover::seconds (const Settings &settings, const OpenclFacts &facts, double values)
{
  double clocks = settings.finds_dead () ? 1 : 0;
  if (settings.method == Method::offset)
    clocks += 6;
  else if (settings.method == Method::wavelet_fourier)
    clocks += 4 + 4 * settings.sigma;
  else
    clocks += 10 + (settings.finds_large () ? 9 : 0) + (settings.smooths () ? 5 : 0);
  return values * clocks / (1e6 * facts.clock * facts.units);
}

OpenclRemover::OpenclRemover (const OpenclQueues &q, const families::Setting &setting, const families::Problem &problem,
                              const Settings &s, const Shape &g, Allotment &memory)
    : queues (q), device (q.device), settings (s), group (g), means (Offsets::means_of (g.angles)),
      items (static_cast<size_t> (setting["GROUP"])), segment (static_cast<size_t> (setting["SEGMENT"])),
      run (std::min<int64_t> (setting["RUN"], static_cast<int64_t> (std::bit_ceil (static_cast<uint64_t> (g.angles)))))
{
  device.attempt ([&] {
    const auto program = point::build_precise (device, setting, problem, options);
    const auto get = [&] (cl::Kernel &kernel, const char *name) { kernel = {program, name}; };
    const auto take = [&] (cl::Buffer &buffer, const char *item) { buffer = take_buffer (device, memory, item); };
    get (taken, "taken");
    if (settings.method == Method::wavelet_fourier)
      wavelets.emplace (device, program, wavelets_of (settings, group), group.lanes, memory);
    else {
      get (medians, "medians");
      take (keys, buffers::keys);
    }
    if (settings.method == Method::offset) {
      get (mean_of_angles, "mean_of_angles");
      get (lower_by_medians, "lower_by_medians");
      get (steps_between, "steps_between");
      get (add_roughness, "add_roughness");
      get (lower_lines, "lower_lines");
      take (smooth, buffers::smooth);
    }
    if (settings.sorts ()) {
      get (to_columns, "to_columns");
      get (sort_runs, "sort_runs");
      get (compare_far, "compare_far");
      get (restore_order, "restore_order");
      get (to_lines, "to_lines");
      take (order, buffers::order);
    }
    if (settings.finds_large ()) {
      get (mean_ratios, "mean_ratios");
      get (divide_columns, "divide_columns");
    }
    if (settings.finds_dead ()) {
      get (fluctuations, "fluctuations");
      get (add_parts, "add_parts");
      get (usual_numbers, "usual_numbers");
      get (divide_by_usual, "divide_by_usual");
      get (bridge_marked, "bridge_marked");
      take (parts, buffers::parts);
    }
    if (settings.finds_large () || settings.finds_dead ())
      get (mark_stripes, "mark_stripes");
    for (auto *each : {&numbers, &usual, &sorted, &raw, &marks})
      take (*each, buffers::numbers);
    take (bridges, buffers::bridges);
    take (sums, buffers::sums);
    groups_at_once = static_cast<int64_t> (bridges.getInfo<CL_MEM_SIZE> () / bridge_bytes) / group.columns;
  });
}

OpenclRemover::Span OpenclRemover::enqueue (const cl::Buffer &in, int64_t groups, const cl::Buffer &out)
{
  return device.attempt ([&] {
    Launches launches (queues.kernels);
    for (int64_t g = 0; g < groups; g += groups_at_once) {
      const Batch batch{{static_cast<cl_int> (group.angles), static_cast<cl_int> (group.columns),
                         static_cast<cl_int> (group.lanes),
                         static_cast<cl_int> (std::min (groups_at_once, groups - g))},
                        {g * group.angles * group.columns},
                        settings.finds_dead (),
                        in,
                        out,
                        bridges};
      if (batch.bridged)
        find_dead (batch, launches);
      if (wavelets)
        wavelets->remove (batch, launches);
      else if (settings.method == Method::offset)
        remove_offsets (batch, launches);
      else
        remove_by_rank (batch, launches);
      if (g == 0) {
        set (taken, 0, batch.stack, in, out, look_step (group.angles), looks, sums);
        launches.run (taken, {in_groups (group.columns / group.lanes, narrow)}, {narrow});
        looks++;
      }
    }
    return Span{launches.first, launches.last};
  });
}

std::vector<std::vector<double>> OpenclRemover::take_looks ()
{
  const auto columns = static_cast<std::ptrdiff_t> (group.columns / group.lanes);
  std::vector<double> read (static_cast<size_t> (std::exchange (looks, 0) * columns));
  std::vector<std::vector<double>> all;
  if (!read.empty ())
    device.attempt (
        [&] { queues.kernels.enqueueReadBuffer (sums, CL_TRUE, 0, read.size () * sizeof (double), read.data ()); });
  for (auto from = read.begin (); from != read.end (); from += columns)
    all.emplace_back (from, from + columns);
  return all;
}

void OpenclRemover::find_dead (const Batch &b, Launches &launches)
{
  const auto number = divide_up (group.angles, angles_together);
  set (fluctuations, 0, b.stack, b.in, b.first, parts);
  launches.run (fluctuations, {in_groups (group.columns, narrow), static_cast<size_t> (number), b.groups ()},
                {narrow, 1, 1});
  set (add_parts, 0, b.stack, parts, number, numbers);
  launches.run (add_parts, {round_up (b.columns (), narrow)}, {narrow});
  set (usual_numbers, 0, b.stack, settings.la_size, numbers, usual);
  launches.run (usual_numbers, {round_up (b.columns (), narrow)}, {narrow});
  set (divide_by_usual, 0, b.stack, numbers, usual);
  launches.run (divide_by_usual, {b.sinograms () * items}, {items});
  run_marks (b, launches);
  set (bridge_marked, 0, b.stack, marks, bridges);
  launches.run (bridge_marked, {b.sinograms () * items}, {items});
}

void OpenclRemover::run_marks (const Batch &b, Launches &launches)
{
  set (mark_stripes, 0, b.stack, settings.snr, numbers, sorted, raw, marks);
  launches.run (mark_stripes, {b.sinograms () * items}, {items});
}

void OpenclRemover::run_medians (const Batch &b, Launches &launches, int64_t ranks, int size, const cl::Buffer &to,
                                 Long place)
{
  set (medians, 0, b.stack, ranks, size, keys, to, place);
  launches.run (medians,
                {in_groups (ranks, narrow), divide_up (static_cast<size_t> (group.columns / group.lanes), segment),
                 b.sinograms ()},
                {narrow, 1, 1});
}

void OpenclRemover::remove_offsets (const Batch &b, Launches &launches)
{
  // What the names of the buffers say is over before offsets are looked for.
  auto &offsets = numbers, &errors = usual, &steps = sorted, &line = raw, &rough = marks;
  set (mean_of_angles, 0, b.stack, b.in, b.first, means, b.bridged, b.bridges, keys);
  launches.run (mean_of_angles, {in_groups (group.columns, narrow), static_cast<size_t> (means), b.groups ()},
                {narrow, 1, 1});
  queues.kernels.enqueueFillBuffer (offsets, cl_double{0}, 0, b.columns () * sizeof (cl_double));
  const cl::NDRange all (divide_up (b.columns (), together) * parts_of_column, together),
      size (parts_of_column, together);
  set (lower_by_medians, 0, b.stack, means, keys, smooth, offsets, errors);
  for (int time = 0; time < Offsets::times; time++) {
    run_medians (b, launches, means, settings.sm_size, smooth, {0});
    launches.run (lower_by_medians, all, size);
  }
  set (steps_between, 0, b.stack, means, keys, steps);
  launches.run (steps_between, all, size);
  auto &by = smooth; // the medians are not needed any more
  set (add_roughness, 0, b.stack, steps, line, rough, offsets, errors, by);
  launches.run (add_roughness, {b.sinograms () * items}, {items});
  set (lower_lines, 0, b.stack, b.in, b.first, b.bridged, b.bridges, by, b.out);
  launches.run_lines (lower_lines, b.stack);
}

// The memory of the output holds values by columns until the end.
void OpenclRemover::remove_by_rank (const Batch &b, Launches &launches)
{
  const auto tiles = [&] (const cl::Kernel &kernel) {
    launches.run (kernel,
                  {in_groups (group.columns, tile), static_cast<size_t> (divide_up (group.angles, tile) * tile_lines),
                   b.groups ()},
                  {tile, tile_lines, 1});
  };
  set (to_columns, 0, b.stack, b.in, b.first, b.bridged, b.bridges, keys);
  tiles (to_columns);
  sort (b, launches);
  if (settings.finds_large ())
    correct_large (b, launches, !settings.smooths ());
  if (settings.smooths ())
    run_medians (b, launches, group.angles, settings.sm_size, b.out, b.first);
  set (restore_order, 0, b.stack, b.out, b.first, order, keys);
  launches.run (restore_order, {b.columns () * items, divide_up (static_cast<size_t> (group.angles), items)},
                {items, 1});
  set (to_lines, 0, b.stack, keys, b.out, b.first);
  tiles (to_lines);
}

void OpenclRemover::sort (const Batch &b, Launches &launches)
{
  const auto runs = [&] (bool fresh) {
    set (sort_runs, 0, b.stack, keys, order, run, fresh, cl::Local (static_cast<size_t> (run) * sizeof (cl_ulong)));
    launches.run (sort_runs, {b.columns () * items, static_cast<size_t> (divide_up (group.angles, run))}, {items, 1});
  };
  const auto far = [&] (int64_t half, bool first_step) {
    const auto pairs = static_cast<size_t> (divide_up (group.angles, 2 * half) * half);
    set (compare_far, 0, b.stack, keys, order, half, first_step);
    launches.run (compare_far, {b.columns () * items, divide_up (pairs, items)}, {items, 1});
  };
  runs (true);
  for (auto half = run; half < group.angles; half *= 2) {
    far (half, true);
    for (auto less = half / 2; less >= run; less /= 2)
      far (less, false);
    runs (false);
  }
}

// `in_out`: the result is in the output's memory, not in the keys.
void OpenclRemover::correct_large (const Batch &b, Launches &launches, bool in_out)
{
  auto &ratios = numbers;
  run_medians (b, launches, group.angles, settings.la_size, b.out, b.first);
  set (mean_ratios, 0, b.stack, settings.dropped (group.angles), keys, b.out, b.first, ratios);
  launches.run (mean_ratios, {b.columns () * items}, {items});
  run_marks (b, launches);
  set (divide_columns, 0, b.stack, ratios, marks, keys, b.out, b.first, in_out);
  launches.run (divide_columns, {b.columns () * items, divide_up (static_cast<size_t> (group.angles), items)},
                {items, 1});
}

} // namespace sino::remove_stripes
