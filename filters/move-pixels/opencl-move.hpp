// SPDX-License-Identifier: LGPL-3.0-or-later
// A move in the memory of an OpenCL device.
#pragma once
#include "device/cpu.hpp"
#include "device/opencl-queues.hpp"
#include "filters/move-pixels/images.hpp"
#include "filters/move-pixels/move.hpp"
#include "filters/point/opencl-lines.hpp"

namespace sino::move_pixels {

// Where a move runs, and with which kernel.
struct OpenclSite {
  OpenclQueues &queues;
  Allotment &memory; // has what Move::device_memory () requested
  const Cpu &cpu;
  const families::Setting &setting;
  const families::Problem &problem;
  const families::Options options;
  const size_t largest_table; // of DeviceSizes
};

class OpenclMove : NoCopy
{
public:
  virtual ~OpenclMove () = default;

  using Span = point::OpenclLines::Span;
  // Makes the images of `out` from those of `in`, which have the rows that they need. Enqueues in the queue for
  // kernels, without waiting for them. One thread at a time.
  virtual Span enqueue (const Images &from, const cl::Buffer &in, const Images &to, const cl::Buffer &out) = 0;
};

// A kernel of the setting's source.
point::OpenclLines kernel_of (const OpenclSite &site, const char *name);

} // namespace sino::move_pixels
