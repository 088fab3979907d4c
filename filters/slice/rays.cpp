// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/slice/rays.hpp"
#include "base/error.hpp"
#include "base/files/input-file.hpp"
#include "base/files/number-file.hpp"
#include "filters/slice/axis-range.hpp"
#include "stream/coverage.hpp"
#include <array>
#include <cmath>
#include <numbers>

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

static std::vector<double> shares_of (const std::vector<double> &angles, Weights weights)
{
  if (weights == Weights::automatic)
    return Directions (angles, std::numbers::pi).shares ();
  if (weights == Weights::spacing)
    return Directions (angles, std::numbers::pi).spacing ();
  return std::vector<double> (angles.size (), std::numbers::pi / static_cast<double> (angles.size ()));
}

std::vector<Ray> make_rays (const std::vector<double> &angles, const std::vector<double> &axis, double offset,
                            Weights weights)
{
  const auto n = angles.size ();
  const auto share = shares_of (angles, weights);
  std::vector<Ray> rays;
  for (size_t i = 0; i < n; i++) {
    const double angle = angles[i] + offset;
    // Column u spans [u, u + 1), so the centre of bin 0 is at 1/2.
    rays.push_back ({std::cos (angle), std::sin (angle), axis[i] - 0.5, static_cast<float> (share[i])});
  }
  return rays;
}

} // namespace sino::slice
