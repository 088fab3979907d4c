// SPDX-License-Identifier: LGPL-3.0-or-later
// What nodes that reconstruct slices of a parallel beam have in common: what they take and give, and properties.
#pragma once
#include "filters/slice/rays.hpp"
#include "glue/property.hpp"
#include "kernels/back-project/back-project.hpp"
#include "stream/format.hpp"
#include <span>

namespace sino::slice {

using back_project::Roi;

// Throws unless it is sinograms with an angle for each projection. `halves`: f16 values are fine.
void check_sinograms (const Format &in, bool halves);

// Throws when rows have a ramp already that would be applied once more.
void check_not_filtered (const Format &in);

// Throws when no pixel of the region is seen by the detector in any projection, so that nothing but zeros would come
// out. Gives back what people should know of an axis that is not on the detector.
std::vector<std::string> check_axis (std::span<const Ray> rays, int64_t columns, const Roi &roi);

// Slices of sinograms.
Format slices_of (const Format &in, const Roi &roi, const char *node);

inline constexpr Nick<Weights> weight_nicks[] = {
    {Weights::automatic, "auto"}, {Weights::uniform, "uniform"}, {Weights::spacing, "spacing"}};
inline constexpr const char *mask_blurb = "Set pixels outside the inscribed circle to 0";
inline constexpr Range roi_range{0, 1e6};

// Which slices: the properties that all nodes have which reconstruct them.
struct SliceSettings {
  std::string axis = "auto";
  double angle_offset = 0; // degrees
  Weights weights = Weights::automatic;
  bool mask = false;
  int roi_x = 0, roi_y = 0, roi_width = 0, roi_height = 0;

  // What people should know of sinograms that passed check_sinograms (): an axis that was assumed, directions that are
  // missing.
  std::vector<std::string> notes (const Format &in) const;
  // And of lines that were measured once among others that were measured twice. Throws where weights=auto cannot count
  // each line once.
  std::vector<std::string> check_sides (const Format &in, std::span<const Ray> rays) const;
  // The rays of sinograms that passed check_sinograms ().
  std::vector<Ray> rays (const Format &in) const;
  // The part of slices of size x size pixels that is asked for, a width or height of 0 going to the end. Throws when it
  // is outside.
  Roi region (int64_t size) const;

  static constexpr std::array properties{
      prop<&SliceSettings::axis> (
          "axis", "Rotation axis in detector columns: auto (of the scan, else the middle), a "
                  "number, a text file with one number per projection, or, in reconstruct and try-axes, "
                  "a range start:stop:step, each of whose axes gives a slice of one row"),
      prop<&SliceSettings::angle_offset> ("angle-offset", "Degrees added to the angles: turns the slices"),
      prop<&SliceSettings::weights> ("weights",
                                     "What a projection counts: auto (each direction once, however often it was "
                                     "measured), uniform (pi / number of projections), or spacing (half the angles "
                                     "to its neighbours)",
                                     weight_nicks),
      prop<&SliceSettings::mask> ("mask", mask_blurb),
      prop<&SliceSettings::roi_x> ("roi-x", "First column of the slice to compute", roi_range),
      prop<&SliceSettings::roi_y> ("roi-y", "First row of the slice to compute", roi_range),
      prop<&SliceSettings::roi_width> ("roi-width", "Columns of the slice to compute; 0: up to the last", roi_range),
      prop<&SliceSettings::roi_height> ("roi-height", "Rows of the slice to compute; 0: up to the last", roi_range),
  };
};

} // namespace sino::slice
