// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructing scans of noise on an OpenCL device, without a node.
#pragma once
#include "device/opencl.hpp"
#include "filters/fourier-reconstruct/opencl/reconstruction.hpp"
#include "tests/filters/fourier-reconstruct/truth.hpp"

namespace sino::test {

struct Setup {
  int64_t size = 32, projections = 20, rows = 1;
  int lanes = 1, width = 4; // width of phi
  bool edge = false, mask = false, bare = false;
  bool halves = false;        // terms are held as half
  bool object = false;        // a body with details at even angles, not noise at any
  back_project::Roi roi = {}; // no width: all
  int at_once = 0;            // slices; 0: as many as usual
  int64_t split = 0;          // tiles with so many terms are divided; 0: those that usually are
  int64_t batch = 0;          // rays and columns of tiles at once; 0: as many as usual
  bool by_hand = false;       // transforms by their definition
  bool own = false;           // or by our kernels; by clFFT, which builds sooner, if by neither
};

struct DeviceScan : NoiseScan {
  std::vector<back_project::Ray> rays;

  explicit DeviceScan (const Setup &setup);
  void see_object ();
  // Bins of a group of lanes from `row` on.
  std::vector<float> bins (int64_t row, int lanes) const;
};

fourier_reconstruct::Job job_of (const Setup &setup, const DeviceScan &scan);

using Slices = std::vector<std::vector<float>>;
Slices reconstruct (const OpenclDevice &device, const Setup &setup, const DeviceScan &scan,
                    const Monitor &monitor = {});
// The same by the CPU's kernels.
Slices reconstruct_natively (const Setup &setup, const DeviceScan &scan);
// Root mean square of the difference inside the circle, relative to that of the second ones.
double difference (const Setup &setup, const Slices &slices, const Slices &expected);
FourierTruth truth_of (const Setup &setup, const DeviceScan &scan);
// What accuracy= promises for the width of phi. Noise errs more: much of it would lie outside the slice.
inline double promised (const Setup &setup)
{
  const double error = setup.width == 4 ? 1e-3 : setup.width == 5 ? 2e-4 : 5e-5;
  return setup.object ? error : 8 * error;
}

// Error of one slice, inside the circle; outside of it a mask leaves 0.
double error_of (const Setup &setup, const FourierTruth &truth, int64_t row, const std::vector<float> &slice);

} // namespace sino::test
