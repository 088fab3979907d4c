// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a kernel on a device: uploads slices into a slab, and adds each slab to the rays of all views. The sums of a
// work item's rays stay in the device's memory until all its slices are added.
#pragma once
#include "base/monitor.hpp"
#include "device/opencl-memory.hpp"
#include "families/clock.hpp"
#include "filters/forward-project/opencl/problem.hpp"

namespace sino::forward_project {

class Launcher
{
public:
  // Largest sizes of a work item, and of blocks that the device copies.
  struct Size {
    int64_t rows, slices;
    size_t input_block = 0, output_block = 0;
  };
  static void memory (const OpenclDevice &device, const Job &job, const families::Setting &setting, const Size &size,
                      Bill &bill);

  // Builds the kernels. The detectors of the job must outlive this object. Throws Error.
  Launcher (const OpenclDevice &device, const Monitor &monitor, const Job &job, const families::Setting &setting,
            Allotment &allotment, Counters *counters = nullptr);

  // Calls for one work item: begin () with its rows and the slices that they see, add () with these slices in their
  // order, end (), and deliver () with each block of projections. A block without a device buffer is filled when
  // deliver
  // () returns, any other when its buffer settles. Throws Error, or Cancelled.
  void begin (Interval rows, Interval slices);
  void add (const Block &slices);
  void end ();
  void deliver (Block &projections);

  void wait () { clock.wait (); }

private:
  // Neighbouring views, and the sums of their rays.
  struct Group {
    cl::Buffer seen, sums;
    Interval views;
    std::vector<KernelView> as_seen; // content of `seen`
    int64_t wide, high;              // most rays of a line, and most lines of rays of a row
  };

  const OpenclDevice &device;
  const Monitor &monitor;
  const Job job;
  const families::Shape shape;
  const int64_t most_views; // of a group
  const bool images, steep;
  Allotment &allotment;
  OpenclQueues queues;
  Uploads uploads;
  Downloads downloads;
  cl::Kernel arrange, project, average;
  // The slab: copies for rays along x and y (and z), in one of both kinds of memory.
  std::vector<cl::Buffer> buffers;
  std::vector<cl::Image2DArray> arrays;
  int64_t depth = 0;         // slices of the slab
  std::vector<Group> groups; // those of the work item, then memory kept from larger work items
  size_t used = 0;
  families::KernelClock clock;

  // The work item: its rows, and the slices that the slab holds at the moment.
  Interval rows, held;

  void take_slab (const families::Setting &setting);
  void use_groups ();
  Group &next_group ();
  void set_slab (cl::Kernel &kernel, cl_uint two, cl_uint third) const;
  void clear (int64_t slice);
  void fill (const cl::Buffer &slices, int64_t first, Interval some);
  void launch ();
};

} // namespace sino::forward_project
