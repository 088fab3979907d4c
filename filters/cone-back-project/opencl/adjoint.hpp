// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs the transpose of forward-project on a device: weighs the rays of projections, and adds them group by group to
// slabs of slices.
#pragma once
#include "families/clock.hpp"
#include "filters/cone-back-project/opencl/layers.hpp"
#include "filters/cone-back-project/opencl/slabs.hpp"
#include <deque>

namespace sino::cone_back_project {

class Adjoint
{
public:
  using Detectors = std::span<const forward_project::Detector>;

  // Largest sizes of a work item, and of blocks that the device copies.
  struct Size {
    int64_t rows, slices;
    size_t blocks;          // approximate bytes of blocks on the device meanwhile
    size_t input_block = 0; // bytes of a block that is uploaded
  };
  static void memory (const OpenclDevice &device, const Job &job, Detectors detectors, const families::Setting &setting,
                      const Size &size, Bill &bill);

  // Builds the kernels. The detectors must outlive this object. Throws Error.
  Adjoint (const OpenclDevice &device, const Monitor &monitor, const Job &job, Detectors detectors,
           const families::Setting &setting, Allotment &allotment, Counters *counters = nullptr);

  // As those of Launcher.
  void begin (Interval slices);
  void add (const Block &projections);
  void end ();
  void deliver (Block &slices);

  void wait () { clock.wait (); }

private:
  // Tables on their way to the device.
  struct Sent {
    std::vector<KernelLayer> layers;
    std::vector<forward_project::KernelView> views;
    cl::Event arrived;
  };

  const OpenclDevice &device;
  const Monitor &monitor;
  const Job job;
  const Detectors detectors;
  const families::Problem problem;
  const families::Shape shape;
  const int64_t deep; // voxels along z that a work-item computes
  const Layers layers;
  std::deque<Sent> sent;
  OpenclQueues queues;
  Uploads uploads;
  Slabs slabs;
  cl::Kernel weigh, gather;
  cl::Buffer rays, layers_there, views_there; // of a group
  int64_t most;                               // layers of a group
  int64_t count = 0;                          // those that it has
  bool first = true;                          // nothing was added to the slabs yet
  families::KernelClock clock;

  void put (const Block &in, const cl::Buffer &pixels, Interval some);
  void launch ();
};

} // namespace sino::cone_back_project
