// SPDX-License-Identifier: LGPL-3.0-or-later
#include "geometry/file.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/files/input-file.hpp"
#include "geometry/rtk.hpp"
#include "geometry/tigre.hpp"
#include "geometry/vectors.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino {

// Throws unless the axis lies between source and detector. Not for matrices, which do not determine the position of the
// detector, nor for vectors, which may describe a detector at a smaller scale.
static void check_order (std::span<const View> views)
{
  for (size_t i = 0; i < views.size () && !views[i].parallel; i++) {
    const auto [all, to_axis] = distances_of (views[i]);
    if (to_axis <= 0)
      fail (SINO_ERROR_BAD_FILE,
            "projection %zu: the axis is behind the source: the detector is %.6g in front of the source, and the axis "
            "%.6g behind it",
            i, all, -to_axis);
    if (to_axis > all * (1 + 1e-9))
      fail (SINO_ERROR_BAD_FILE,
            "projection %zu: the detector is in front of the axis: the distance from the source is %.6g to the "
            "detector, and %.6g to the axis: exchange the distances, or give the distance from source to detector "
            "instead of that from axis to detector",
            i, all, to_axis);
  }
}

std::vector<View> read_geometry (const std::string &path, const Panel &panel, int64_t projections)
{
  // RTK writes less than 2048 bytes per projection.
  auto content = read_input ("geometry", path, (size_t{1} << 20) + 4096 * static_cast<size_t> (projections));
  if (content.starts_with ("\xef\xbb\xbf")) // the mark that some editors put at the start
    content.erase (0, 3);
  try {
    if (const char *bad = nullptr; !g_utf8_validate (content.data (), std::ssize (content), &bad))
      fail (SINO_ERROR_BAD_FILE, "not text in UTF-8 at byte %td", bad - content.data ());
    const auto begin = content.find_first_not_of (" \t\r\n");
    if (begin == std::string::npos)
      fail (SINO_ERROR_BAD_FILE, "it is empty");
    const bool is_rtk = content[begin] == '<', is_tigre = content[begin] == '{';
    auto views = is_rtk     ? parse_rtk (content, panel, projections)
                 : is_tigre ? parse_tigre (content, panel, projections)
                            : parse_vectors (content, panel, projections);
    if (std::ssize (views) != projections)
      fail (SINO_ERROR_BAD_FILE, "it has %zu projections and the scan has %" G_GINT64_FORMAT ": it needs one for each",
            views.size (), projections);
    check_views (views);
    if (is_rtk || is_tigre)
      check_order (views);
    return views;
  } catch (const Error &error) {
    fail (error.code == SINO_ERROR_BAD_PROPERTY ? error.code : SINO_ERROR_BAD_FILE, "geometry: '%s': %s", path.c_str (),
          error.what ());
  }
}

void check_views (std::span<const View> views)
{
  for (size_t i = 0; i < views.size (); i++) {
    step_unless_cancelled ();
    try {
      for (const auto &row : matrix_of (views[i]))
        if (!std::ranges::all_of (row, [] (double each) { return std::isfinite (each); }))
          fail (SINO_ERROR_BAD_FILE, "its numbers are too large");
      if (views[i].parallel != views[0].parallel)
        fail (SINO_ERROR_BAD_FILE,
              "this projection and the first one do not both have a parallel beam, or both a cone beam");
    } catch (const Error &error) {
      fail (SINO_ERROR_BAD_FILE, "projection %zu: %s", i, error.what ());
    }
  }
}

std::vector<double> angles_of (std::span<const View> views)
{
  constexpr double turn = 2 * std::numbers::pi;
  std::vector<double> angles;
  for (const auto &view : views) {
    auto ray = view.source;
    if (!view.parallel) {
      const auto normal = cross (view.column, view.row);
      ray = std::copysign (1.0, dot (normal, view.corner - view.source)) * normal;
    }
    const double angle = std::atan2 (ray.x, ray.y), before = angles.empty () ? angle : angles.back ();
    angles.push_back (before + std::remainder (angle - before, turn));
  }
  return angles;
}

} // namespace sino
