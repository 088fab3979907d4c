// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5 creates the file with contiguous datasets, allocated at once. Then the file is closed in HDF5, so it can be
// opened from now on, and pixels are written at the offsets that HDF5 has given.
#include "tasks/files/hdf5/target.hpp"
#include "tasks/files/hdf5/checksums.hpp"
#include "tasks/files/hdf5/layouter.hpp"
#include "tasks/files/hdf5/nxtomoproc.hpp"
#include "tasks/files/journal/kept-checksums.hpp"
#include "tasks/files/numbers.hpp"
#include <algorithm>

namespace sino::files {

using namespace formats;

namespace {

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

// Pieces of frames for copying.
Pieces copied (const Frames &frames)
{
  return pieces_of (frames, false, size_t{8} << 20);
}

std::vector<double> axes_of_pages (const Format &slices)
{
  std::vector<double> axes;
  for (int64_t i = 0; i < slices.axes[0].extent; i++)
    axes.push_back (slice_axes (slices)[static_cast<size_t> (slices.axes[0].number (i))]);
  return axes;
}

} // namespace

Hdf5Target::Hdf5Target (const Planned &p, const Frames::Watch &watch, const std::vector<hsize_t> &chunk) : PlainFile (p)
{
  if (planned.unfinished)
    return; // everything but the pixels is there
  out.expect (needed (chunk.empty ()),
              !chunk.empty ()); // HDF5 would notice a full disk late and give little information
  out.reserve ();
  lay_out (chunk);
  out.expect (out.size (), !chunk.empty ()); // HDF5 has set the size, without allocating the space
  out.reserve ();
  if (keeps_companions ()) {
    copy (planned.format.companions.darks, darks, watch);
    copy (planned.format.companions.flats, flats, watch);
  }
}

bool Hdf5Target::keep (const Checksums &sums)
{
  return put_checksums (out, sums, file.final_path ());
}

// Darks and flats do not belong to values that are no raw counts.
bool Hdf5Target::keeps_companions () const
{
  return planned.format.has (Axis::angle) && planned.format.changed_by.empty () && !planned.mapped;
}

int64_t Hdf5Target::needed (bool pixels) const
{
  constexpr int64_t sum = sizeof (uint32_t);
  auto bytes = 65536 + std::max (planned.pages (), planned.lines ()) * sum;
  bytes += pixels ? planned.pages () * planned.page_bytes () : 0;
  if (const auto &geometry = planned.format.geometry)
    bytes += (std::ssize (geometry->angles) + std::ssize (geometry->axis) + 12 * std::ssize (geometry->views)) * 8;
  for (const auto &frames : {planned.format.companions.darks, planned.format.companions.flats})
    if (frames && keeps_companions ())
      bytes += frames->count * frames->rows * frames->columns * static_cast<int64_t> (size_of (frames->element));
  return bytes;
}

void Hdf5Target::lay_out (const std::vector<hsize_t> &chunk)
{
  Layouter layouter (out, file.final_path ());
  try {
    put_structure (layouter, chunk);
    const auto of = summed (planned, chunk.empty ());
    layouter.checksums (of, of == Checksums::Of::images ? planned.pages () : planned.lines ());
  } catch (const Error &) {
    layouter.check_written (); // gives more information than the library
    throw;
  }
  layouter.close ();
}

void Hdf5Target::put_structure (Layouter &layouter, const std::vector<hsize_t> &chunk)
{
  const auto &format = planned.format;
  std::vector<hsize_t> extent;
  for (const auto &dim : format.axes)
    extent.push_back (static_cast<hsize_t> (dim.extent));
  first_pixel = layouter.pixels ("data", planned.element, extent, planned.provenance, {chunk, planned.compression});
  if (is_nxtomoproc (planned))
    layouter.nxtomoproc (planned);
  if (!format.geometry)
    return;
  layouter.beam (*format.geometry);
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

void Hdf5Target::copy (const std::shared_ptr<const Frames> &frames, int64_t offset, const Frames::Watch &watch) const
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

size_t companion_scratch (const Format &format)
{
  size_t most = 0;
  for (const auto &frames : {format.companions.darks, format.companions.flats})
    if (frames)
      most = std::max (most, copied (*frames).bytes);
  return most;
}

static const Registered<WritingFormat>
    hdf5_written ({.name = "HDF5",
                   .suffixes = hdf5_suffixes,
                   .sized = is_nxtomoproc,
                   .resumes = [] (const Planned &) { return true; },
                   .resident = hdf5_resident,
                   .scratch = companion_scratch,
                   .open =
                       [] (const Planned &planned, const Frames::Watch &watch) {
                         return std::unique_ptr<Target> (std::make_unique<Hdf5Target> (planned, watch));
                       },
                   .kept = hdf5_checksums,
                   .keep = [] (const std::string &path, const Planned &,
                               auto &sums) { return put_checksums (Descriptor (path, O_RDWR), sums, path); }});

} // namespace sino::files
