// SPDX-License-Identifier: LGPL-3.0-or-later
// JPEG as a format to read: grey images of 8 bits, one per file.
#include "base/shown.hpp"
#include "formats/formats.hpp"
#include "tasks/files/png/jpeg-reader.hpp"

namespace sino::files {

namespace {

constexpr LineFormat jpeg_lines{
    .swapped = false,
    .head = jpeg_head,
    .open = [] (const Descriptor &file, const std::string &title) -> std::unique_ptr<LineReader> {
      return std::make_unique<JpegReader> (file, title);
    },
    .scratch = JpegReader::scratch};

std::shared_ptr<const ImageFile> open_jpeg (const ReadRequest &request, std::vector<std::string> &messages)
{
  auto stack = line_images (request.paths, jpeg_lines);
  messages.push_back (
      in_quotes (stack->name) +
      " is JPEG, which rounds values in blocks of 8 x 8 pixels: where there are images that it was made "
      "of, take these");
  return std::make_shared<const ImageFile> (request.path, std::move (stack));
}

// Lowest priority, because a folder may contain pictures beside its images.
const Registered<ReadingFormat>
    jpeg ({.name = "JPEG",
           .recognised = [] (const Descriptor &file) { return begins_with (file, "\xff\xd8\xff"); },
           .suffixes = {".jpg", ".jpeg"},
           .elements = {Element::u8},
           .sequences = true,
           .priority = -2,
           .open = open_jpeg});

} // namespace

} // namespace sino::files
