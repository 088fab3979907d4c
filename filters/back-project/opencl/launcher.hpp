// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a kernel on a device, one group of lanes after the other: uploads bins, launches over work-groups, downloads
// slices. Upload of the next group, computation, and download of the last one overlap.
#pragma once
#include "base/monitor.hpp"
#include "device/opencl-memory.hpp"
#include "families/clock.hpp"
#include "filters/back-project/opencl/problem.hpp"
#include "filters/slice/opencl-worker.hpp"

namespace sino::back_project {

class Launcher final : public slice::SliceKernels
{
public:
  // Memory of a launcher. `input_reached`, `output_reached`: bytes of the blocks that the device reaches directly, else
  // 0.
  static void memory (const Job &job, const families::Setting &setting, size_t input_reached, size_t output_reached,
                      Bill &bill);

  // Builds the kernel. job.bins is not read. Throws Error.
  Launcher (const OpenclDevice &device, const Monitor &monitor, const Job &job, const families::Setting &setting,
            Allotment &allotment, Counters *counters = nullptr);

  // Fills the slices of the group, dense, each in its own place. Does not wait for slices in shared memory. Throws
  // Error, or Cancelled.
  void run (const MemoryPiece &bins, std::span<const MemoryPiece> slices) override;
  void run (const std::byte *bins, std::span<float *const> slices); // plain memory: waits

  void wait () override { clock.wait (); }
  // Updates per second of the last launch that has ended.
  double speed () const { return clock.speed (); }

private:
  // Images are used in turn, like the buffers of Staging.
  struct Image {
    cl::Image2D memory;
    cl::Event last;
  };

  const OpenclDevice &device;
  const Monitor &monitor;
  const Job job;
  const families::Shape shape;
  Allotment &allotment;
  Roi frame; // the region, extended to the border of a work-group's area in the full slice
  cl::Kernel kernel;
  Image images[Staging::slots];
  size_t turn = 0;
  OpenclQueues queues;
  Uploads uploads;
  slice::OpenclFrames frames;
  cl::Buffer rays, group_counts;
  families::KernelClock clock;

  void prepare (const families::Setting &setting);
  cl::Memory take_in (const MemoryPiece &values);
  void taken (const MemoryPiece &values, const cl::Event &event);
  void launch (int64_t slices);
};

// Bytes of the bins of one group of lanes.
size_t bins_bytes (const Job &job);

} // namespace sino::back_project
