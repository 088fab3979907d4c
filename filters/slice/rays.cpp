// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/slice/rays.hpp"
#include "base/error.hpp"
#include "base/files/input-file.hpp"
#include "base/files/number-file.hpp"
#include "filters/slice/axis-range.hpp"
#include <array>
#include <cmath>

namespace sino::slice {

static std::vector<double> read_axis (const std::string &path, size_t projections)
{
  if (FileStamp found; !find_stamp (path, found))
    fail (SINO_ERROR_BAD_PROPERTY,
          "axis=%s is neither 'auto' nor a number, nor a file that can be read: give the column of the rotation axis, "
          "or a text file with one number per projection",
          path.c_str ());
  auto axis = read_numbers ("axis", "a column of the rotation axis", path,
                            std::array{static_cast<int64_t> (projections)}, G_MAXDOUBLE);
  if (axis.size () != projections)
    fail (SINO_ERROR_BAD_FILE, "axis=%s has %zu numbers for %zu projections", path.c_str (), axis.size (), projections);
  return axis;
}

std::vector<double> axis_from (const std::string &property, const Geometry &geometry, int64_t columns)
{
  const auto projections = geometry.angles.size ();
  double value = 0;
  if (property == "auto") {
    const auto &known = geometry.axis;
    if (known.size () > 1 && known.size () != projections)
      fail (SINO_ERROR_BAD_FORMAT, "the scan has %zu axis positions for %zu projections: give axis=", known.size (),
            projections);
    if (known.size () > 1)
      return known;
    return std::vector<double> (projections, known.empty () ? 0.5 * static_cast<double> (columns) : known[0]);
  }
  if (is_axis_range (property))
    fail (SINO_ERROR_BAD_PROPERTY,
          "axis=%s is a range: 'reconstruct' and 'try-axes' make a slice for each axis of a range, but this node takes "
          "one axis",
          property.c_str ());
  if (!parse_number (property, value))
    return read_axis (property, projections);
  if (!std::isfinite (value))
    fail (SINO_ERROR_BAD_PROPERTY, "axis=%s must be finite", property.c_str ());
  return std::vector<double> (projections, value);
}

} // namespace sino::slice
