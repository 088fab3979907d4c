// SPDX-License-Identifier: LGPL-3.0-or-later
// What nodes that reconstruct slices of a parallel beam have in common: what they take and give, and properties.
#pragma once
#include "back-project/back-project.hpp"
#include "back-project/rays.hpp"
#include "glue/property.hpp"
#include "stream/format.hpp"
#include <span>

namespace sino::back_project {

// Throws unless it is sinograms with an angle for each projection. `halves`: f16 values are fine.
void check_sinograms (const Format &in, bool halves);

// Throws when rows have a ramp already that would be applied once more.
void check_not_filtered (const Format &in);

// The part of a slice of size x size pixels that the properties roi-... ask for; a width or height of 0 goes to the
// end.
Roi region (int64_t size, int x, int y, int width, int height);

// Throws when no pixel of the region is seen by the detector in any projection, so that nothing but zeros would come
// out. Gives back what people should know of an axis that is not on the detector.
std::vector<std::string> check_axis (std::span<const Ray> rays, int64_t columns, const Roi &roi);

// Slices of sinograms.
Format slices_of (const Format &in, const Roi &roi, const char *node);

inline constexpr Nick<Weights> weight_nicks[] = {{Weights::uniform, "uniform"}, {Weights::spacing, "spacing"}};
inline constexpr const char *axis_blurb = "Rotation axis in detector columns: auto (of the scan, else the middle), a "
                                          "number, or a text file with one number per projection",
                            *angle_offset_blurb = "Degrees added to the angles: turns the slices",
                            *weights_blurb =
                                "What a projection counts: uniform (pi / number of projections), or spacing "
                                "(half the angles to its neighbours, for uneven angles)",
                            *mask_blurb = "Set pixels outside the inscribed circle to 0",
                            *roi_x_blurb = "First column of the slice to compute",
                            *roi_y_blurb = "First row of the slice to compute",
                            *roi_width_blurb = "Columns of the slice to compute; 0: up to the last",
                            *roi_height_blurb = "Rows of the slice to compute; 0: up to the last";
inline constexpr Range roi_range{0, 1e6};

} // namespace sino::back_project
