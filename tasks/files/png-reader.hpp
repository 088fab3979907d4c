// SPDX-License-Identifier: LGPL-3.0-or-later
// The lines of a grey PNG image, one after the other, through libpng.
#pragma once
#include "formats/descriptor.hpp"
#include "formats/sample.hpp"
#include <memory>
#include <string>

namespace sino::files {

using namespace formats;

struct PngHead {
  Sample sample;
  int64_t lines, columns;
};

// What the head of a file says. Throws when it is damaged, the file ends too early, or the pixels are of a kind that
// does not work. `title` is the file, for messages.
PngHead png_head (const Descriptor &file, const std::string &title);

class PngReader
{
public:
  // Throws what libpng finds wrong, here as everywhere. The file is open as long as this is.
  PngReader (const Descriptor &file, std::string title);
  ~PngReader ();
  PngReader (const PngReader &) = delete;
  PngReader &operator= (const PngReader &) = delete;

  // The next line, high byte first.
  void line (std::byte *to);
  // Checks what follows the last line.
  void end ();

  // Bytes that one allocates.
  static size_t scratch (const PngHead &head);

private:
  struct Library;
  std::string title;
  std::unique_ptr<Library> library;

  [[noreturn]] void fail_with_reason () const;
};

} // namespace sino::files
