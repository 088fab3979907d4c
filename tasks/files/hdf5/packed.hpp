// SPDX-License-Identifier: LGPL-3.0-or-later
// Writes HDF5 with compressed chunks, for any compression.
#pragma once
#include "tasks/files/hdf5/checksums.hpp"
#include "tasks/files/hdf5/structure.hpp"
#include "tasks/files/hdf5/target.hpp"

namespace sino::files {

// A chunk as stored in the file.
struct Packed {
  std::vector<std::byte> bytes;
  size_t size = 0;
  uint32_t skipped = 0; // one bit per filter that was not applied
};

// Compresses chunks, one at a time.
class Press
{
public:
  virtual ~Press () = default;

  // Packs a chunk whose first n bytes are given; the rest is zeros.
  virtual void pack (const std::byte *pixels, size_t n, Packed &to) = 0;
};

// A compression method. Sizes are in bytes: `chunk` of a whole chunk, `pixel` of a pixel.
struct Packing {
  size_t (*most) (size_t chunk, size_t pixel); // most bytes of a packed chunk
  size_t (*own) (size_t chunk, size_t pixel);  // memory of a press
  std::unique_ptr<Press> (*press) (size_t chunk, size_t pixel);
};

// The compression method of a class P, which has static functions most () and own ().
template <class P>
constexpr Packing packing_by{P::most, P::own, [] (size_t chunk, size_t pixel) -> std::unique_ptr<Press> {
                               return std::make_unique<P> (chunk, pixel);
                             }};

std::unique_ptr<formats::Target> packed_hdf5 (const formats::Planned &planned, const Frames::Watch &watch,
                                              const Packing &packing);
// Memory used while it writes.
size_t packed_work (const formats::Planned &planned, int threads, const Packing &packing);

// HDF5 with this compression, if the user requests it.
template <class P> formats::WritingFormat packed_format (const char *name, formats::Compression way, int priority)
{
  using formats::Planned;
  return {.name = name,
          .suffixes = hdf5_suffixes,
          .compressions = {way},
          .sized = keeps_sizes,
          .random_access = false,
          .priority = priority,
          .resident = hdf5_resident,
          .scratch = companion_scratch,
          .work = [] (const Planned &planned, int threads) { return packed_work (planned, threads, packing_by<P>); },
          .open = [] (const Planned &planned,
                      const Frames::Watch &watch) { return packed_hdf5 (planned, watch, packing_by<P>); },
          .kept = hdf5_checksums};
}

} // namespace sino::files
