// SPDX-License-Identifier: LGPL-3.0-or-later
// The bytes of a file, part by part, for libraries in C that ask for them and through which no exception may pass.
#pragma once
#include "base/error.hpp"
#include "formats/descriptor.hpp"
#include <algorithm>

namespace sino::files {

struct FileFeed {
  static constexpr size_t buffer_bytes = 65536;
  const formats::Descriptor &file;
  int64_t offset = 0, size; // of what has been read of the file
  char reason[200] = "";    // why the library gave up
  std::byte buffer[buffer_bytes];

  explicit FileFeed (const formats::Descriptor &f) : file (f), size (f.size ()) {}

  // Reads the next part of the file into the buffer. Gives back its bytes; 0, with the reason, where that fails.
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
