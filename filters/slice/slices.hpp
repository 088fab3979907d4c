// SPDX-License-Identifier: LGPL-3.0-or-later
// Common parts of nodes that reconstruct slices of a parallel beam: formats, checks and properties.
#pragma once
#include "filters/slice/rays.hpp"
#include "glue/property.hpp"
#include "kernels/back-project/back-project.hpp"
#include "stream/format.hpp"
#include <span>

namespace sino::slice {

using back_project::Roi;

// Throws unless there is an angle for each projection.
void check_angles (const Format &in);

// Throws unless the sinograms are of a parallel beam, with an angle for each projection.
void check_sinograms (const Format &in);

// Throws if rows are already filtered with a ramp.
void check_not_filtered (const Format &in);

// Throws if no projection sees a pixel of the region, so that all slices would be zero. Returns warnings about an axis
// outside the detector.
std::vector<std::string> check_axis (std::span<const Ray> rays, int64_t columns, const Roi &roi);

// Format of the slices of sinograms.
Format slices_of (const Format &in, const Roi &roi, const char *node);

// The index in the stream of a row of the scan; -1: of the middle one. Throws if the row is not in the stream.
int64_t place_of_row (const Dim &dim, int row);

// Kernels that hold two slices in one complex value round them together: rows always form the same pairs. The wanted
// rows with the others of their pairs.
Rows whole_pairs (const Rows &wanted, const Format &input);
// Lanes for so many rows, where lanes without a slice cost as much as lanes with one. `whole`: the lanes of a vector.
int lanes_for (int64_t rows, int whole);

inline constexpr Nick<Weights> weight_nicks[] = {
    {Weights::automatic, "auto"}, {Weights::uniform, "uniform"}, {Weights::spacing, "spacing"}};
inline constexpr const char *mask_blurb = "Set pixels outside the inscribed circle to 0";
inline constexpr Range roi_range{0, 1e6};

// Properties that select slices, for all nodes that reconstruct them.
struct SliceSettings {
  std::string axis = "auto";
  double angle_offset = 0; // degrees
  Weights weights = Weights::automatic;
  bool mask = false;
  int roi_x = 0, roi_y = 0, roi_width = 0, roi_height = 0;

  // Warnings about sinograms that passed check_sinograms (): an assumed axis, missing directions.
  // `cure`: what to do about such an axis.
  std::vector<std::string> notes (const Format &in,
                                  const char *cure = "give axis=, or put 'find-axis' before this node") const;
  // Warnings about rays measured once while others were measured twice. Throws if weights=auto cannot give each ray the
  // same total weight.
  std::vector<std::string> check_sides (const Format &in, std::span<const Ray> rays) const;
  // The rays of sinograms that passed check_sinograms ().
  std::vector<Ray> rays (const Format &in) const;
  // The sinograms as projections, for Format::scan of the slices: with the axis and the angles that were taken; null
  // for regions.
  std::shared_ptr<const Format> scan_of (const Format &in) const;
  // The requested part of slices of size x size pixels; a width or height of 0 extends to the end. Throws if it is
  // outside.
  Roi region (int64_t size) const;

  static constexpr std::array properties{
      prop<&SliceSettings::axis> ("axis",
                                  "Rotation axis in detector columns: auto (from the scan, otherwise the middle), a "
                                  "number, a text file with one number per projection, or, in reconstruct and "
                                  "try-axes, a range start:stop:step, which gives a slice of one row for each axis"),
      prop<&SliceSettings::angle_offset> ("angle-offset", "Degrees added to the angles: rotates the slices"),
      prop<&SliceSettings::weights> (
          "weights",
          "Weight of a projection: auto (each direction counts once, even if measured several times), uniform (pi / "
          "number of projections), or spacing (half the angles to its neighbours)",
          weight_nicks),
      prop<&SliceSettings::mask> ("mask", mask_blurb),
      prop<&SliceSettings::roi_x> ("roi-x", "First column of the slice to compute", roi_range),
      prop<&SliceSettings::roi_y> ("roi-y", "First row of the slice to compute", roi_range),
      prop<&SliceSettings::roi_width> ("roi-width", "Columns of the slice to compute; 0: up to the last", roi_range),
      prop<&SliceSettings::roi_height> ("roi-height", "Rows of the slice to compute; 0: up to the last", roi_range),
  };
};

} // namespace sino::slice
