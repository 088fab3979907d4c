// SPDX-License-Identifier: LGPL-3.0-or-later
// Laid out by HDF5, contiguous and allocated at once; then closed, so that the file opens from now on, and filled at
// the offsets that HDF5 told.
#include "base/error.hpp"
#include "base/temporary.hpp"
#include "formats/formats.hpp"
#include "formats/plain-file.hpp"
#include "geometry/vectors.hpp"
#include "tasks/files/angles.hpp"
#include "tasks/hdf5/library.hpp"
#include <algorithm>

namespace sino::files {

using namespace formats;

namespace {

class Layouter
{
public:
  explicit Layouter (const Temporary &f) : failed ("cannot write '" + f.final_path () + "'")
  {
    using namespace hdf5;
    const Handle creation (H5Pcreate (H5P_FILE_CREATE), H5Pclose, failed);
    const Handle access = access_list ();
    check (H5Pset_file_locking (access, false, true), failed); // the file is claimed already
    file = {H5Fcreate (f.path ().c_str (), H5F_ACC_TRUNC, creation, access), H5Fclose, failed};
    const Handle folder (H5Pcreate (H5P_GROUP_CREATE), H5Pclose, failed);
    check (H5Pset_obj_track_times (folder, false), failed);
    group = {H5Gcreate2 (file, "exchange", H5P_DEFAULT, folder, H5P_DEFAULT), H5Gclose, failed};
  }

