// SPDX-License-Identifier: LGPL-3.0-or-later
// PNG as a format to read: grey images of 8 or 16 bits, one per file.
#include "formats/formats.hpp"
#include "tasks/files/png/reader.hpp"
#include <bit>

namespace sino::files {

namespace {

constexpr LineFormat png_lines{
    .swapped = std::endian::native == std::endian::little,
    .head = png_head,
    .open = [] (const Descriptor &file, const std::string &title) -> std::unique_ptr<LineReader> {
      return std::make_unique<PngReader> (file, title);
    },
    .scratch = PngReader::scratch};

// Low priority, because a folder may contain pictures beside its images.
const Registered<ReadingFormat>
    png ({.name = "PNG",
          .recognised = [] (const Descriptor &file) { return begins_with (file, "\x89PNG\r\n\x1a\n"); },
          .suffixes = {".png"},
          .elements = {Element::u8, Element::u16},
          .sequences = true,
          .priority = -1,
          .open =
              [] (const ReadRequest &request, auto &) {
                return std::make_shared<const ImageFile> (request.path, line_images (request.paths, png_lines));
              }});

} // namespace

} // namespace sino::files
