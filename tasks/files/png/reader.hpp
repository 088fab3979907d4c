// SPDX-License-Identifier: LGPL-3.0-or-later
// The lines of a grey PNG image, one after the other, through libpng.
#pragma once
#include "tasks/files/png/line-images.hpp"

namespace sino::files {

// What the head of a file says. Throws when it is damaged, the file ends too early, or the pixels are of a kind that
// does not work. `title` is the file, for messages.
LineHead png_head (const Descriptor &file, const std::string &title);

class PngReader final : public LineReader
{
public:
  // Throws what libpng finds wrong, here as everywhere. The file is open as long as this is.
  PngReader (const Descriptor &file, std::string title);
  ~PngReader () override;
  PngReader (const PngReader &) = delete;
  PngReader &operator= (const PngReader &) = delete;

  // The next line, high byte first.
  void line (std::byte *to) override;
  void end () override;

  // Bytes that one allocates.
  static size_t scratch (const LineHead &head);

private:
  struct Library;
  std::string title;
  std::unique_ptr<Library> library;

  [[noreturn]] void fail_with_reason () const;
};

} // namespace sino::files
