// SPDX-License-Identifier: LGPL-3.0-or-later
// Feeds the bytes of a file in parts to C libraries that request them; no exception may pass through these.
#pragma once
#include "base/error.hpp"
#include "formats/descriptor.hpp"
#include <algorithm>

namespace sino::files {

struct FileFeed {
  static constexpr size_t buffer_bytes = 65536;
  const formats::Descriptor &file;
  int64_t offset = 0, size; // bytes read so far, and all bytes of the file
  char reason[200] = "";    // error message of the library
  std::byte buffer[buffer_bytes];

  explicit FileFeed (const formats::Descriptor &f) : file (f), size (f.size ()) {}

  // Reads the next part of the file into the buffer. Returns its size; on failure returns 0 and sets the reason.
  size_t fill () noexcept
  {
    const auto n = std::min<int64_t> (buffer_bytes, size - offset);
    try {
      if (n <= 0)
        fail (SINO_ERROR_BAD_FILE, "the file ends before its pixels do");
      file.read (buffer, static_cast<size_t> (n), offset);
    } catch (const std::exception &error) {
      g_strlcpy (reason, error.what (), sizeof reason);
      return 0;
    }
    offset += n;
    return static_cast<size_t> (n);
  }
};

} // namespace sino::files
