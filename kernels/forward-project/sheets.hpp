// SPDX-License-Identifier: LGPL-3.0-or-later
// Rays of upright views, whose columns of pixels are parallel to z. The rays of a column of pixels form a sheet: they
// meet a plane of voxels in one line along z, at equal steps. So the two columns of voxels beside this line are blended
// once for all rays of the sheet, and the blend is read from ray to ray; the transpose goes the other way.
#pragma once
#include "kernels/forward-project/rays.hpp"
#include <span>

namespace sino::forward_project {

// The rays of a line of rays along z, numbered from the first row of the detector. Places are in voxels, as functions
// of the plane.
struct Sheet {
  Along along = Along::y; // x or y
  Course in;              // place across z
  Course first, apart;    // z of ray 0, and from ray to ray
  double flat = 0;        // square of the length from plane to plane, across z
};

// Whether rays of a view form sheets where they meet slices: whether columns of pixels are parallel to z, and all rays
// near these slices go along x or y rather than z, and are less than two voxels apart.
bool form_sheets (const Volume &volume, const Detector &detector, Interval slices);

// Whether rays stay in a slice: then they meet all planes at the same z.
bool are_level (const Detector &detector);

std::vector<Sheet> sheets_of (const Volume &volume, const Detector &detector);

// Rays of a sheet, numbered like those of a Sheet, that may be near slices.
Interval rays_near (const Volume &volume, const Detector &detector, Interval slices);

// Columns of voxels along z, from slices of a slab. Lists [line][column][slice], with a column of zeros, or of the next
// brick, on each side.
struct Brick {
  static constexpr int64_t side = 32, pitch = side + 2, most_slices = 64;

  Interval x, y;             // at most `side` of each
  Interval cells_x, cells_y; // places between voxels n and n + 1 whose rays are this brick's
  int64_t bottom, slices;    // first slice of the slab, and their number: a multiple of Rays::most_lanes
  Interval there;            // those that are not zeros, or that are wanted, counted from the first
  float *voxels;
  const uint8_t *filled; // for each column of voxels: whether any is not 0

  int64_t column (int64_t at_x, int64_t at_y) const { return (at_y - y.begin + 1) * pitch + at_x - x.begin + 1; }
};

constexpr int64_t brick_voxels (int64_t slices)
{
  return Brick::pitch * Brick::pitch * slices;
}

// Copies voxels from slices, which are null where there is none, and finds which columns are filled. Returns whether
// any is.
bool fill_brick (const Volume &volume, std::span<const float *const> slices, const Brick &brick, uint8_t *filled);
// Copies voxels without the columns around them, from slices and back.
void load_brick (const Volume &volume, std::span<float *const> slices, const Brick &brick);
void store_brick (const Volume &volume, std::span<float *const> slices, const Brick &brick);

// Sheets that may meet the cells of a brick.
Interval sheets_near (const Volume &volume, const Detector &detector, const Brick &brick);

// Sums of the rays of a sheet, or of its columns of voxels.
struct Line {
  static constexpr int64_t room = 64; // zeros before and behind the values

  Interval rays; // those that have a value
  float *values; // of the first ray in `rays`; 64 values before it and behind the last one are readable
};

// Blended columns of voxels of neighbouring planes, between zeros, which must stay zeros.
struct Blends {
  static constexpr int64_t before = 80, room = 256, planes = 16;

  alignas (64) float values[planes][room] = {};
};

// Adds to line.values the sums along the rays of a sheet in a brick. It may change up to Rays::most_lanes values before
// the first one and behind the last one.
void add_sheet (const Sheet &sheet, const Brick &brick, const Line &line, Blends &blends);
// The transpose: adds the values of rays to the voxels of a brick.
void spread_sheet (const Sheet &sheet, const Brick &brick, const Line &line);

// For level sheets: sums over planes for each slice of the slab, and the transpose of these sums.
void add_level (const Sheet &sheet, const Brick &brick, float *sums);
void spread_level (const Sheet &sheet, const Brick &brick, const float *sums);
// Between sums of slices and rays. Sums have Line::room zeros before and behind.
void rays_from_level (const Sheet &sheet, int64_t bottom, int64_t slices, const float *sums, const Line &line);
void level_from_rays (const Sheet &sheet, int64_t bottom, int64_t slices, const Line &line, float *sums);

// Adds sums of rays to the pixels of some columns; lines of neighbouring sheets are `stride` values apart. `first_row`:
// of the pixels.
void add_to_pixels (const Detector &detector, Interval columns, const Line &line, int64_t stride, int64_t first_row,
                    float *pixels);
// Gives each ray of some columns the value of its pixel.
void take_from_pixels (const Detector &detector, Interval columns, const Line &line, int64_t stride, int64_t first_row,
                       const float *pixels);

// Multiplies values of rays by their lengths between planes.
void lengthen (const Sheet &sheet, float unit, const Line &line);

} // namespace sino::forward_project
