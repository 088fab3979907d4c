// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/stored-geometry.hpp"
#include "base/error.hpp"
#include "geometry/file.hpp"
#include "geometry/vectors.hpp"
#include "tasks/files/hdf5/nxtomo.hpp"
#include "tasks/files/numbers.hpp"
#include "tasks/files/quantity.hpp"
#include <algorithm>
#include <array>

namespace sino::files {

std::vector<double> theta (const ImageFile &file, int64_t projections, const FrameKeys *keys,
                           std::vector<std::string> &messages)
{
  const auto nexus = nxtomo_angles (file);
  std::string name = nexus.empty () ? "theta" : nexus;
  auto found = file.count (name);
  if (found == 0)
    if (auto other = file.angle_list (std::array{projections, keys ? keys->frames : projections}); !other.empty ()) {
      name = std::move (other);
      found = file.count (name);
      auto said = text ("%s: the angles are from %s, found by their unit; angles= overrides them",
                        file.title ().c_str (), file.place (name).c_str ());
      if (std::ranges::count (messages, said) == 0)
        messages.push_back (std::move (said));
    }
  if (keys && found == keys->frames) {
    const auto all = degrees (file, name, found);
    std::vector<double> list;
    for (const auto frame : keys->projections)
      list.push_back (all[static_cast<size_t> (frame)]);
    return list;
  }
  if (found != 0 && found != projections)
    fail (SINO_ERROR_BAD_FILE,
          "%s has %" G_GINT64_FORMAT " projections and %" G_GINT64_FORMAT
          " angles in %s: set angles= to give the right ones%s",
          file.title ().c_str (), projections, found, file.place (name).c_str (),
          found == file.stack->lines && projections == file.stack->pages
              ? ", or axes=sinograms, because its images have as many rows"
          : found == file.stack->pages ? ", or leave axes=sinograms out, because there are as many images"
                                       : "");
  return degrees (file, name, projections);
}

// Reads the dataset "geometry" that `write` makes: 12 numbers for each projection; an attribute gives their convention.
static std::vector<View> stored_views (const ImageFile &file, int64_t projections, const Panel &panel)
{
  const auto found = file.count ("geometry");
  if (found == 0)
    return {};
  if (found != 12 * projections)
    fail (SINO_ERROR_BAD_FILE,
          "%s has %" G_GINT64_FORMAT " values for %" G_GINT64_FORMAT " projections: it needs 12 for each",
          file.title ("geometry").c_str (), found, projections);
  const auto values = numbers (file, "geometry", found);
  try {
    auto views = views_of (twelve_named (file.text_attribute ("geometry", "convention")), values, panel);
    check_views (views);
    return views;
  } catch (const Error &error) {
    fail (SINO_ERROR_BAD_FILE, "%s: %s", file.title ("geometry").c_str (), error.what ());
  }
}

Geometry stored_geometry (const ImageFile &file, int64_t projections, const FrameKeys *keys, int64_t rows,
                          int64_t columns, Replaced replaced, std::vector<std::string> &messages)
{
  if (is_nxtomo (file)) {
    const bool angles = !replaced.angles && !replaced.views;
    return nxtomo_geometry (file, angles ? theta (file, projections, keys, messages) : std::vector<double> (), rows,
                            columns, messages);
  }
  Geometry geometry;
  const auto found = replaced.axis ? 0 : file.count ("rotation_axis");
  if (found > 1 && found != projections)
    fail (SINO_ERROR_BAD_FILE,
          "%s has %" G_GINT64_FORMAT " values for %" G_GINT64_FORMAT
          " projections: it needs one, or one for each: set axis=",
          file.title ("rotation_axis").c_str (), found, projections);
  geometry.axis = numbers (file, "rotation_axis", found);
  geometry.pixel_size = file.number_attribute ("", "pixel_size");
  if (geometry.pixel_size && !(*geometry.pixel_size >= 1e-30 && *geometry.pixel_size <= 1e30))
    fail (SINO_ERROR_BAD_FILE, "the attribute 'pixel_size' of %s is %g: it must be from 1e-30 to 1e30",
          file.title ().c_str (), *geometry.pixel_size);
  geometry.in_mm = geometry.pixel_size && (file.stated () || file.text_attribute ("", "pixel_size_units") == "mm");
  // Paths of Data Exchange, also used by `write`.
  find_beam (file, {{"/measurement/instrument/monochromator/energy", "keV"}},
             {{"/measurement/instrument/detector_motor_stack/setup/z", "mm"}}, geometry, messages);
  if (const auto *stated = file.stated ())
    geometry.rows_apart = stated->aspect;
  if (!replaced.views)
    geometry.views = stored_views (file, projections, {columns, rows});
  return geometry;
}

} // namespace sino::files
