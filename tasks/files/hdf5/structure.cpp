// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/structure.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/shown.hpp"
#include "geometry/vectors.hpp"
#include "tasks/files/hdf5/checksums.hpp"
#include "tasks/files/hdf5/filters.hpp"
#include "tasks/files/hdf5/nxtomoproc.hpp"
#include "tasks/files/hdf5/written.hpp"
#include "tasks/files/journal/kept-checksums.hpp"
#include "tasks/files/numbers.hpp"
#include "tasks/files/sizes.hpp"
#include "tasks/files/stated.hpp"
#include <algorithm>
#include <limits>

namespace sino::files {

using namespace formats;

namespace {

using Extent = std::vector<hsize_t>;

// Storage of pixels: contiguous unless one of these is set.
struct Storage {
  Extent chunk = {}; // compressed chunks
  Compression packed = Compression::none;
  const Planned *spread = nullptr; // images in other files
};

constexpr char all_pixels[] = "/exchange/data";

// Extents of the stream.
Extent extent_of (const Planned &planned)
{
  Extent extent;
  for (const auto &dim : planned.format.axes)
    extent.push_back (static_cast<hsize_t> (dim.extent));
  return extent;
}

// Extents of the images that a file has.
Extent extent_of_part (const Planned &planned, int number)
{
  auto extent = extent_of (planned);
  extent[0] = static_cast<hsize_t> (planned.pages_of_part (number));
  return extent;
}

// The name as HDF5 has to find it in a virtual dataset, where %b is a number and %% is %.
std::string source_name (const std::string &name)
{
  std::string result;
  for (const char c : name)
    result += c == '%' ? "%%" : std::string (1, c);
  return result;
}

// Makes a dataset virtual: its images are in turn those of the other files, which lie beside it.
void map_images (hid_t creation, const Planned &planned, const std::string &failed)
{
  using namespace hdf5;
  const auto all = extent_of (planned);
  for (int i = 0; i < planned.files; i++) {
    const auto some = extent_of_part (planned, i);
    const Handle into (H5Screate_simple (3, all.data (), nullptr), H5Sclose, failed),
        from (H5Screate_simple (3, some.data (), nullptr), H5Sclose, failed);
    const hsize_t start[] = {static_cast<hsize_t> (i), 0, 0}, stride[] = {static_cast<hsize_t> (planned.files), 1, 1};
    check (H5Sselect_hyperslab (into, H5S_SELECT_SET, start, stride, some.data (), nullptr), failed);
    const auto name = source_name (file_name (planned.part_name (i)));
    check (H5Pset_virtual (creation, into, name.c_str (), all_pixels, from), failed);
  }
  // HDF5 gives this value without a word where a file is missing: nobody takes it for a result.
  const auto nothing = std::numeric_limits<float>::quiet_NaN ();
  if (planned.element == Element::f32 || planned.element == Element::f16)
    check (H5Pset_fill_value (creation, H5T_NATIVE_FLOAT, &nothing), failed);
}

// The angles at which frames were taken, from their positions between the projections; empty if unknown. For other
// readers: all frames before the first projection get its angle, and likewise after the last one.
std::vector<double> taken_at (const Frames &frames, const std::vector<double> &theta)
{
  const auto last = static_cast<double> (theta.size ()) - 1;
  std::vector<double> list;
  for (const auto position : frames.positions) {
    const auto at = std::clamp (position, 0.0, last);
    const auto i = std::min (static_cast<size_t> (at), theta.size () - 1);
    const auto next = std::min (i + 1, theta.size () - 1);
    list.push_back (theta[i] + (at - static_cast<double> (i)) * (theta[next] - theta[i]));
  }
  return list;
}

std::vector<double> trials_of_pages (const Format &slices)
{
  std::vector<double> values;
  for (int64_t i = 0; i < slices.axes[0].extent; i++)
    values.push_back (slice_trials (slices).values[static_cast<size_t> (slices.axes[0].number (i))]);
  return values;
}

WrittenFile made_file (const Descriptor &out, const std::string &failed)
{
  const hdf5::Handle creation (H5Pcreate (H5P_FILE_CREATE), H5Pclose, failed);
  return {WrittenFile::How::anew, out, failed, creation};
}

// Holds HDF5's lock as long as it exists.
class Layouter
{
public:
  Layouter (const Descriptor &out, const std::string &path)
      : failed ("cannot write " + in_quotes (path)), file (made_file (out, failed)), group (objects.group ("exchange"))
  {
  }

