// SPDX-License-Identifier: LGPL-3.0-or-later
// CRC-32 as in gzip, PNG and Python's zlib.crc32.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <cstdint>

namespace sino::formats {

SINO_VISIBLE uint32_t crc_of (const std::byte *bytes, size_t n);

// Contribution of the CRC of some bytes to that of a longer text in which `following` bytes come after them: the CRC of
// the whole is the exclusive or of the contributions of its parts.
class SINO_VISIBLE CrcShift
{
public:
  explicit CrcShift (uint64_t following);

  uint32_t operator() (uint32_t crc) const;

private:
  uint32_t power; // x^(8 following) modulo CRC-32's polynomial
};

} // namespace sino::formats