  hdf5::Handle dataset (const char *name, hid_t type, const std::vector<hsize_t> &extent) const
  {
    using namespace hdf5;
    const Handle space (H5Screate_simple (static_cast<int> (extent.size ()), extent.data (), nullptr), H5Sclose,
                        failed),
        creation (H5Pcreate (H5P_DATASET_CREATE), H5Pclose, failed);
    check (H5Pset_layout (creation, H5D_CONTIGUOUS), failed);
    check (H5Pset_alloc_time (creation, H5D_ALLOC_TIME_EARLY), failed);
    check (H5Pset_fill_time (creation, H5D_FILL_TIME_NEVER), failed);
    check (H5Pset_obj_track_times (creation, false), failed);
    return {H5Dcreate2 (group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose, failed};
  }

  int64_t pixels (const char *name, Element element, const std::vector<hsize_t> &extent, const std::string &provenance)
  {
    const auto made = dataset (name, hdf5::memory_type (sample_of (element)), extent);
    if (!provenance.empty ())
      attribute (made, "provenance", provenance);
    return static_cast<int64_t> (H5Dget_offset (made));
  }

  void numbers (const char *name, const std::vector<double> &values, const char *units)
  {
    attribute (numbers (name, values, {values.size ()}), "units", units);
  }

  // Each view as ASTRA's 12 numbers.
  void views (const std::vector<View> &list, const Panel &panel)
  {
    const auto made = numbers ("geometry", numbers_of (list, panel), {list.size (), 12});
    attribute (made, "convention", name_of (list[0].parallel ? Twelve::parallel3d_vec : Twelve::cone_vec));
  }

  void pixel_size (double value)
  {
    using namespace hdf5;
    const Handle data (H5Dopen2 (group, "data", H5P_DEFAULT), H5Dclose, failed),
        space (H5Screate (H5S_SCALAR), H5Sclose, failed),
        made (H5Acreate2 (data, "pixel_size", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, failed);
    check (H5Awrite (made, H5T_NATIVE_DOUBLE, &value), failed);
  }

private:
  std::string failed;
  hdf5::Handle file, group;

  hdf5::Handle numbers (const char *name, const std::vector<double> &values, const std::vector<hsize_t> &extent) const
  {
    auto made = dataset (name, H5T_NATIVE_DOUBLE, extent);
    hdf5::check (H5Dwrite (made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data ()), failed);
    return made;
  }

  // The text has variable length, which HDF5 keeps outside the object's header: that has room for 64 KiB only.
  void attribute (hid_t object, const char *name, const std::string &value) const
  {
    using namespace hdf5;
    const Handle type (H5Tcopy (H5T_C_S1), H5Tclose, failed), space (H5Screate (H5S_SCALAR), H5Sclose, failed);
    check (H5Tset_size (type, H5T_VARIABLE), failed);
    check (H5Tset_cset (type, H5T_CSET_UTF8), failed);
    const Handle made (H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, failed);
    const char *text = value.c_str ();
    check (H5Awrite (made, type, &text), failed);
  }
};

// The angles at which frames were taken, from their places between the projections; empty where unknown. For others to
// read: of frames before the first projection or after the last one it says no more than that.
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

// Pieces of frames that are copied.
Pieces copied (const Frames &frames)
{
  return pieces_of (frames, false, size_t{8} << 20);
}

// One HDF5 file with /exchange/data and what belongs to it.
class File final : public PlainFile
{
public:
  File (const Planned &p, const Frames::Watch &watch) : PlainFile (p)
  {
    out.expect (needed ()); // HDF5 would notice a full disk late and say little
    out.reserve ();
    lay_out ();
    out.expect (out.size ()); // HDF5 has sized it, without taking the space
    out.reserve ();
    if (keeps_companions ()) {
      copy (planned.format.companions.darks, darks, watch);
      copy (planned.format.companions.flats, flats, watch);
    }
  }

private:
  int64_t darks = 0, flats = 0; // offsets

  // Frames of raw counts mean nothing beside other values.
  bool keeps_companions () const
  {
    return planned.format.has (Axis::angle) && planned.format.changed_by.empty () && !planned.mapped;
  }

  int64_t needed () const
  {
    auto bytes = planned.pages () * planned.page_bytes () + 65536;
    if (const auto &geometry = planned.format.geometry)
      bytes += (std::ssize (geometry->angles) + std::ssize (geometry->axis) + 12 * std::ssize (geometry->views)) * 8;
    for (const auto &frames : {planned.format.companions.darks, planned.format.companions.flats})
      if (frames && keeps_companions ())
        bytes += frames->count * frames->rows * frames->columns * static_cast<int64_t> (size_of (frames->element));
    return bytes;
  }

  static std::vector<double> axes_of_pages (const Format &slices)
  {
    std::vector<double> axes;
    for (int64_t i = 0; i < slices.axes[0].extent; i++)
      axes.push_back (slice_axes (slices)[static_cast<size_t> (slices.axes[0].number (i))]);
    return axes;
  }

  void lay_out ()
  {
    const auto guard = hdf5::lock ();
    const auto &format = planned.format;
    Layouter layouter (file);
    std::vector<hsize_t> extent;
    for (const auto &dim : format.axes)
      extent.push_back (static_cast<hsize_t> (dim.extent));
    first_pixel = layouter.pixels ("data", planned.element, extent, planned.provenance);
    if (!format.geometry)
      return;
    if (format.geometry->pixel_size)
      layouter.pixel_size (*format.geometry->pixel_size);
    auto theta = format.geometry->angles;
    std::transform (theta.begin (), theta.end (), theta.begin (), to_degrees);
    if (!slice_axes (format).empty ()) {
      const auto axes = axes_of_pages (format);
      layouter.numbers ("rotation_axis", axes, "columns");
    }
    if (!format.has (Axis::angle))
      return;
    if (!theta.empty ())
      layouter.numbers ("theta", theta, "degrees");
    if (!format.geometry->axis.empty ())
      layouter.numbers ("rotation_axis", format.geometry->axis, "columns");
    if (!format.geometry->views.empty ())
      layouter.views (format.geometry->views, {format.extent (Axis::column), format.extent (Axis::row)});
    if (!keeps_companions ())
      return;
    const auto frames = [&] (const std::string &kind, const std::shared_ptr<const Frames> &f) {
      if (!f)
        return int64_t{0};
      const auto at = layouter.pixels (
          ("data_" + kind).c_str (), f->element,
          {static_cast<hsize_t> (f->count), static_cast<hsize_t> (f->rows), static_cast<hsize_t> (f->columns)}, {});
      if (!f->positions.empty ())
        layouter.numbers (("position_" + kind).c_str (), f->positions, "projections");
      if (!f->positions.empty () && !theta.empty ())
        layouter.numbers (("theta_" + kind).c_str (), taken_at (*f, theta), "degrees");
      return at;
    };
    darks = frames ("dark", format.companions.darks);
    flats = frames ("white", format.companions.flats);
  }

  void copy (const std::shared_ptr<const Frames> &frames, int64_t offset, const Frames::Watch &watch) const
  {
    if (!frames)
      return;
    const auto pieces = copied (*frames);
    const auto row = static_cast<int64_t> (frames->row_bytes ());
    std::vector<std::byte> piece (pieces.bytes);
    for (const auto rows : pieces.rows)
      for (const auto some : pieces.frames) {
        frames->read (some, rows, piece.data (), watch);
        for (int64_t i = 0; i < some.size (); i++)
          out.write (piece.data () + i * rows.size () * row, static_cast<size_t> (rows.size () * row),
                     offset + ((some.begin + i) * frames->rows + rows.begin) * row);
      }
  }
};

// Bytes to copy companions.
size_t companion_scratch (const Format &format)
{
  size_t most = 0;
  for (const auto &frames : {format.companions.darks, format.companions.flats})
    if (frames)
      most = std::max (most, copied (*frames).bytes);
  return most;
}

const Registered<WritingFormat> hdf5 ({.name = "HDF5",
                                       .suffixes = {".h5", ".hdf5", ".nxs"},
                                       .resident = size_t{3} << 20,
                                       .scratch = companion_scratch,
                                       .open = [] (const Planned &planned, const Frames::Watch &watch) {
                                         return std::unique_ptr<Target> (std::make_unique<File> (planned, watch));
                                       }});

} // namespace
} // namespace sino::files
