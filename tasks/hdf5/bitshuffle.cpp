// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/bitshuffle.hpp"
#include <algorithm>
#include <bit>
#include <cstring>
#include <lz4.h>
#include <vector>

namespace sino::hdf5 {

namespace {

constexpr size_t head_bytes = 12, block_head_bytes = 4;

// Values per block: 8 KiB, and a multiple of 8.
constexpr size_t usual_block (size_t pixel)
{
  return std::max<size_t> (8192 / pixel / 8 * 8, 128);
}

// Number of values in the next block: a whole block, or the remaining multiple of 8.
constexpr size_t next_block (size_t left, size_t block)
{
  return std::min (left / 8 * 8, block);
}

void put_big_endian (std::byte *to, uint64_t value, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    to[i] = static_cast<std::byte> (value >> 8 * (bytes - 1 - i));
}

uint64_t big_endian (const std::byte *from, size_t bytes)
{
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; i++)
    value = value << 8 | static_cast<uint64_t> (from[i]);
  return value;
}

// Bit k of byte i becomes bit i of byte k (H. S. Warren, Hacker's Delight, 7-3).
constexpr uint64_t turn_bits (uint64_t x)
{
  uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000cccc0000cccc;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000f0f0f0f0;
  return x ^ t ^ t << 28;
}

// Byte j of word i becomes byte i of word j.
void turn_bytes (uint64_t (&w)[8])
{
  const auto turn = [&w] (size_t apart, int shift, uint64_t mask) {
    for (size_t i = 0; i < 8; i++)
      if ((i & apart) == 0) {
        const auto t = (w[i] >> shift ^ w[i + apart]) & mask;
        w[i + apart] ^= t;
        w[i] ^= t << shift;
      }
  };
  turn (4, 32, 0x00000000ffffffff);
  turn (2, 16, 0x0000ffff0000ffff);
  turn (1, 8, 0x00ff00ff00ff00ff);
}

uint64_t load (const std::byte *from)
{
  uint64_t value;
  std::memcpy (&value, from, 8);
  return std::endian::native == std::endian::little ? value : __builtin_bswap64 (value);
}

void store (std::byte *to, uint64_t value)
{
  value = std::endian::native == std::endian::little ? value : __builtin_bswap64 (value);
  std::memcpy (to, &value, 8);
}

// Gathers one byte of each of eight consecutive values.
template <size_t P> uint64_t gather (const std::byte *from)
{
  uint64_t word = 0;
  for (size_t i = 0; i < 8; i++)
    word |= static_cast<uint64_t> (from[i * P]) << 8 * i;
  return word;
}

template <size_t P> void scatter (uint64_t word, std::byte *to)
{
  for (size_t i = 0; i < 8; i++)
    to[i * P] = static_cast<std::byte> (word >> 8 * i);
}

// Transposes n values (a multiple of 8) to rows of bits: row 8 j + k has bit k of byte j of all values.
template <size_t P> void to_bits (const std::byte *from, size_t n, std::byte *to)
{
  const auto row = n / 8;
  for (size_t j = 0; j < P; j++) {
    auto *rows = to + 8 * j * row;
    size_t i = 0;
    for (; i + 8 <= row; i += 8) {
      uint64_t words[8];
      for (size_t g = 0; g < 8; g++)
        words[g] = turn_bits (gather<P> (from + (i + g) * 8 * P + j));
      turn_bytes (words);
      for (size_t k = 0; k < 8; k++)
        store (rows + k * row + i, words[k]);
    }
    for (; i < row; i++) {
      const auto word = turn_bits (gather<P> (from + i * 8 * P + j));
      for (size_t k = 0; k < 8; k++)
        rows[k * row + i] = static_cast<std::byte> (word >> 8 * k);
    }
  }
}

template <size_t P> void from_bits (const std::byte *from, size_t n, std::byte *to)
{
  const auto row = n / 8;
  for (size_t j = 0; j < P; j++) {
    const auto *rows = from + 8 * j * row;
    size_t i = 0;
    for (; i + 8 <= row; i += 8) {
      uint64_t words[8];
      for (size_t k = 0; k < 8; k++)
        words[k] = load (rows + k * row + i);
      turn_bytes (words);
      for (size_t g = 0; g < 8; g++)
        scatter<P> (turn_bits (words[g]), to + (i + g) * 8 * P + j);
    }
    for (; i < row; i++) {
      uint64_t word = 0;
      for (size_t k = 0; k < 8; k++)
        word |= static_cast<uint64_t> (rows[k * row + i]) << 8 * k;
      scatter<P> (turn_bits (word), to + i * 8 * P + j);
    }
  }
}

using Turn = void (*) (const std::byte *, size_t, std::byte *);

Turn turn_to_bits (size_t pixel)
{
  return pixel == 1 ? to_bits<1> : pixel == 2 ? to_bits<2> : pixel == 4 ? to_bits<4> : to_bits<8>;
}

Turn turn_from_bits (size_t pixel)
{
  return pixel == 1 ? from_bits<1> : pixel == 2 ? from_bits<2> : pixel == 4 ? from_bits<4> : from_bits<8>;
}

} // namespace

