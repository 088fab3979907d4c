// SPDX-License-Identifier: LGPL-3.0-or-later
// Chunks whose filters are implemented here: HDF5 gives their addresses once, then many threads read and decode them.
#include "base/error.hpp"
#include "tasks/files/hdf5/units.hpp"
#include <algorithm>
#include <fcntl.h>

namespace sino::files {

namespace {

// Address of a chunk in the file.
struct Stored {
  uint64_t number = 0; // index of the chunk, in the order of the pixels
  int64_t address = 0;
  uint32_t bytes = 0, skipped = 0; // skipped: one bit per filter that was not applied
};

constexpr size_t most_chunks = size_t{1} << 24; // most chunks whose addresses are kept

class ChunkStack final : public UnitStack
{
public:
  ChunkStack (const Hdf5Dataset &dataset, Decoder d)
      : UnitStack (dataset), title (dataset.title ()), file (dataset.facts.storage, O_RDONLY), stamp (file.stamp ()),
        decoder (std::move (d)), fill (dataset.facts.fill), swapped (dataset.facts.swapped),
        bare_edges (dataset.facts.bare_edges)
  {
    find_places (dataset);
  }

  int64_t fetch (const std::array<int64_t, 3> &corner, ChunkBuffers &buffers) const override
  {
    const auto *place = find (number (corner));
    if (!place) { // never written, so nothing is read
      fill_pixels (buffers.stored (bytes), bytes / stored_pixel, stored_pixel, fill);
      return 0;
    }
    file.require (stamp);
    file.read (buffers.stored (place->bytes), place->bytes, place->address);
    const auto bare = bare_edges && is_cut (corner);
    if (const auto *fault = decoder.decode (buffers, place->bytes, bare ? ~0U : place->skipped, bytes))
      fail_chunk (corner, fault);
    if (swapped)
      swap_bytes (buffers.decoded (), bytes / stored_pixel, stored_pixel);
    return place->bytes;
  }

  // Decodes as many chunks at once as there are threads, limited by memory; at least one.
  int64_t strands (int threads) const override
  {
    constexpr size_t enough = size_t{256} << 20;
    return std::clamp<int64_t> (static_cast<int64_t> (enough / ChunkBuffers::bytes (bytes)), 1, threads);
  }
  size_t scratch (int threads) const override
  {
    return static_cast<size_t> (strands (threads)) * ChunkBuffers::bytes (bytes);
  }
  size_t resident () const override { return places.capacity () * sizeof (Stored); }
  std::vector<int64_t> unwritten () const override
  {
    std::vector<uint64_t> layers (units_along (0));
    for (const auto &place : places)
      layers[place.number / units_of_layer ()]++;
    return unwritten_in (layers);
  }

private:
  std::string title;
  Descriptor file;
  FileStamp stamp;
  Decoder decoder;
  uint64_t fill;
  bool swapped, bare_edges;
  std::vector<Stored> places; // chunks that were written, sorted by index

  [[noreturn]] void fail_chunk (const std::array<int64_t, 3> &at, const char *what) const
  {
    fail (SINO_ERROR_BAD_FILE,
          "%s is damaged: the chunk at %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " %s",
          title.c_str (), at[0], at[1], at[2], what);
  }

  uint64_t number (const std::array<int64_t, 3> &corner) const
  {
    uint64_t result = 0; // cannot overflow: check_extents () limits the number of pixels, which is not smaller
    for (size_t i = 0; i < 3; i++)
      result = result * units_along (i) + static_cast<uint64_t> (corner[i] / chunk[i]);
    return result;
  }

  bool is_cut (const std::array<int64_t, 3> &corner) const
  {
    return corner[0] + chunk[0] > extent[0] || corner[1] + chunk[1] > extent[1] || corner[2] + chunk[2] > extent[2];
  }

  // Checks the data from the file, which may be wrong.
  Stored checked (const hdf5::ChunkPlace &place, uint64_t user_block) const
  {
    std::array<int64_t, 3> at;
    for (size_t i = 0; i < 3; i++)
      at[i] = static_cast<int64_t> (std::min<uint64_t> (place.corner[i], INT64_MAX));
    for (size_t i = 0; i < 3; i++)
      if (at[i] >= extent[i] || at[i] % chunk[i] != 0)
        fail_chunk (at, "lies outside the dataset");
    if (place.bytes > std::min<uint64_t> (ChunkBuffers::most_stored (bytes), UINT32_MAX))
      fail_chunk (at, "takes more bytes than its pixels");
    const auto size = static_cast<uint64_t> (stamp.size);
    if (user_block > size || place.address > size - user_block || place.bytes > size - user_block - place.address)
      fail_chunk (at, "lies after the end of the file, which is truncated");
    return {.number = number (at),
            .address = static_cast<int64_t> (user_block + place.address),
            .bytes = static_cast<uint32_t> (place.bytes),
            .skipped = place.skipped};
  }

  void find_places (const Hdf5Dataset &dataset)
  {
    const auto wanted = dataset.facts.chunks;
    if (wanted > most_chunks)
      fail (SINO_ERROR_BAD_FILE,
            "%s has %" G_GUINT64_FORMAT " chunks: at most %zu work, write the file again with larger chunks",
            title.c_str (), wanted, most_chunks);
    if (wanted == 0)
      return;
    places.reserve (wanted);
    dataset.file->places (dataset.name, [&] (const hdf5::ChunkPlace &place) {
      if (places.size () < wanted)
        places.push_back (checked (place, dataset.facts.user_block));
    });
    const auto before = [] (const Stored &a, const Stored &b) { return a.number < b.number; };
    if (!std::ranges::is_sorted (places, before))
      std::ranges::sort (places, before);
    for (size_t i = 1; i < places.size (); i++)
      if (places[i].number == places[i - 1].number)
        fail (SINO_ERROR_BAD_FILE, "%s is damaged: it has a chunk twice", title.c_str ());
    if (places.size () != wanted)
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: %zu of its %" G_GUINT64_FORMAT " chunks are found", title.c_str (),
            places.size (), wanted);
  }

  const Stored *find (uint64_t n) const
  {
    if (n < places.size () && places[n].number == n) // the usual case: no chunk is missing
      return &places[n];
    const auto found = std::ranges::lower_bound (places, n, {}, &Stored::number);
    return found != places.end () && found->number == n ? &*found : nullptr;
  }
};

} // namespace

std::shared_ptr<const Stack> chunk_stack (const Hdf5Dataset &dataset, Decoder decoder)
{
  return std::make_shared<ChunkStack> (dataset, std::move (decoder));
}

} // namespace sino::files
