// SPDX-License-Identifier: LGPL-3.0-or-later
// Iterates batches of slices on a device, from their start to their end.
#pragma once
#include "base/monitor.hpp"
#include "filters/iterative-reconstruct/opencl/progress.hpp"

namespace sino::iterative_reconstruct {

class DeviceSolver
{
public:
  // `middle`: T at the lag 0.
  DeviceSolver (const OpenclPlan &plan, double middle, const Monitor &monitor, Images &images, Progress &progress);

  // Enqueues the iterations, and waits for those but the last. Returns their number.
  int run (const std::shared_ptr<Lanes> &lanes);

private:
  const Solving &solving;
  const double weight_of_noise;
  const Monitor &monitor;
  Images &images;
  Progress &progress;

  int run_tv (const std::shared_ptr<Lanes> &lanes);
  int run_cgls (Lanes &lanes);
  bool finished (double change) const { return change < solving.tolerance; }
};

} // namespace sino::iterative_reconstruct
