// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs groups of lanes on an OpenCL device, in batches.
#pragma once
#include "families/clock.hpp"
#include "filters/iterative-reconstruct/opencl/looks.hpp"
#include "filters/iterative-reconstruct/opencl/solver.hpp"
#include "filters/iterative-reconstruct/opencl/start.hpp"
#include "filters/slice/opencl-worker.hpp"

namespace sino::iterative_reconstruct {

// A plan, and a batch and a setting of it for sinograms with `lanes` lanes.
struct Reconstructing {
  std::shared_ptr<const OpenclPlan> plan;
  int lanes;
  Batch batch;
  families::Setting setting;
};

class OpenclReconstruction final : public slice::SliceKernels
{
public:
  // Takes seconds for large slices. The replica's device is an OpenCL device. Throws Error.
  OpenclReconstruction (const Replica &replica, const Reconstructing &how);

  void look_at (const Format &sinograms, const std::vector<int64_t> &rows) override;
  // Fills the slices, dense, each in its own place, from [angle][column][lane]. Does not wait for slices in shared
  // memory. Throws Error, or Cancelled.
  void run (const MemoryPiece &bins, std::span<const MemoryPiece> slices) override;
  void wait () override;
  // For several strengths: solves those from number `first` on, as many as a batch has, for a sinogram; then gives
  // slices of the last batch, from its first one on. Throws Error, or Cancelled.
  void solve_strengths (const MemoryPiece &bins, int first);
  void give (std::span<const MemoryPiece> slices);
  void end () override;

  // Memory needed. `input_reached`, `output_reached`: bytes of the blocks that the device reaches directly, else 0.
  static void memory (const OpenclDevice &device, const OpenclPlan &plan, int lanes, const Batch &batch,
                      size_t input_reached, size_t output_reached, Bill &bill);

private:
  const OpenclDevice &device;
  const std::shared_ptr<const OpenclPlan> plan;
  const int lanes;
  const Batch batch;
  const Frames::Watch watch;
  Report report;
  OpenclQueues queues;
  DeviceStart start;
  Looks looks;
  std::unique_ptr<Images> images;
  std::unique_ptr<Progress> progress;
  std::unique_ptr<DeviceSolver> solver;
  Uploads uploads;
  slice::OpenclFrames frames;
  families::KernelClock clock;

  std::vector<iterate::ValueNoise> noise; // of the rows, as far as it is known
  cl::Event first;                        // command of the last batch
  size_t marks = 0;                       // slot of its marks

  void begin (const cl::Buffer &bins, int lane, int slices, int used);
  void solve (const cl::Buffer &bins, const cl::Buffer &out, int lane, int slices);
};

} // namespace sino::iterative_reconstruct
