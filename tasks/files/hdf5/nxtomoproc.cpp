// SPDX-License-Identifier: LGPL-3.0-or-later
// Follows NeXus' application definition NXtomoproc (manual.nexusformat.org/classes/applications/NXtomoproc.html). No
// date is written, so that the same graph gives the same file.
#include "tasks/files/hdf5/nxtomoproc.hpp"
#include "api/sino-version.h"
#include "formats/formats.hpp"
#include "tasks/files/hdf5/made.hpp"
#include "tasks/files/sizes.hpp"

namespace sino::files {

using namespace formats;
using hdf5::Handle;

namespace {

// Writes groups, texts and numbers in an open file.
class Nexus
{
public:
  Nexus (hid_t f, const std::string &what) : file (f), failed (what) {}

  Handle group (const char *path, const char *nx_class) const
  {
    Handle made (H5Gcreate2 (file, path, H5P_DEFAULT, untimed (H5P_GROUP_CREATE, failed), H5P_DEFAULT), H5Gclose,
                 failed);
    attribute (made, "NX_class", {nx_class});
    return made;
  }

  void attribute (hid_t object, const char *name, const std::vector<const char *> &words) const
  {
    set_attribute (object, name, words, failed);
  }

  void text (const char *path, const std::string &value) const
  {
    const auto type = text_type (failed);
    const char *words = value.c_str ();
    write (dataset (path, type, 1), type, &words);
  }

  // Writes the positions of pixels along an axis, relative to the first one.
  void positions (const char *path, int64_t n, double step, const char *unit) const
  {
    std::vector<double> values;
    for (int64_t i = 0; i < n; i++)
      values.push_back (static_cast<double> (i) * (step > 0 ? step : 1));
    const auto made = dataset (path, H5T_NATIVE_DOUBLE, values.size ());
    write (made, H5T_NATIVE_DOUBLE, values.data ());
    if (step > 0)
      attribute (made, "units", {unit});
  }

private:
  hid_t file;
  const std::string &failed;

  Handle dataset (const char *path, hid_t type, size_t values) const
  {
    return {H5Dcreate2 (file, path, type, space_of (values, failed), H5P_DEFAULT, untimed (H5P_DATASET_CREATE, failed),
                        H5P_DEFAULT),
            H5Dclose, failed};
  }

  void write (hid_t made, hid_t type, const void *values) const
  {
    hdf5::check (H5Dwrite (made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), failed);
  }
};

} // namespace

bool is_nxtomoproc (const Planned &planned)
{
  return planned.format.kind () == Kind::slices && has_suffix (planned.pattern.name (0), {".nxs"});
}

void add_nxtomoproc (hid_t file, const Planned &planned, const std::string &failed)
{
  const Nexus nexus (file, failed);
  nexus.attribute (nexus.group ("/entry", "NXentry"), "default", {"data"});
  nexus.text ("/entry/definition", "NXtomoproc");
  nexus.group ("/entry/reconstruction", "NXprocess");
  nexus.text ("/entry/reconstruction/program", "sinograph");
  nexus.text ("/entry/reconstruction/version", SINO_VERSION);
  nexus.group ("/entry/reconstruction/parameters", "NXparameters");
  nexus.text ("/entry/reconstruction/parameters/provenance", planned.provenance);

  const auto data = nexus.group ("/entry/data", "NXdata");
  nexus.attribute (data, "signal", {"data"});
  nexus.attribute (data, "axes", {"z", "y", "x"});
  hdf5::check (H5Lcreate_hard (file, "/exchange/data", file, "/entry/data/data", H5P_DEFAULT, H5P_DEFAULT), failed);
  const auto spacing = spacing_of (planned.format);
  constexpr const char *names[] = {"/entry/data/z", "/entry/data/y", "/entry/data/x"};
  for (size_t i = 0; i < 3; i++)
    nexus.positions (names[i], planned.format.axes[i].extent, spacing[i], names_of (planned.unit).symbol);
}

} // namespace sino::files
