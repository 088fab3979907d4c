// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5 makes the file, with contiguous datasets that are allocated at once. Then HDF5 closes the file, so that it can
// be opened again, and pixels are written at the offsets from HDF5.
#include "tasks/files/hdf5/target.hpp"
#include "tasks/files/hdf5/checksums.hpp"
#include "tasks/files/hdf5/nxtomoproc.hpp"
#include "tasks/files/hdf5/structure.hpp"
#include <algorithm>
#include <unistd.h>

namespace sino::files {

using namespace formats;

namespace {

// Pieces of frames for copying.
Pieces copied (const Frames &frames)
{
  return pieces_of (frames, false, size_t{8} << 20);
}

} // namespace

Hdf5Target::Hdf5Target (const Planned &p, const Frames::Watch &watch, const std::vector<hsize_t> &chunk) : PlainFile (p)
{
  if (planned.unfinished)
    return; // everything but the pixels is there
  out.expect (needed (chunk.empty ()),
              !chunk.empty ()); // HDF5 would notice a full disk late and give little information
  out.reserve ();
  const auto at = lay_out (out, file.final_path (), planned, chunk);
  first_pixel = planned.spread () ? 0 : at.pixels;
  out.expect (out.size (), !chunk.empty ()); // HDF5 has set the size, without allocating the space
  out.reserve ();
  if (keeps_companions (planned)) {
    copy (planned.format.companions.darks, at.darks, watch);
    copy (planned.format.companions.flats, at.flats, watch);
  }
}

void Hdf5Target::finish ()
{
  const auto old =
      planned.overwrite && !has_its_name () ? existing_parts (file.final_path ()) : std::vector<std::string> ();
  PlainFile::finish ();
  for (const auto &path : old)
    unlink (path.c_str ());
}

bool Hdf5Target::keep (const Checksums &sums)
{
  out.check_length (); // HDF5's own error would not tell who did that
  return put_checksums (out, sums, file.final_path ());
}

int64_t Hdf5Target::needed (bool pixels) const
{
  constexpr int64_t sum = sizeof (uint32_t);
  auto bytes = 65536 + std::max (planned.pages (), planned.lines ()) * sum;
  bytes += pixels ? planned.pages () * planned.page_bytes () : 0;
  if (const auto &geometry = planned.format.geometry)
    bytes += (std::ssize (geometry->angles) + std::ssize (geometry->axis) + 12 * std::ssize (geometry->views)) * 8;
  for (const auto &frames : {planned.format.companions.darks, planned.format.companions.flats})
    if (frames && keeps_companions (planned))
      bytes += frames->count * frames->rows * frames->columns * static_cast<int64_t> (size_of (frames->element));
  return bytes;
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

} // namespace sino::files
