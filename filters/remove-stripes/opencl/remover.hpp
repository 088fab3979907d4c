// SPDX-License-Identifier: LGPL-3.0-or-later
// Removes stripes from sinograms in the memory of an OpenCL device.
#pragma once
#include "device/opencl-queues.hpp"
#include "families/program.hpp"
#include "filters/remove-stripes/opencl/wavelets.hpp"
#include "filters/remove-stripes/settings.hpp"
#include "kernels/remove-stripes/shape.hpp"

namespace sino::remove_stripes {

class OpenclRemover
{
public:
  // What selects the kernels.
  static families::Problem problem_of (const Settings &settings);
  static Settings settings_of (const families::Problem &problem);

  // Memory of the device, for blocks of this many groups of sinograms.
  static void memory (const Settings &settings, const Shape &group, int64_t groups, Bill &bill);
  // Estimated time.
  static double seconds (const Settings &settings, const OpenclFacts &facts, double values);

  OpenclRemover (const OpenclQueues &queues, const families::Setting &setting, const families::Problem &problem,
                 const Settings &settings, const Shape &group, Allotment &memory);

  struct Span {
    cl::Event first, last;
  };
  // Enqueues the kernels for a block, without waiting. One thread at a time.
  Span enqueue (const cl::Buffer &in, int64_t groups, const cl::Buffer &out);

  // The values that blocks have lost (look.hpp), in their order, since the last call. Waits for the device.
  std::vector<std::vector<double>> take_looks ();
  bool looks_are_full () const { return looks == most_looks; }

private:
  static constexpr int64_t most_looks = 32;

  const OpenclQueues &queues;
  const OpenclDevice &device;
  const Settings settings;
  const Shape group;
  const int64_t means; // of neighbouring angles, for offsets
  const size_t items, segment;
  const int64_t run; // keys that are sorted in local memory
  int64_t groups_at_once = 0;
  int64_t looks = 0; // sums that were not read yet

  cl::Kernel to_columns, to_lines, mean_of_angles, lower_lines, taken, medians, lower_by_medians, steps_between,
      sort_runs, compare_far, restore_order, fluctuations, add_parts, usual_numbers, divide_by_usual, mark_stripes,
      bridge_marked, mean_ratios, divide_columns, add_roughness;
  cl::Buffer keys, order, smooth, bridges, parts, sums;
  cl::Buffer numbers, usual, sorted, raw, marks; // numbers of columns
  std::optional<OpenclWavelets> wavelets;

  void run_marks (const Batch &batch, Launches &launches);
  void find_dead (const Batch &batch, Launches &launches);
  void remove_offsets (const Batch &batch, Launches &launches);
  void remove_by_rank (const Batch &batch, Launches &launches);
  void sort (const Batch &batch, Launches &launches);
  void correct_large (const Batch &batch, Launches &launches, bool in_out);
  void run_medians (const Batch &batch, Launches &launches, int64_t ranks, int size, const cl::Buffer &to,
                    opencl::Long place);
};

} // namespace sino::remove_stripes
