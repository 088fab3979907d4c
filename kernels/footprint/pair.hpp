// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections of a whole volume by separable footprints, and their transpose, on all threads.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "kernels/footprint/footprint.hpp"

namespace sino::footprint {

// Volumes and projections are arranged as in kernels/footprint/footprint.hpp. Results do not depend on the number of
// threads.
class Pair
{
public:
  Pair (const Scene &scene, const Cpu &cpu, const Monitor &monitor, Allotment &memory);

  static void memory (const Scene &scene, int threads, Bill &bill);

  // Sets projections of neighbouring views, one after the other, to the means over each bin of the line integrals.
  void forward (const float *volume, Interval views, float *projections) const;
  // The transpose: adds to the volume. It changes the projections.
  void adjoint (float *projections, Interval views, float *volume) const;
  // The same without the lengths of rays, which leaves projections as they are.
  void back_project (const float *projections, Interval views, float *volume) const;

private:
  const Scene &scene;
  const Cpu &cpu;
  const Monitor &monitor;
  Allotment &allotment;

  void lengthen (Interval views, float *projections) const;
};

} // namespace sino::footprint
