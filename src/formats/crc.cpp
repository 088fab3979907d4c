// SPDX-License-Identifier: LGPL-3.0-or-later
// Polynomials over GF(2) have their coefficients in the bits of a word, x^0 in the highest bit.
#include "formats/crc.hpp"
#include <array>
#include <libdeflate.h>

namespace sino::formats {

namespace {

constexpr uint32_t one = 0x80000000, polynomial = 0xedb88320;

constexpr uint32_t times_x (uint32_t a)
{
  return (a >> 1) ^ (polynomial & (0 - (a & 1)));
}

constexpr uint32_t product (uint32_t a, uint32_t b)
{
  uint32_t sum = 0;
  for (int i = 0; i < 32; i++, a <<= 1, b = times_x (b))
    sum ^= b & (0 - (a >> 31));
  return sum;
}

// x^(8 2^i)
constexpr auto powers = [] {
  std::array<uint32_t, 64> list{};
  uint32_t power = one >> 8;
  for (auto &each : list) {
    each = power;
    power = product (power, power);
  }
  return list;
}();

} // namespace

uint32_t crc_of (const std::byte *bytes, size_t n)
{
  return libdeflate_crc32 (0, bytes, n);
}

CrcShift::CrcShift (uint64_t following) : power (one)
{
  for (size_t i = 0; following > 0; i++, following >>= 1)
    if (following & 1)
      power = product (power, powers[i]);
}

uint32_t CrcShift::operator() (uint32_t crc) const
{
  return power == one ? crc : product (power, crc);
}

} // namespace sino::formats
