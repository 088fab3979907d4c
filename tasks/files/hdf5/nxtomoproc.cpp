// SPDX-License-Identifier: LGPL-3.0-or-later
// Follows NeXus' application definition NXtomoproc (manual.nexusformat.org/classes/applications/NXtomoproc.html). No
// date is written, so that the same graph gives the same file.
#include "tasks/files/hdf5/nxtomoproc.hpp"
#include "api/sino-version.h"
#include "formats/formats.hpp"
#include "tasks/files/sizes.hpp"

namespace sino::files {

using namespace formats;

bool is_nxtomoproc (const Planned &planned)
{
  return planned.format.kind () == Kind::slices && has_suffix (planned.pattern.name (0), {".nxs"});
}

void add_nxtomoproc (const NewObjects &objects, const Planned &planned)
{
  const auto group = [&objects] (const char *path, const char *nx_class) {
    auto made = objects.group (path);
    objects.attribute (made, "NX_class", {nx_class});
    return made;
  };
  objects.attribute (group ("/entry", "NXentry"), "default", {"data"});
  objects.text ("/entry/definition", "NXtomoproc");
  group ("/entry/reconstruction", "NXprocess");
  objects.text ("/entry/reconstruction/program", "sinograph");
  objects.text ("/entry/reconstruction/version", SINO_VERSION);
  group ("/entry/reconstruction/parameters", "NXparameters");
  objects.text ("/entry/reconstruction/parameters/provenance", planned.provenance);

  const auto data = group ("/entry/data", "NXdata");
  objects.attribute (data, "signal", {"data"});
  objects.attribute (data, "axes", {"z", "y", "x"});
  hdf5::check (
      H5Lcreate_hard (objects.file, "/exchange/data", objects.file, "/entry/data/data", H5P_DEFAULT, H5P_DEFAULT),
      objects.failed);
  const auto spacing = spacing_of (planned.format);
  constexpr const char *names[] = {"/entry/data/z", "/entry/data/y", "/entry/data/x"};
  for (size_t i = 0; i < 3; i++) {
    std::vector<double> positions; // positions of pixels along the axis, relative to the first one
    for (int64_t at = 0; at < planned.format.axes[i].extent; at++)
      positions.push_back (static_cast<double> (at) * (spacing[i] > 0 ? spacing[i] : 1));
    objects.numbers (names[i], positions, spacing[i] > 0 ? names_of (planned.unit).symbol : nullptr);
  }
}

} // namespace sino::files
