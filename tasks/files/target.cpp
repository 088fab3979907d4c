// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/target.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino::files {

Target::~Target () = default;

Kept kept_as (const std::string &path, const Pattern &pattern)
{
  const auto dot = path.rfind ('.');
  auto ending = dot == path.npos || path.find ('/', dot) != path.npos ? "" : path.substr (dot);
  std::transform (ending.begin (), ending.end (), ending.begin (), g_ascii_tolower);
  if (ending == ".tif" || ending == ".tiff")
    return pattern.numbered () ? Kept::sequence : Kept::pages;
  if (ending != ".h5" && ending != ".hdf5" && ending != ".nxs")
    fail (SINO_ERROR_BAD_PROPERTY,
          "path=%s does not say what to write: name .tif, .tiff, .h5, .hdf5 or .nxs, for example slices/%%05i.tif",
          path.c_str ());
  if (pattern.numbered ())
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s: an HDF5 file holds all of the stream, leave the number out",
          path.c_str ());
  return Kept::hdf5;
}

std::vector<std::string> output_paths (const Planned &planned)
{
  const auto &first = planned.format.axes[0];
  std::vector<std::string> paths;
  for (int64_t i = 0; i < (planned.pattern.numbered () ? first.extent : 1); i++)
    paths.push_back (planned.pattern.name (first.number (i)));
  return paths;
}

} // namespace sino::files
