// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads the lines of a grey PNG image, one after the other, with libpng.
#pragma once
#include "tasks/files/png/line-images.hpp"

namespace sino::files {

// Reads the header of a file. Throws if it is damaged, the file is truncated, or the pixels are of an unsupported kind.
// `title`: the file, for messages.
LineHead png_head (const Descriptor &file, const std::string &title);

class PngReader final : public LineReader
{
public:
  // Throws libpng's errors, as all functions do. The file must stay open as long as this object exists.
  PngReader (const Descriptor &file, std::string title);
  ~PngReader () override;
  PngReader (const PngReader &) = delete;
  PngReader &operator= (const PngReader &) = delete;

  // The next line, high byte first.
  void line (std::byte *to) override;
  void end () override;

  // Memory that one object allocates.
  static size_t scratch (const LineHead &head);

private:
  struct Library;
  std::string title;
  std::unique_ptr<Library> library;

  [[noreturn]] void fail_with_reason () const;
};

} // namespace sino::files
