// SPDX-License-Identifier: LGPL-3.0-or-later
// Formats of two files: a head of text, and beside it the pixels, plain and one after the other.
#pragma once
#include "formats/formats.hpp"
#include "formats/plain-file.hpp"

namespace sino::files {

using namespace formats;

// The path of the pixels: that of the head with another suffix.
std::string beside_head (const std::string &head, const char *suffix);

// The path of pixels whose name a head gives, relative to its folder.
std::string named_in_head (const std::string &head, const std::string &name);

// A word of a head without the space around it.
std::string trimmed (std::string_view word);

// Throws if the name of the pixels in a head would mean something else: many files, a folder, or a part of the name.
void check_name_in_head (const Planned &planned, const char *format);

class HeadedPixels final : public PlainFile
{
public:
  // `suffix`: of the pixels; `text`: the head.
  HeadedPixels (const Planned &p, const char *suffix, std::string text);

  void finish () override;

private:
  std::optional<Temporary> head; // none if another process writes it
};

// Opens written pixels, whose size is known, at an offset in a file.
std::shared_ptr<const Stack> written_pixels (const std::string &path, int64_t offset, Element element,
                                             const std::array<int64_t, 3> &extent);

} // namespace sino::files
