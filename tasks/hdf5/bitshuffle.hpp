// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5's filter 32008, bitshuffle with LZ4, as detectors write their frames: the first bits of all values, then the
// second ones, and so on, in blocks that LZ4 packs. After K. Masui et al., "A compression scheme for radio data in high
// performance computing", Astronomy and Computing 12 (2015) 181, and the format of its filter.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sino::hdf5 {

constexpr int32_t bitshuffle_id = 32008;
constexpr const char *bitshuffle_name = "bitshuffle; see https://github.com/kiyo-masui/bitshuffle";
// Values of the filter: version (2), bytes of a pixel, values of a block (0: as usual), and what packs blocks.
constexpr unsigned bitshuffle_lz4 = 2;

// Bytes that n of pixels take at most when packed.
size_t bitshuffle_most (size_t n, size_t pixel);

// What a thread needs to pack or unpack with: bytes of one block.
size_t bitshuffle_scratch (size_t pixel);

// Packs n bytes; gives back how many they become.
size_t bitshuffle_pack (const std::byte *from, size_t n, size_t pixel, std::byte *to, std::byte *scratch);

// The bytes that a chunk has when it is unpacked, as it says; nothing where it is too short to say so.
std::optional<uint64_t> bitshuffle_size (const std::byte *from, size_t stored);

// Unpacks to exactly n bytes; false where it is damaged.
bool bitshuffle_unpack (const std::byte *from, size_t stored, size_t pixel, std::byte *to, size_t n);

// Lets HDF5's library unpack it in this process, where no plugin does.
void add_bitshuffle ();

// Whether the library unpacks what a filter with these values has packed: without a plugin only LZ4 behind bitshuffle.
bool has_filter (int32_t id, std::span<const unsigned> values);

} // namespace sino::hdf5
