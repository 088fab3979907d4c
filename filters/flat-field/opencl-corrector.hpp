// SPDX-License-Identifier: LGPL-3.0-or-later
// Corrects blocks that lie in the memory of an OpenCL device.
#pragma once
#include "device/bill.hpp"
#include "device/opencl-queues.hpp"
#include "families/counter.hpp"
#include "families/program.hpp"
#include "kernels/flat-field/references.hpp"

namespace sino::flat_field {

// What decides the kernel.
families::Problem problem_of (Element element, bool absorption);
std::string options (const families::Setting &setting, const families::Problem &problem); // of the compiler

class OpenclCorrector
{
public:
  // Of the device, for blocks of so many pixels of an angle.
  static void memory (size_t pixels, int64_t groups, int64_t angles, Bill &bill);

  OpenclCorrector (OpenclQueues &queues, const families::Setting &setting, const families::Problem &problem,
                   Allotment &memory);

  // Once, before any block: when the groups of flats were taken, and angles of the whole stream.
  void take_moments (std::span<const double> positions, int64_t angles);
  // What corrects the blocks from now on. Those before it keep theirs.
  void take (const References &references);

  struct Span {
    cl::Event first, last;
  };
  // `in` and `out` have the layout of the block. Put in the queue of kernels, not waited for. One thread
  // at a time.
  Span enqueue (const Block &layout, const cl::Buffer &in, const cl::Buffer &out);

  // Values since the last call; they wait.
  int64_t clamped () { return low.take (queues.kernels); }
  int64_t filled () { return made.take (queues.kernels); }

private:
  // References by turns: while kernels work with some, the next ones come.
  struct Set {
    cl::Buffer values, runs;
    size_t pixels = 0;
    int32_t groups = 0, run_count = 0;
    float top = 0;
    cl::Event last; // the last command that works with them
  };

  OpenclQueues &queues;
  const OpenclDevice &device;
  Allotment &allotment;
  families::KernelCounter low, holes, made; // made: of holes
  const size_t group;                       // work-items
  const int64_t angles_each;
  cl::Kernel correct, patch, fill;
  cl::Buffer moments;
  Set sets[2];
  size_t turn = 0;

  // The lines of a block: angles of rows, or of groups of lanes.
  struct Lines {
    int64_t width, step, places, angle_stride, place_stride;
    explicit Lines (const Block &block);
    Lines together () const; // as one line, where all of an angle follow each other
  };

  cl::Event launch_correct (const Set &set, const Lines &lines, Interval angles, const cl::Buffer &in,
                            const cl::Buffer &out, cl::Event &first);
  cl::Event launch_patch (const Set &set, const Lines &lines, int64_t angles, const cl::Buffer &out);
  cl::Event launch_fill (const Lines &lines, int64_t angles, const cl::Buffer &out);
  cl::Event for_angles (const cl::Kernel &kernel, size_t across, int64_t angles);
};

} // namespace sino::flat_field
