// SPDX-License-Identifier: LGPL-3.0-or-later
// Datasets in chunks. What HDF5 does under its one lock is to say where a chunk lies; reading and decoding them is done
// here, by many threads. Chunks with other filters, and layouts that are neither chunked nor contiguous, go through
// HDF5 piece by piece.
#include "base/error.hpp"
#include "files/decode.hpp"
#include "files/descriptor.hpp"
#include "files/hdf5-stack.hpp"
#include <array>
#include <atomic>
#include <cstring>
#include <fcntl.h>

namespace sino::files {

namespace {

// Where a chunk lies in the file.
struct Place {
  haddr_t address = HADDR_UNDEF;
  uint32_t bytes = 0, skipped = 0; // skipped: a bit for each filter that was left out
};

// Asking HDF5 for the place of the n-th chunk takes time that grows with n, so beyond this many chunks it is HDF5 that
// fetches their bytes.
constexpr hsize_t most_places = 8192;

// The numbers of a part that fall into one chunk, along one axis.
struct Run {
  int64_t chunk;
  size_t begin, end;
};

std::vector<Run> runs (Numbers numbers, int64_t extent)
{
  std::vector<Run> list;
  for (size_t i = 0; i < numbers.size (); i++)
    if (const auto chunk = numbers[i] / extent; list.empty () || list.back ().chunk != chunk)
      list.push_back ({chunk, i, i + 1});
    else
      list.back ().end = i + 1;
  return list;
}

class ChunkedStack final : public Hdf5Stack
{
public:
  explicit ChunkedStack (Hdf5Dataset d) : Hdf5Stack (std::move (d)), file (dataset.storage, O_RDONLY)
  {
    const hdf5::Handle creation (H5Dget_create_plist (dataset.id), H5Pclose, dataset.title ());
    type = hdf5::memory_type (element);
    if (H5Pget_layout (creation) == H5D_CHUNKED)
      set_chunks (creation);
    else { // compact, virtual or external: about a MiB at a time
      unit.columns = columns;
      unit.lines = std::clamp<int64_t> ((1 << 20) / (columns * static_cast<int64_t> (pixel (*this))), 1, lines);
      unit.stored = static_cast<double> (chunk_bytes ());
    }
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    const auto along_pages = runs (part.pages, unit.pages), along_lines = runs (part.lines, unit.lines),
               along_columns = runs (part.columns, unit.columns);
    const auto n = static_cast<int64_t> (along_pages.size () * along_lines.size () * along_columns.size ());
    std::atomic<int64_t> next = 0, bytes = 0;
    // Each strand has buffers of its own and takes the next chunk until none is left.
    const auto strand = [&] (int64_t begin, int64_t end) {
      for (; begin < end; begin++) {
        ChunkBuffers buffers;
        for (auto i = next++; i < n; i = next++) {
          reading.check ();
          const auto at = static_cast<size_t> (i);
          const auto &c = along_columns[at % along_columns.size ()];
          const auto &l = along_lines[at / along_columns.size () % along_lines.size ()];
          const auto &p = along_pages[at / along_columns.size () / along_lines.size ()];
          bytes += fetch ({p.chunk, l.chunk, c.chunk}, buffers);
          scatter (part, p, l, c, buffers.decoded (), out);
        }
      }
    };
    if (reading.cpu)
      reading.cpu->parallel (std::min (n, strands (reading.cpu->threads ())), 1, strand);
    else
      strand (0, 1);
    reading.count (n, bytes);
  }

  size_t scratch (int threads) const override
  {
    return static_cast<size_t> (strands (threads)) * ChunkBuffers::bytes (chunk_bytes ());
  }
  size_t resident () const override { return hdf5::open_file_bytes + places.size () * sizeof (Place); }

private:
  Descriptor file;
  hdf5::Handle type;
  bool direct = false; // decoded here
  Decoder decoder;
  std::array<int64_t, 3> grid{}; // chunks along each axis
  std::vector<Place> places;     // of all chunks, unless there are too many

  size_t chunk_bytes () const { return static_cast<size_t> (unit.pages * unit.lines * unit.columns) * pixel (*this); }