size_t bitshuffle_most (size_t n, size_t pixel)
{
  const auto block = usual_block (pixel) * pixel;
  return head_bytes + (n / block + 1) * (block_head_bytes + static_cast<size_t> (LZ4_COMPRESSBOUND (block)));
}

size_t bitshuffle_scratch (size_t pixel)
{
  return usual_block (pixel) * pixel;
}

size_t bitshuffle_pack (const std::byte *from, size_t n, size_t pixel, std::byte *to, std::byte *scratch)
{
  const auto block = usual_block (pixel);
  const auto turn = turn_to_bits (pixel);
  put_big_endian (to, n, 8);
  put_big_endian (to + 8, block * pixel, 4);
  auto *at = to + head_bytes;
  const auto most = LZ4_compressBound (static_cast<int> (block * pixel));
  auto left = n / pixel;
  for (; left >= 8; left -= next_block (left, block)) {
    const auto values = next_block (left, block);
    turn (from, values, scratch);
    from += values * pixel;
    const auto packed = LZ4_compress_default (reinterpret_cast<const char *> (scratch),
                                              reinterpret_cast<char *> (at + block_head_bytes),
                                              static_cast<int> (values * pixel), most);
    put_big_endian (at, static_cast<uint64_t> (packed), block_head_bytes);
    at += block_head_bytes + packed;
  }
  at = std::copy_n (from, left * pixel, at);
  return static_cast<size_t> (at - to);
}

std::optional<uint64_t> bitshuffle_size (const std::byte *from, size_t stored)
{
  return stored < head_bytes ? std::nullopt : std::optional (big_endian (from, 8));
}

bool bitshuffle_unpack (const std::byte *from, size_t stored, size_t pixel, std::byte *to, size_t n)
{
  if (bitshuffle_size (from, stored) != n)
    return false;
  // HDF5 chunks are below 4 GiB. A block must be below 2 GiB, LZ4's limit, and be a multiple of eight values.
  const auto said = big_endian (from + 8, 4);
  const auto block = said == 0 ? usual_block (pixel) : said / pixel;
  if (said % pixel != 0 || block == 0 || block % 8 != 0 || block * pixel > LZ4_MAX_INPUT_SIZE)
    return false;
  const auto *at = from + head_bytes, *const end = from + stored;
  const auto turn = turn_from_bits (pixel);
  auto left = n / pixel;
  std::vector<std::byte> bits (std::min (block, left) * pixel);
  for (; left >= 8; left -= next_block (left, block)) {
    const auto values = next_block (left, block), bytes = values * pixel;
    if (static_cast<size_t> (end - at) < block_head_bytes)
      return false;
    const auto packed = big_endian (at, block_head_bytes);
    at += block_head_bytes;
    if (packed > static_cast<size_t> (end - at) || packed > INT32_MAX)
      return false;
    if (LZ4_decompress_safe (reinterpret_cast<const char *> (at), reinterpret_cast<char *> (bits.data ()),
                             static_cast<int> (packed), static_cast<int> (bytes)) != static_cast<int> (bytes))
      return false;
    at += packed;
    turn (bits.data (), values, to);
    to += bytes;
  }
  if (static_cast<size_t> (end - at) != left * pixel + n % pixel)
    return false;
  std::copy (at, end, to);
  return true;
}

} // namespace sino::hdf5
