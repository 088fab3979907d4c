// SPDX-License-Identifier: LGPL-3.0-or-later
// What the file of a scanner states about its scan, in the terms of the properties of `read`. Each property that a user
// sets replaces one of these numbers. Lengths in mm, angles in degrees; conventions in docs/guide/geometry.md.
#pragma once
#include "formats/image-file.hpp"
#include "stream/values.hpp"

namespace sino::formats {

struct StatedScan {
  std::vector<double> angles;                    // one for each image; empty: not stated
  double source_origin = 0, origin_detector = 0; // 0: a parallel beam
  std::optional<double> pixel_size;              // distance of columns on the detector
  double aspect = 1;                             // distance of rows divided by that of columns
  std::optional<double> column, row;             // where the middle ray meets the detector
  double yaw = 0, pitch = 0, roll = 0;           // the detector's
  double axis_tilt = 0;
  // Displacement of each image: what belongs to column u is seen at u plus the shift; rows alike. Empty: none.
  std::vector<double> column_shifts, row_shifts;
  Meaning values = Meaning::open;
  // The transmission of a value v is zero + factor v. Factor 0: unknown.
  double factor = 0, zero = 0;
  // Errors; empty: none. `refused`: why the images are no projections. `lacks`: what a cone beam lacks of the distances
  // and the pixel size; properties may give it.
  std::string refused, lacks;

  // Whether angles and an axis do not describe the scan.
  bool has_views () const
  {
    return source_origin > 0 || yaw != 0 || pitch != 0 || roll != 0 || axis_tilt != 0 || !column_shifts.empty () ||
           !row_shifts.empty ();
  }
};

// Images with such statements.
class StatedImages : public ImageFile
{
public:
  StatedImages (std::string path_, std::shared_ptr<const Stack> stack_, StatedScan stated_)
      : ImageFile (std::move (path_), std::move (stack_)), scan (std::move (stated_))
  {
  }

  const StatedScan *stated () const override { return &scan; }
  int64_t count (const std::string &name) const override
  {
    return name == "theta" ? std::ssize (scan.angles) : name == "rotation_axis" && scan.column ? 1 : 0;
  }
  std::vector<double> numbers (const std::string &name, int64_t wanted) const override
  {
    if (wanted != count (name))
      return {};
    return name == "theta" ? scan.angles : std::vector{*scan.column};
  }
  std::optional<double> number_attribute (const std::string &name, const char *attribute) const override
  {
    return name.empty () && std::string_view (attribute) == "pixel_size" ? scan.pixel_size : std::nullopt;
  }

private:
  const StatedScan scan;
};

} // namespace sino::formats