  Offsets put_all (const Planned &planned, const std::vector<hsize_t> &chunk)
  {
    const auto &format = planned.format;
    Offsets at{.pixels = pixels ("data", planned.element, extent_of (planned), planned.provenance,
                                 {chunk, planned.compression, planned.spread () ? &planned : nullptr})};
    state (planned);
    if (is_nxtomoproc (planned))
      add_nxtomoproc (objects, planned);
    if (!format.geometry)
      return at;
    beam (*format.geometry);
    if (format.geometry->pixel_size)
      attribute ("pixel_size", {*format.geometry->pixel_size});
    auto theta = format.geometry->angles;
    std::transform (theta.begin (), theta.end (), theta.begin (), to_degrees);
    if (!slice_trials (format).empty ()) {
      const bool axes = !format.strengths;
      numbers (axes ? "rotation_axis" : "strength", trials_of_pages (format), axes ? "columns" : "");
    }
    if (!format.has (Axis::angle))
      return at;
    if (!theta.empty ())
      numbers ("theta", theta, "degrees");
    if (!format.geometry->axis.empty ())
      numbers ("rotation_axis", format.geometry->axis, "columns");
    if (!format.geometry->views.empty ())
      views (format.geometry->views, {format.extent (Axis::column), format.extent (Axis::row)});
    if (!keeps_companions (planned))
      return at;
    const auto frames = [&] (const std::string &kind, const std::shared_ptr<const Frames> &f) {
      if (!f)
        return int64_t{0};
      const auto place = pixels (
          ("data_" + kind).c_str (), f->element,
          {static_cast<hsize_t> (f->count), static_cast<hsize_t> (f->rows), static_cast<hsize_t> (f->columns)}, {});
      if (!f->positions.empty ())
        numbers (("position_" + kind).c_str (), f->positions, "projections");
      if (!f->positions.empty () && !theta.empty ())
        numbers (("theta_" + kind).c_str (), taken_at (*f, theta), "degrees");
      return place;
    };
    at.darks = frames ("dark", format.companions.darks);
    at.flats = frames ("white", format.companions.flats);
    return at;
  }

  // The images of one of the files that share them, and where they belong.
  int64_t put_part (const Planned &planned, int number)
  {
    const auto place = pixels ("data", planned.element, extent_of_part (planned, number), {});
    objects.attribute (data (), part_of, {file_name (planned.name (0)).c_str ()});
    attribute ("first_image", {static_cast<double> (number)});
    attribute ("image_step", {static_cast<double> (planned.files)});
    return place;
  }

  // Reserves space for checksums, which are written after all pixels.
  void checksums (Checksums::Of of, int64_t n) const
  {
    const auto made = dataset (sums_dataset, H5T_NATIVE_UINT32, {static_cast<hsize_t> (n)});
    objects.attribute (made, "algorithm", {sums_algorithm});
    objects.attribute (made, "of", {name_of (of)});
  }

  // Throws the first write error so far.
  void check_written () const { file.check (); }

  void close ()
  {
    group = {};
    file.close ();
  }

private:
  std::unique_lock<std::recursive_mutex> guard = hdf5::lock ();
  std::string failed;
  WrittenFile file;
  const NewObjects objects{file, failed};
  hdf5::Handle group;

