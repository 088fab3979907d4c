// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/stored-values.hpp"
#include "base/error.hpp"
#include "tasks/files/units.hpp"
#include <cmath>

namespace sino::files {

namespace {

std::optional<Scale> stored_scale (const ImageFile &file, bool applies)
{
  const auto slope = file.number_attribute ("", "scale_factor"), offset = file.number_attribute ("", "add_offset");
  if (!slope && !offset)
    return {};
  const Scale scale{slope.value_or (1), offset.value_or (0)};
  const bool valid = std::isfinite (scale.slope) && scale.slope != 0 && std::isfinite (scale.offset);
  if (!valid && applies)
    fail (SINO_ERROR_BAD_FILE,
          "%s gives the scale %g and the offset %g for its grey values: set scale=keep to ignore them",
          file.title ().c_str (), scale.slope, scale.offset);
  return !valid || scale == Scale () ? std::nullopt : std::optional (scale);
}

std::optional<double> length (const ImageFile &file, const char *name)
{
  const auto found = file.number_attribute ("", name);
  return found && *found >= 1e-30 && *found <= 1e30 ? found : std::nullopt;
}

} // namespace

Geometry StoredValues::geometry (int64_t column_step, int64_t row_step) const
{
  Geometry geometry;
  const auto columns = static_cast<double> (column_step), rows = static_cast<double> (row_step);
  if (voxel_size)
    geometry.pixel_size = *voxel_size * columns;
  geometry.in_mm = in_mm;
  geometry.rows_apart = rows / columns * (voxel_size && slice_distance ? *slice_distance / *voxel_size : 1);
  return geometry;
}

StoredValues stored_values (const ImageFile &file, bool applies, std::vector<std::string> &messages)
{
  StoredValues found;
  found.scale = stored_scale (file, applies);
  found.voxel_size = length (file, "voxel_size");
  found.slice_distance = length (file, "slice_distance");
  found.in_mm = found.voxel_size.has_value ();
  if (!found.voxel_size)
    found.voxel_size = length (file, "pixel_size");
  const auto unit = file.text_attribute ("", "units");
  if (unit == "1/pixel")
    found.per_length = !found.voxel_size;
  const auto mm = unit.starts_with ("1/") ? millimetres (unit.substr (2)) : std::nullopt;
  if (!mm)
    return found;
  found.per_length = *mm == 1 || found.scale;
  if (found.scale)
    found.scale = Scale{found.scale->slope / *mm, found.scale->offset / *mm};
  else if (!found.per_length)
    messages.push_back (text ("%s: its values are in %s, and lengths are in mm: values are not converted",
                              file.title ().c_str (), unit.c_str ()));
  return found;
}

} // namespace sino::files
