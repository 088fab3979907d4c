// SPDX-License-Identifier: LGPL-3.0-or-later
// CRC-32 as gzip, PNG and Python's zlib.crc32 have it.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <cstdint>

namespace sino::formats {

SINO_VISIBLE uint32_t crc_of (const std::byte *bytes, size_t n);

// What the sum of bytes adds to that of a longer text, in which so many bytes follow them: the sum of all is the
// exclusive or of what its parts add.
class SINO_VISIBLE CrcShift
{
public:
  explicit CrcShift (uint64_t following);

  uint32_t operator() (uint32_t crc) const;

private:
  uint32_t power; // x^(8 following) modulo CRC-32's polynomial
};

} // namespace sino::formats
