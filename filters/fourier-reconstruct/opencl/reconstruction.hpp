// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs one group of lanes after the other on an OpenCL device.
#pragma once
#include "base/monitor.hpp"
#include "fourier-reconstruct/opencl/stages.hpp"
#include "fourier-reconstruct/opencl/transforms.hpp"
#include "slices/opencl-frames.hpp"
#include <deque>

namespace sino::fourier {

class OpenclReconstruction
{
public:
  // `gridding` is the plan's with its filter. `together`: slices that are worked on together. Throws Error.
  OpenclReconstruction (const OpenclDevice &device, const Monitor &monitor,
                        const std::shared_ptr<const OpenclPlan> &plan, const Gridding &gridding, int lanes,
                        int together);
  // With other transforms than clFFT's.
  OpenclReconstruction (const OpenclDevice &device, const Monitor &monitor,
                        const std::shared_ptr<const OpenclPlan> &plan, const Gridding &gridding, int lanes,
                        const Batches &batches, std::unique_ptr<LineTransforms> transforms);

  // Fills the slices, dense, a place each, from [ray][bin][lane]. Does not wait for those in shared memory. Throws
  // Error, or Cancelled.
  void run (const Place &bins, std::span<const Place> slices);

  // From the first kernel to the last of all groups that have ended; `end` waits for all.
  double seconds ();
  void end ();

  // Bytes that this takes on the device, given the bytes of the blocks that come in and go out where it reaches them,
  // else 0.
  static size_t memory (const OpenclPlan &plan, int lanes, int together, size_t input_reached, size_t output_reached);

private:
  struct Group {
    cl::Event first, last;
  };

  const OpenclDevice &device;
  const Monitor &monitor;
  const std::shared_ptr<const OpenclPlan> plan;
  const int lanes;
  const Batches batches;
  Stages stages;
  std::unique_ptr<LineTransforms> transforms;
  Uploads uploads;
  OpenclFrames frames;
  std::deque<cl::Event> queued; // steps that may not have ended
  std::deque<Group> groups;     // that were not looked at yet
  double busy = 0;

  Group reconstruct (const cl::Buffer &bins, const cl::Buffer &out, int lane, int slices);
  void spread (const Part &columns);
  void step ();
  void look_at_oldest ();
};

} // namespace sino::fourier
