// SPDX-License-Identifier: LGPL-3.0-or-later
// Pages that lie in a file as they are: read by pread, outside any library and its locks.
#pragma once
#include "formats/descriptor.hpp"
#include "formats/samples.hpp"
#include <functional>

namespace sino::formats {

// Gives n bytes from an offset on.
using ReadAt = std::function<void (void *to, size_t n, int64_t offset)>;

struct RawPage {
  int64_t offset;  // place of the first pixel
  int64_t columns; // columns of a whole line
  Samples samples;
};

// Reads lines x columns of a page densely. Gives back the bytes that came from the file.
SINO_VISIBLE int64_t read_raw (const ReadAt &file, const RawPage &page, Numbers lines, Numbers columns, std::byte *out);
SINO_VISIBLE int64_t read_raw (const Descriptor &file, const RawPage &page, Numbers lines, Numbers columns,
                               std::byte *out);

// Bytes that it allocates.
SINO_VISIBLE size_t raw_scratch (int64_t columns, const Samples &samples);

} // namespace sino::formats
