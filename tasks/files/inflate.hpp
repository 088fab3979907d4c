// SPDX-License-Identifier: LGPL-3.0-or-later
// Bytes of a file that zlib has packed, from their begin on: as MATLAB stores arrays.
#pragma once
#include "formats/descriptor.hpp"
#include <memory>
#include <string>

namespace sino::files {

using namespace formats;

class Inflate
{
public:
  // The packed bytes of a file that is open, and stays so. `title` is what they are, for messages.
  Inflate (const Descriptor &file, int64_t offset, int64_t packed, std::string title);
  ~Inflate ();
  Inflate (const Inflate &) = delete;
  Inflate &operator= (const Inflate &) = delete;

  // The next bytes. Throws where they are damaged, or there are not as many.
  void read (void *to, size_t n);
  void skip (int64_t n);

  // What one allocates.
  static size_t scratch ();

private:
  struct Library;
  std::string title;
  std::unique_ptr<Library> library;
};

} // namespace sino::files
