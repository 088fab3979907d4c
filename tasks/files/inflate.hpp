// SPDX-License-Identifier: LGPL-3.0-or-later
// Decompresses zlib data in a file in sequence, as in MATLAB files.
#pragma once
#include "formats/descriptor.hpp"
#include <memory>
#include <string>

namespace sino::files {

using namespace formats;

class Inflate
{
public:
  // Decompresses `packed` bytes that begin at an offset of an open file, which must stay open. `title`: the data, for
  // messages.
  Inflate (const Descriptor &file, int64_t offset, int64_t packed, std::string title);
  ~Inflate ();

  // Reads the next bytes. Throws if the data is damaged or too short.
  void read (void *to, size_t n);
  void skip (int64_t n);

  // Memory that one object allocates.
  static size_t scratch ();

private:
  struct Library;
  std::string title;
  std::unique_ptr<Library> library;
};

} // namespace sino::files
