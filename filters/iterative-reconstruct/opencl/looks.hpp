// SPDX-License-Identifier: LGPL-3.0-or-later
// What sinograms on a device tell before iterations, and their rows continued beyond the detector.
#pragma once
#include "device/opencl-queues.hpp"
#include "filters/iterative-reconstruct/iteration.hpp"
#include "filters/iterative-reconstruct/opencl/plan.hpp"
#include "kernels/iterate/noise.hpp"

namespace sino::iterative_reconstruct {

class Looks
{
public:
  Looks (const OpenclDevice &device, const OpenclQueues &queues, const OpenclPlan &plan, const Lines &lines, int lanes,
         Allotment &allotment);

  // Enqueues the looking, for known (). `noise`: what is known of that of each lane; empty: nothing.
  void look (const cl::Buffer &bins, const std::vector<iterate::ValueNoise> &noise);
  // The rows as the start takes them.
  const cl::Buffer &continued (const cl::Buffer &bins);
  // Waits for look (). `used` lanes from `first` on.
  Lanes known (int first, int used);

private:
  const OpenclDevice &device;
  const OpenclQueues &queues;
  const OpenclPlan &plan;
  const iterate::NoiseBlocks blocks;
  const size_t lanes;
  cl::Kernel find_medians, find_expected, add_squares, continue_rows;
  cl::Buffer medians, squares, expected, noise_of_lanes, continued_, tapers;
  std::vector<iterate::ValueNoise> known_noise; // of the last look ()
  cl::Event looked;
  bool read = false;
  std::vector<float> found;
  std::vector<double> of_rows;

  void read_results ();
};

} // namespace sino::iterative_reconstruct
