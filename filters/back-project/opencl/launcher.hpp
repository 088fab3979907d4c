// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a kernel on a device: one group of lanes after the other is uploaded, computed by launches over groups of
// work-items, and downloaded.
#pragma once
#include "back-project/opencl/variant.hpp"
#include "base/monitor.hpp"
#include "device/opencl.hpp"

namespace sino::back_project {

class Launcher
{
public:
  // Builds the kernel and takes its memory. job.bins is not read. Throws Error.
  Launcher (const OpenclDevice &device, const Monitor &monitor, const Job &job, const Setting &setting);

  // Fills the slices, dense, a pointer each, as many as there are in the group. Throws Error, or Cancelled.
  void run (const std::byte *bins, std::span<float *const> slices);

  // That kernels ran so far.
  double seconds () const { return busy; }

private:
  const OpenclDevice &device;
  const Monitor &monitor;
  const Job job;
  const bool image;
  const Shape shape;
  Roi frame; // the region, begun at a border of an area of the full slice
  cl::CommandQueue queue;
  cl::Kernel kernel;
  cl::Memory bins;
  cl::Buffer rays, out, counters;
  double busy = 0;
  double updates_per_second = 5e7; // until the first launch was timed: slower than any device

  void prepare (const Setting &setting);
  void upload (const std::byte *values);
  void launch (int64_t slices);
  void launch_groups (int64_t column, int64_t row, int64_t columns, int64_t rows, double updates);
  void download (std::span<float *const> slices);
};

Problem problem_of (const Job &job);

// Bytes of the bins of one group of lanes, and of the slices, as the device holds them.
size_t bins_bytes (const Job &job);
size_t frame_bytes (const Job &job, const Setting &setting);

} // namespace sino::back_project