  // As many chunks at once as there are threads, but not much more memory than for the largest one.
  int64_t strands (int threads) const
  {
    constexpr size_t enough = size_t{256} << 20;
    return std::clamp<int64_t> (static_cast<int64_t> (enough / ChunkBuffers::bytes (chunk_bytes ())), 1, threads);
  }

  void set_chunks (hid_t creation)
  {
    check_filters (creation, dataset.title ());
    hsize_t chunk[3] = {1, 1, 1};
    const auto axes = dataset.extent.size ();
    H5Pget_chunk (creation, 3, axes == 3 ? chunk : chunk + 1);
    unit.pages = static_cast<int64_t> (chunk[0]);
    unit.lines = static_cast<int64_t> (chunk[1]);
    unit.columns = static_cast<int64_t> (chunk[2]);
    grid = {(pages - 1) / unit.pages + 1, (lines - 1) / unit.lines + 1, (columns - 1) / unit.columns + 1};
    const auto all = static_cast<hsize_t> (grid[0]) * static_cast<hsize_t> (grid[1]) * static_cast<hsize_t> (grid[2]);

    hsize_t stored = 0;
    const hdf5::Handle space (H5Dget_space (dataset.id), H5Sclose, dataset.title ());
    hdf5::check (H5Dget_num_chunks (dataset.id, space, &stored), "cannot read " + dataset.title ());
    unit.stored = stored > 0 ? static_cast<double> (H5Dget_storage_size (dataset.id)) / static_cast<double> (stored)
                             : static_cast<double> (chunk_bytes ());

    unsigned options = 0;
    H5Pget_chunk_opts (creation, &options);
    hsize_t user_block = 0;
    const hdf5::Handle home (H5Iget_file_id (dataset.id), H5Fclose, dataset.title ()),
        file_creation (H5Fget_create_plist (home), H5Pclose, dataset.title ());
    H5Pget_userblock (file_creation, &user_block);
    // Partial chunks without filters, and addresses behind a user block, are left to HDF5.
    direct = options == 0 && user_block == 0 && decoder.understand (creation, pixel (*this));
    if (direct && stored <= most_places && all <= 4 * most_places)
      set_places (space, stored);
  }

  void set_places (hid_t space, hsize_t stored)
  {
    places.resize (static_cast<size_t> (grid[0] * grid[1] * grid[2]));
    for (hsize_t i = 0; i < stored; i++) {
      hsize_t corner[3] = {};
      unsigned skipped = 0;
      Place place;
      hsize_t bytes = 0;
      hdf5::check (H5Dget_chunk_info (dataset.id, space, i, dataset.extent.size () == 3 ? corner : corner + 1, &skipped,
                                      &place.address, &bytes),
                   "cannot read " + dataset.title ());
      place.bytes = checked (bytes, corner);
      place.skipped = skipped;
      places[index (corner)] = place;
    }
  }

  [[noreturn]] void fail_chunk (const hsize_t (&corner)[3], const char *what) const
  {
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: the chunk at %llu, %llu, %llu %s", dataset.title ().c_str (),
          static_cast<unsigned long long> (corner[0]), static_cast<unsigned long long> (corner[1]),
          static_cast<unsigned long long> (corner[2]), what);
  }

  // Bytes of a chunk in the file, which filters make larger by a little at most.
  uint32_t checked (hsize_t bytes, const hsize_t (&corner)[3]) const
  {
    if (bytes > std::min<hsize_t> (ChunkBuffers::most_stored (chunk_bytes ()), UINT32_MAX))
      fail_chunk (corner, "takes more bytes than its pixels");
    return static_cast<uint32_t> (bytes);
  }

  // What a file says of its chunks need not fit to its extents.
  size_t index (const hsize_t (&corner)[3]) const
  {
    const int64_t extents[] = {unit.pages, unit.lines, unit.columns};
    std::array<int64_t, 3> chunk;
    for (size_t i = 0; i < 3; i++) {
      const auto extent = static_cast<hsize_t> (extents[i]);
      if (corner[i] % extent != 0 || corner[i] / extent >= static_cast<hsize_t> (grid[i]))
        fail_chunk (corner, "lies outside the dataset");
      chunk[i] = static_cast<int64_t> (corner[i] / extent);
    }
    return static_cast<size_t> ((chunk[0] * grid[1] + chunk[1]) * grid[2] + chunk[2]);
  }