  hdf5::Handle dataset (const char *name, hid_t type, const Extent &extent, const Storage &storage = {}) const
  {
    using namespace hdf5;
    const WithoutPlugins scope;
    const Handle space (H5Screate_simple (static_cast<int> (extent.size ()), extent.data (), nullptr), H5Sclose,
                        failed),
        creation = untimed (H5P_DATASET_CREATE, failed);
    if (storage.spread)
      map_images (creation, *storage.spread, failed);
    else if (storage.chunk.empty ()) {
      check (H5Pset_layout (creation, H5D_CONTIGUOUS), failed);
      check (H5Pset_alloc_time (creation, H5D_ALLOC_TIME_EARLY), failed);
    } else {
      check (H5Pset_chunk (creation, static_cast<int> (storage.chunk.size ()), storage.chunk.data ()), failed);
      add_filters (creation, storage.packed, type, failed);
    }
    if (!storage.spread)
      check (H5Pset_fill_time (creation, H5D_FILL_TIME_NEVER), failed);
    Handle made (H5Dcreate2 (group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose, failed);
    if (!storage.chunk.empty ())
      check_filters (made, storage.packed, H5Tget_size (type), failed);
    return made;
  }

  // Returns the offset of the pixels, or -1 if they have none.
  int64_t pixels (const char *name, Element element, const Extent &extent, const std::string &provenance,
                  const Storage &storage = {})
  {
    const auto made = dataset (name, hdf5::memory_type (sample_of (element)), extent, storage);
    if (!provenance.empty ())
      objects.attribute (made, "provenance", {provenance.c_str ()});
    return storage.chunk.empty () && !storage.spread ? static_cast<int64_t> (H5Dget_offset (made)) : -1;
  }

  void numbers (const char *name, const std::vector<double> &values, const char *units)
  {
    objects.attribute (numbers (name, values, {values.size ()}), "units", {units});
  }

  hdf5::Handle numbers (const char *name, const std::vector<double> &values, const Extent &extent) const
  {
    auto made = dataset (name, H5T_NATIVE_DOUBLE, extent);
    hdf5::check (H5Dwrite (made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data ()), failed);
    return made;
  }

  // Writes each view as 12 numbers, as in ASTRA.
  void views (const std::vector<View> &list, const Panel &panel)
  {
    const auto made = numbers ("geometry", numbers_of (list, panel), {list.size (), 12});
    objects.attribute (made, "convention", {name_of (list[0].parallel ? Twelve::parallel3d_vec : Twelve::cone_vec)});
  }

  hdf5::Handle data () const { return {H5Dopen2 (group, "data", H5P_DEFAULT), H5Dclose, failed}; }
  void attribute (const char *name, const std::vector<double> &values) const
  {
    objects.number_attribute (data (), name, values);
  }

  // Writes what the values stand for, and the sizes of voxels: as CF, NXtomoproc, and readers of HDF5 for Fiji want it.
  void state (const Planned &planned) const
  {
    const auto stated = stated_values (planned);
    if (stated.scale) {
      attribute ("scale_factor", {stated.scale->slope});
      attribute ("add_offset", {stated.scale->offset});
    }
    if (stated.scale && is_nxtomoproc (planned)) {
      attribute ("scaling", {stated.scale->slope});
      attribute ("offset", {stated.scale->offset});
    }
    if (!stated.unit.empty ())
      objects.attribute (data (), "units", {stated.unit.c_str ()});
    const auto spacing = spacing_of (planned.format);
    if (planned.format.kind () != Kind::slices || spacing[2] == 0)
      return;
    const auto mm = names_of (planned.unit).mm;
    attribute ("voxel_size", {spacing[2] * mm});
    if (spacing[0] > 0)
      attribute ("slice_distance", {spacing[0] * mm});
    if (spacing[0] > 0)
      attribute ("element_size_um", {spacing[0] * mm * 1e3, spacing[1] * mm * 1e3, spacing[2] * mm * 1e3});
  }

  // Writes the beam's energy in keV and the distance between sample and detector in m, if known.
  void beam (const Geometry &geometry) const
  {
    if (geometry.energy)
      objects.numbers ("/measurement/instrument/monochromator/energy", {*geometry.energy}, "keV");
    if (geometry.distance)
      objects.numbers ("/measurement/instrument/detector_motor_stack/setup/z", {*geometry.distance * 1e3}, "mm");
  }
};

} // namespace

bool keeps_companions (const Planned &planned)
{
  return planned.format.has (Axis::angle) && planned.format.changed_by.empty () && !planned.mapped;
}

template <class Work> static auto laid_out (const Descriptor &out, const std::string &path, const Work &work)
{
  Layouter layouter (out, path);
  try {
    const auto at = work (layouter);
    layouter.close ();
    return at;
  } catch (const Error &) {
    layouter.check_written (); // this error has more information than that of the library
    throw;
  }
}

int64_t lay_out_part (const Descriptor &out, const std::string &path, const Planned &planned, int number)
{
  return laid_out (out, path, [&] (Layouter &layouter) { return layouter.put_part (planned, number); });
}

Offsets lay_out (const Descriptor &out, const std::string &path, const Planned &planned,
                 const std::vector<hsize_t> &chunk)
{
  return laid_out (out, path, [&] (Layouter &layouter) {
    const auto at = layouter.put_all (planned, chunk);
    const auto of = summed (planned, chunk.empty ());
    layouter.checksums (of, of == Checksums::Of::images ? planned.pages () : planned.lines ());
    return at;
  });
}

} // namespace sino::files
