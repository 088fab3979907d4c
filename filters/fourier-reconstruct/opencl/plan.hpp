// SPDX-License-Identifier: LGPL-3.0-or-later
// Plan of a reconstruction on OpenCL devices: lengths, tiles, and sizes of batches.
#pragma once
#include "device/bill.hpp"
#include "device/opencl.hpp"
#include "families/family.hpp"
#include "filters/fourier-reconstruct/opencl/tiles.hpp"

namespace sino::fourier_reconstruct {

// The plan is valid for all devices and numbers of lanes.
struct OpenclPlan : NoCopy {
  // `most_terms`: tiles with more terms are divided; chosen automatically by default.
  explicit OpenclPlan (const Job &job, std::optional<int64_t> most_terms = {});

  const std::vector<Ray> rays;
  Job job;
  Gridding gridding; // its filter is not set
  Tiles tiles;

  int64_t terms () const { return gridding.padded + 1; } // number of terms of a ray
};

// The library for transforms: our own kernels if the setting asks for them and the device has room for them, else
// clFFT.
enum class Transforms { clfft, own };
Transforms transforms_for (const OpenclFacts &facts, const OpenclPlan &plan, const families::Setting &setting);

// Slices are processed in groups of 2, 4, 8 or 16; rays, and columns or rows of the grid, in batches. Results do not
// depend on these sizes.
struct Batches {
  int slices;                   // processed at once
  int64_t rays, columns;        // processed at once
  size_t lines, terms, cropped; // bytes
  Transforms transforms;

  Batches (const OpenclPlan &plan, int slices, Transforms transforms);
};

// All buffers except those for input and output blocks.
namespace buffers {
constexpr char lines[] = "lines", terms[] = "terms of rays", cropped[] = "columns of slices", rays[] = "rays",
               tiles[] = "tiles of the grid", pieces[] = "pieces of tiles", phi[] = "interpolation",
               response[] = "response of the filter", correction[] = "correction of slices",
               broken[] = "marks of broken values", scratch[] = "scratch of transforms", row_turns[] = "turns of rows",
               grid_turns[] = "turns of the grid", largest[] = "largest values", scales[] = "scales of terms";
}
void memory (const OpenclDevice &device, const OpenclPlan &plan, const Batches &batches, Bill &bill);

// Same layout as struct Ray in values.cl.
struct DeviceRay {
  int64_t x, y;
  uint64_t turn;
  float inverse_x, inverse_y, weight, unused;
};

// The largest number of slices per group, at most `most`, that fits on the device; at least two. Throws Error if two do
// not fit.
int slices_at_once (const OpenclDevice &device, const OpenclPlan &plan, int most, Transforms transforms);

} // namespace sino::fourier_reconstruct
