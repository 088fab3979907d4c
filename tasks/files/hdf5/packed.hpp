// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5 with compressed chunks, whatever packs them.
#pragma once
#include "tasks/files/hdf5/checksums.hpp"
#include "tasks/files/hdf5/nxtomoproc.hpp"
#include "tasks/files/hdf5/target.hpp"

namespace sino::files {

// A chunk as the file has it.
struct Packed {
  std::vector<std::byte> bytes;
  size_t size = 0;
  uint32_t skipped = 0; // a bit for each filter that was left out
};

// Packs chunks, one at a time.
class Press
{
public:
  virtual ~Press () = default;

  // Packs a chunk of which only the first n bytes are there; what is missing are zeros.
  virtual void pack (const std::byte *pixels, size_t n, Packed &to) = 0;
};

// A way to pack. Bytes are those of whole chunks with pixels of so many bytes.
struct Packing {
  size_t (*most) (size_t chunk, size_t pixel); // bytes that a packed chunk may take
  size_t (*own) (size_t chunk, size_t pixel);  // and that a press takes
  std::unique_ptr<Press> (*press) (size_t chunk, size_t pixel);
};

std::unique_ptr<formats::Target> packed_hdf5 (const formats::Planned &planned, const Frames::Watch &watch,
                                              const Packing &packing);
// Memory that it takes while it writes.
size_t packed_work (const formats::Planned &planned, int threads, const Packing &packing);

// HDF5 that is packed in this way where people ask for it.
template <const Packing &packing>
formats::WritingFormat packed_format (const char *name, formats::Compression way, int priority)
{
  using formats::Planned;
  return {
      .name = name,
      .suffixes = hdf5_suffixes,
      .compressions = {way},
      .sized = is_nxtomoproc,
      .random_access = false,
      .priority = priority,
      .resident = hdf5_resident,
      .scratch = companion_scratch,
      .work = [] (const Planned &planned, int threads) { return packed_work (planned, threads, packing); },
      .open = [] (const Planned &planned, const Frames::Watch &watch) { return packed_hdf5 (planned, watch, packing); },
      .kept = hdf5_checksums};
}

} // namespace sino::files
