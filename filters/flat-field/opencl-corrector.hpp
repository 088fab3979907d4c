// SPDX-License-Identifier: LGPL-3.0-or-later
// Corrects blocks in the memory of an OpenCL device.
#pragma once
#include "device/bill.hpp"
#include "device/opencl-queues.hpp"
#include "families/counter.hpp"
#include "families/program.hpp"
#include "kernels/flat-field/references.hpp"

namespace sino::flat_field {

// The properties that select the kernel.
families::Problem problem_of (Element element, bool absorption);
// options for the OpenCL compiler
std::string options (const families::Setting &setting, const families::Problem &problem);

class OpenclCorrector
{
public:
  // Memory of the device, for blocks with this many pixels per angle.
  static void memory (size_t pixels, int64_t groups, int64_t angles, Bill &bill);

  OpenclCorrector (OpenclQueues &queues, const families::Setting &setting, const families::Problem &problem,
                   Allotment &memory);

  // Sets the times of the groups of flats, and the number of angles of the whole stream. Call it once, before any
  // block.
  void take_moments (std::span<const double> positions, int64_t angles);
  // Sets the references for the following blocks. Earlier blocks keep theirs.
  void take (const References &references);

  struct Span {
    cl::Event first, last;
  };
  // `in` and `out` have the layout of the block. Enqueues the kernels and does not wait. One thread at a time.
  Span enqueue (const Block &layout, const cl::Buffer &in, const cl::Buffer &out);

  // Return the number of changed values since the last call. They wait for the device.
  int64_t clamped () { return low.take (queues.kernels); }
  int64_t filled () { return made.take (queues.kernels); }

private:
  // References are used in turn: the next ones are uploaded while kernels use the current ones.
  struct Set {
    cl::Buffer values, runs;
    size_t pixels = 0;
    int32_t groups = 0, run_count = 0;
    float top = 0;
    cl::Event last; // the last command that uses this set
  };

  OpenclQueues &queues;
  const OpenclDevice &device;
  Allotment &allotment;
  families::KernelCounter low, holes, made; // low: clamped values; holes: dead or saturated values; made: filled values
  const size_t group;                       // work-items
  const int64_t angles_each;
  cl::Kernel correct, patch, fill;
  cl::Buffer moments;
  Set sets[2];
  size_t turn = 0;

  // The lines of a block: an angle of a row, or of a group of rows in lanes.
  struct Lines {
    int64_t width, step, places, angle_stride, place_stride;
    explicit Lines (const Block &block);
    Lines together () const; // all lines as one, if the values of an angle are contiguous
  };

  cl::Event launch_correct (const Set &set, const Lines &lines, Interval angles, const cl::Buffer &in,
                            const cl::Buffer &out, cl::Event &first);
  cl::Event launch_patch (const Set &set, const Lines &lines, int64_t angles, const cl::Buffer &out);
  cl::Event launch_fill (const Lines &lines, int64_t angles, const cl::Buffer &out);
  cl::Event for_angles (const cl::Kernel &kernel, size_t across, int64_t angles);
};

} // namespace sino::flat_field
