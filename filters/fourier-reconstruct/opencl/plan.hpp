// SPDX-License-Identifier: LGPL-3.0-or-later
// What a reconstruction on OpenCL devices takes: lengths, tiles, and how much is worked on at once.
#pragma once
#include "device/bill.hpp"
#include "device/opencl.hpp"
#include "families/family.hpp"
#include "filters/fourier-reconstruct/opencl/tiles.hpp"

namespace sino::fourier_reconstruct {

// Holds for all devices and lanes.
struct OpenclPlan {
  // `most_terms`: of tiles that are not divided, by default chosen.
  explicit OpenclPlan (const Job &job, std::optional<int64_t> most_terms = {});

  OpenclPlan (const OpenclPlan &) = delete;
  OpenclPlan &operator= (const OpenclPlan &) = delete;

  const std::vector<Ray> rays;
  Job job;
  Gridding gridding; // whose filter is not set
  Tiles tiles;

  int64_t terms () const { return gridding.padded + 1; } // terms of a ray
};

// What transforms lines: kernels of our own as the setting says, where the device has room for them, or clFFT.
enum class Transforms { clfft, own };
Transforms transforms_for (const OpenclFacts &facts, const OpenclPlan &plan, const families::Setting &setting);

// Slices are worked on in groups of 2, 4, 8 or 16, rays and columns or rows of the grid in batches. Results do not
// depend on it.
struct Batches {
  int slices;                   // slices worked on at once
  int64_t rays, columns;        // worked on at once
  size_t lines, terms, cropped; // bytes
  Transforms transforms;

  Batches (const OpenclPlan &plan, int slices, Transforms transforms);
};

// All buffers but those for what comes in and goes out.
namespace buffers {
constexpr char lines[] = "lines", terms[] = "terms of rays", cropped[] = "columns of slices", rays[] = "rays",
               tiles[] = "tiles of the grid", pieces[] = "pieces of tiles", phi[] = "interpolation",
               response[] = "response of the filter", correction[] = "correction of slices",
               broken[] = "marks of broken values", scratch[] = "scratch of transforms", row_turns[] = "turns of rows",
               grid_turns[] = "turns of the grid", largest[] = "largest values", scales[] = "scales of terms";
}
void memory (const OpenclDevice &device, const OpenclPlan &plan, const Batches &batches, Bill &bill);

// A ray as values.cl has it.
struct DeviceRay {
  int64_t x, y;
  uint64_t turn;
  float inverse_x, inverse_y, weight, unused;
};

// The largest groups of at most so many slices, or of two, for which the device has room. Throws Error when there is
// none for any.
int slices_at_once (const OpenclDevice &device, const OpenclPlan &plan, int most, Transforms transforms);

} // namespace sino::fourier_reconstruct
