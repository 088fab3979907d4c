// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads the lines of a grey JPEG image, one after the other, with libjpeg.
#pragma once
#include "tasks/files/png/line-images.hpp"

namespace sino::files {

LineHead jpeg_head (const Descriptor &file, const std::string &title);

class JpegReader final : public LineReader
{
public:
  // Throws libjpeg's errors, as all functions do. The file must stay open as long as this object exists.
  JpegReader (const Descriptor &file, std::string title);
  ~JpegReader () override;
  JpegReader (const JpegReader &) = delete;
  JpegReader &operator= (const JpegReader &) = delete;

  LineHead head () const;
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
