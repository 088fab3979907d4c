// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a kernel on a device: one group of lanes after the other comes there, is computed by launches over groups of
// work-items, and goes out. While one is computed the next comes in and the last goes out.
#pragma once
#include "back-project/opencl/variant.hpp"
#include "base/monitor.hpp"
#include "device/opencl-memory.hpp"
#include "slices/opencl-frames.hpp"
#include <deque>

namespace sino::back_project {

class Launcher
{
public:
  // Builds the kernel. job.bins is not read. Throws Error.
  Launcher (const OpenclDevice &device, const Monitor &monitor, const Job &job, const Setting &setting);

  // Fills the slices, dense, a place each, as many as there are in the group. Does not wait for those in shared memory.
  // Throws Error, or Cancelled.
  void run (const Place &bins, std::span<const Place> slices);
  void run (const std::byte *bins, std::span<float *const> slices); // plain memory: waits

  // That kernels ran so far, as far as they have ended; `end` waits for all.
  double seconds ();
  void end ();
  // Updates per second of the last launch that has ended.
  double speed () const { return updates_per_second; }

private:
  // By turns, like the buffers of Staging.
  struct Image {
    cl::Image2D memory;
    cl::Event last;
  };
  struct Launch {
    cl::Event event;
    double updates;
  };

  const OpenclDevice &device;
  const Monitor &monitor;
  const Job job;
  const bool image;
  const Shape shape;
  Roi frame; // the region, begun at a border of an area of the full slice
  cl::Kernel kernel;
  Image images[2];
  size_t turn = 0;
  Uploads uploads;
  OpenclFrames frames;
  cl::Buffer rays, counters;
  std::deque<Launch> launches; // that were not looked at yet
  bool timed = false;          // a launch was
  double busy = 0;
  double updates_per_second = 5e7; // until the first launch was timed: slower than any device

  void prepare (const Setting &setting);
  cl::Memory take_in (const Place &values);
  void taken (const Place &values, const cl::Event &event);
  void launch (int64_t slices);
  void launch_groups (int64_t column, int64_t row, int64_t columns, int64_t rows, double updates);
  void look_at_oldest ();
};

Problem problem_of (const Job &job);

// Bytes of the bins of one group of lanes.
size_t bins_bytes (const Job &job);

// Bytes that a Launcher takes on the device, given the bytes of the blocks that come in and go out where it reaches
// them, else 0.
size_t launcher_memory (const Job &job, const Setting &setting, size_t input_reached, size_t output_reached);

} // namespace sino::back_project
