// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5's filter 32008, bitshuffle with LZ4, as used by detectors: the first bits of all values, then the second bits,
// and so on, in blocks that LZ4 compresses. See K. Masui et al., "A compression scheme for radio data in high
// performance computing", Astronomy and Computing 12 (2015) 181, and the format description of the filter.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sino::hdf5 {

constexpr int32_t bitshuffle_id = 32008;
constexpr const char *bitshuffle_name = "bitshuffle; see https://github.com/kiyo-masui/bitshuffle";
// Values of the filter: version (2), bytes of a pixel, values of a block (0: default), and compression of blocks.
constexpr unsigned bitshuffle_lz4 = 2;

// Most bytes of n compressed bytes of pixels.
size_t bitshuffle_most (size_t n, size_t pixel);

// Scratch bytes per thread for packing or unpacking: one block.
size_t bitshuffle_scratch (size_t pixel);

// Packs n bytes; returns the packed size.
size_t bitshuffle_pack (const std::byte *from, size_t n, size_t pixel, std::byte *to, std::byte *scratch);

// The unpacked size of a chunk, from its header; nothing if it is too short.
std::optional<uint64_t> bitshuffle_size (const std::byte *from, size_t stored);

// Unpacks to exactly n bytes; false if the data is damaged.
bool bitshuffle_unpack (const std::byte *from, size_t stored, size_t pixel, std::byte *to, size_t n);

// Registers the filter in HDF5's library of this process, unless a plugin provides it.
void add_bitshuffle ();

// Whether the library can unpack data of a filter with these values: without a plugin, only bitshuffle with LZ4.
bool has_filter (int32_t id, std::span<const unsigned> values);

} // namespace sino::hdf5
