// SPDX-License-Identifier: LGPL-3.0-or-later
// Uncompressed pages in a file: read with pread, without any library and its locks.
#pragma once
#include "formats/descriptor.hpp"
#include "formats/samples.hpp"
#include <functional>

namespace sino::formats {

// Reads n bytes at an offset.
using ReadAt = std::function<void (void *to, size_t n, int64_t offset)>;

struct RawPage {
  int64_t offset;  // position of the first pixel in the file, in bytes
  int64_t columns; // number of columns in a whole line
  Samples samples;
};

// Reads lines x columns of a page densely. Returns the number of bytes read from the file.
SINO_VISIBLE int64_t read_raw (const ReadAt &file, const RawPage &page, Numbers lines, Numbers columns, std::byte *out);
SINO_VISIBLE int64_t read_raw (const Descriptor &file, const RawPage &page, Numbers lines, Numbers columns,
                               std::byte *out);

// Bytes that read_raw () allocates.
SINO_VISIBLE size_t raw_scratch (int64_t columns, const Samples &samples);

} // namespace sino::formats
