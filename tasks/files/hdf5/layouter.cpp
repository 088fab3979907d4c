// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/layouter.hpp"
#include "base/shown.hpp"
#include "tasks/files/hdf5/checksums.hpp"
#include "tasks/files/hdf5/filters.hpp"
#include "tasks/files/hdf5/made.hpp"
#include "tasks/files/hdf5/nxtomoproc.hpp"

namespace sino::files {

using namespace formats;

static WrittenFile made_file (const Descriptor &out, const std::string &failed)
{
  const hdf5::Handle creation (H5Pcreate (H5P_FILE_CREATE), H5Pclose, failed);
  return {WrittenFile::How::anew, out, failed, creation};
}

Layouter::Layouter (const Descriptor &out, const std::string &path)
    : failed ("cannot write " + in_quotes (path)), file (made_file (out, failed)),
      group (H5Gcreate2 (file, "exchange", H5P_DEFAULT, untimed (H5P_GROUP_CREATE, failed), H5P_DEFAULT), H5Gclose,
             failed)
{
}

void Layouter::close ()
{
  group = {};
  file.close ();
}

hdf5::Handle Layouter::dataset (const char *name, hid_t type, const Extent &extent, const Chunks &chunks) const
{
  using namespace hdf5;
  const WithoutPlugins scope;
  const Handle space (H5Screate_simple (static_cast<int> (extent.size ()), extent.data (), nullptr), H5Sclose, failed),
      creation = untimed (H5P_DATASET_CREATE, failed);
  if (chunks.extent.empty ()) {
    check (H5Pset_layout (creation, H5D_CONTIGUOUS), failed);
    check (H5Pset_alloc_time (creation, H5D_ALLOC_TIME_EARLY), failed);
  } else {
    check (H5Pset_chunk (creation, static_cast<int> (chunks.extent.size ()), chunks.extent.data ()), failed);
    add_filters (creation, chunks.packed, type, failed);
  }
  check (H5Pset_fill_time (creation, H5D_FILL_TIME_NEVER), failed);
  Handle made (H5Dcreate2 (group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose, failed);
  if (!chunks.extent.empty ())
    check_filters (made, chunks.packed, H5Tget_size (type), failed);
  return made;
}

int64_t Layouter::pixels (const char *name, Element element, const Extent &extent, const std::string &provenance,
                          const Chunks &chunks)
{
  const auto made = dataset (name, hdf5::memory_type (sample_of (element)), extent, chunks);
  if (!provenance.empty ())
    attribute (made, "provenance", provenance);
  return chunks.extent.empty () ? static_cast<int64_t> (H5Dget_offset (made)) : -1;
}

void Layouter::numbers (const char *name, const std::vector<double> &values, const char *units)
{
  attribute (numbers (name, values, {values.size ()}), "units", units);
}

void Layouter::checksums (Checksums::Of of, int64_t n) const
{
  const auto made = dataset (sums_dataset, H5T_NATIVE_UINT32, {static_cast<hsize_t> (n)});
  attribute (made, "algorithm", sums_algorithm);
  attribute (made, "of", name_of (of));
}

void Layouter::views (const std::vector<View> &list, const Panel &panel)
{
  const auto made = numbers ("geometry", numbers_of (list, panel), {list.size (), 12});
  attribute (made, "convention", name_of (list[0].parallel ? Twelve::parallel3d_vec : Twelve::cone_vec));
}

void Layouter::pixel_size (double value)
{
  using namespace hdf5;
  const Handle data (H5Dopen2 (group, "data", H5P_DEFAULT), H5Dclose, failed),
      space (H5Screate (H5S_SCALAR), H5Sclose, failed),
      made (H5Acreate2 (data, "pixel_size", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, failed);
  check (H5Awrite (made, H5T_NATIVE_DOUBLE, &value), failed);
}

void Layouter::beam (const Geometry &geometry) const
{
  using namespace hdf5;
  const Handle links (H5Pcreate (H5P_LINK_CREATE), H5Pclose, failed), creation = untimed (H5P_DATASET_CREATE, failed);
  check (H5Pset_create_intermediate_group (links, 1), failed);
  const auto put = [&] (const char *path, double value, const char *units) {
    const Handle made (H5Dcreate2 (file, path, H5T_NATIVE_DOUBLE, space_of (1, failed), links, creation, H5P_DEFAULT),
                       H5Dclose, failed);
    check (H5Dwrite (made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), failed);
    attribute (made, "units", units);
  };
  if (geometry.energy)
    put ("/measurement/instrument/monochromator/energy", *geometry.energy, "keV");
  if (geometry.distance)
    put ("/measurement/instrument/detector_motor_stack/setup/z", *geometry.distance * 1e3, "mm");
}

void Layouter::nxtomoproc (const Planned &planned)
{
  add_nxtomoproc (file, planned, failed);
}

hdf5::Handle Layouter::numbers (const char *name, const std::vector<double> &values, const Extent &extent) const
{
  auto made = dataset (name, H5T_NATIVE_DOUBLE, extent);
  hdf5::check (H5Dwrite (made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data ()), failed);
  return made;
}

void Layouter::attribute (hid_t object, const char *name, const std::string &value) const
{
  set_attribute (object, name, {value.c_str ()}, failed);
}

} // namespace sino::files
