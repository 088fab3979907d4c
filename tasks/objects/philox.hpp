// SPDX-License-Identifier: LGPL-3.0-or-later
// Philox4x32-10, a counter-based generator (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2,
// 3", SC11): numbers depend only on where they are used, not on threads or the division of work.
#pragma once
#include <array>
#include <cstdint>

namespace sino::objects {

using Words = std::array<uint32_t, 4>;

constexpr Words philox (Words counter, std::array<uint32_t, 2> key)
{
  for (int round = 0; round < 10; round++) {
    const uint64_t a = uint64_t{0xD2511F53} * counter[0], b = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t> (b >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t> (b),
               static_cast<uint32_t> (a >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t> (a)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

// Uniform in (0, 1), never at an end, in steps of 2^-52.
constexpr double uniform (uint32_t high, uint32_t low)
{
  return (static_cast<double> ((uint64_t{high} << 32 | low) >> 12) + 0.5) * 0x1p-52;
}

} // namespace sino::objects