  // Brings a chunk into the buffers, decoded. Gives back the bytes that came from the file.
  int64_t fetch (const std::array<int64_t, 3> &chunk, ChunkBuffers &buffers) const
  {
    const hsize_t corner[3] = {static_cast<hsize_t> (chunk[0] * unit.pages),
                               static_cast<hsize_t> (chunk[1] * unit.lines),
                               static_cast<hsize_t> (chunk[2] * unit.columns)};
    if (!direct)
      return fetch_through_hdf5 (corner, buffers);
    Place place;
    if (!places.empty ()) {
      place = places[index (corner)];
      if (place.address == HADDR_UNDEF) // never written: the fill value, which costs nothing
        return fetch_through_hdf5 (corner, buffers), 0;
      file.read (buffers.stored (place.bytes), place.bytes, static_cast<int64_t> (place.address));
    } else {
      const auto guard = hdf5::lock ();
      const auto *at = dataset.extent.size () == 3 ? corner : corner + 1;
      hsize_t bytes = 0;
      if (H5Dget_chunk_storage_size (dataset.id, at, &bytes) < 0 || bytes == 0) {
        H5Eclear2 (H5E_DEFAULT);
        return fetch_through_hdf5 (corner, buffers), 0;
      }
      place.bytes = checked (bytes, corner);
      hdf5::check (H5Dread_chunk (dataset.id, H5P_DEFAULT, at, &place.skipped, buffers.stored (place.bytes)),
                   "cannot read " + dataset.title ());
    }
    if (!decoder.decode (buffers, place.bytes, place.skipped, chunk_bytes ()))
      fail_chunk (corner, "does not decode");
    if (dataset.swapped)
      swap_bytes (buffers.decoded (), chunk_bytes () / pixel (*this), pixel (*this));
    return place.bytes;
  }

  int64_t fetch_through_hdf5 (const hsize_t (&corner)[3], ChunkBuffers &buffers) const
  {
    const hsize_t memory[3] = {static_cast<hsize_t> (unit.pages), static_cast<hsize_t> (unit.lines),
                               static_cast<hsize_t> (unit.columns)};
    const hsize_t whole[3] = {static_cast<hsize_t> (pages), static_cast<hsize_t> (lines),
                              static_cast<hsize_t> (columns)};
    hsize_t count[3], zero[3] = {};
    for (size_t i = 0; i < 3; i++)
      count[i] = std::min (memory[i], whole[i] - corner[i]);
    const size_t skip = 3 - dataset.extent.size ();
    auto *to = buffers.room (chunk_bytes ());
    const auto guard = hdf5::lock ();
    const auto failed = "cannot read " + dataset.title ();
    const hdf5::Handle from (H5Dget_space (dataset.id), H5Sclose, failed),
        into (H5Screate_simple (3, memory, nullptr), H5Sclose, failed);
    hdf5::check (H5Sselect_hyperslab (from, H5S_SELECT_SET, corner + skip, nullptr, count + skip, nullptr), failed);
    hdf5::check (H5Sselect_hyperslab (into, H5S_SELECT_SET, zero, nullptr, count, nullptr), failed);
    hdf5::check (H5Dread (dataset.id, type, into, from, H5P_DEFAULT, to), failed);
    return static_cast<int64_t> (unit.stored);
  }

  // Copies what is wanted of a chunk to its places.
  void scatter (const Part &part, const Run &p, const Run &l, const Run &c, const std::byte *chunk,
                std::byte *out) const
  {
    const auto size = pixel (*this);
    const auto some = part.columns.subspan (c.begin, c.end - c.begin);
    for (auto i = p.begin; i < p.end; i++)
      for (auto j = l.begin; j < l.end; j++) {
        const auto line = (part.pages[i] % unit.pages) * unit.lines + part.lines[j] % unit.lines;
        gather (chunk + static_cast<size_t> (line * unit.columns) * size, c.chunk * unit.columns, some, size,
                out + ((i * part.lines.size () + j) * part.columns.size () + c.begin) * size);
      }
  }
};

} // namespace

std::shared_ptr<const Stack> chunked_stack (Hdf5Dataset dataset)
{
  return std::make_shared<ChunkedStack> (std::move (dataset));
}

} // namespace sino::files
