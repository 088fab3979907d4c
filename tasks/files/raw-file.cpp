// SPDX-License-Identifier: LGPL-3.0-or-later
// Files without a header; the property raw= describes the pixels: u16:2048x2048+1024:big.
#include "base/error.hpp"
#include "formats/formats.hpp"
#include "formats/page-files.hpp"

namespace sino::files {

using namespace formats;

namespace {

struct Description {
  Samples samples;
  int64_t columns = 0, lines = 0, pages = 0, offset = 0; // pages: 0: all that the file has
};

[[noreturn]] void refuse (const std::string &word, const char *what)
{
  fail (SINO_ERROR_BAD_PROPERTY,
        "raw=%s: %s: give type:columnsxrows, and then, if needed, ximages, +offset and :big, as in "
        "u16:2048x2048x720+1024:big",
        word.c_str (), what);
}

Samples parse_samples (const std::string &word, const std::string &type, bool big)
{
  if (const auto sample = sample_named (type))
    return {*sample, size_of (*sample) > 1 && big != (std::endian::native == std::endian::big)};
  refuse (word, "the type must be one of u8, u16, f16, f32, i8, i16, u32, i32, u64, i64 and f64");
}

Description parse_description (const std::string &word)
{
  const auto words = split (word, ':');
  if (words.size () < 2 || words.size () > 3)
    refuse (word, "the type or the size is missing");
  const bool big = words.size () == 3 && words[2] == "big";
  if (words.size () == 3 && !big && words[2] != "little")
    refuse (word, "the byte order must be little or big");
  Description found;
  found.samples = parse_samples (word, words[0], big);
  auto sizes = words[1];
  if (const auto plus = sizes.find ('+'); plus != sizes.npos) {
    if (!parse_integer (sizes.substr (plus + 1), found.offset) || found.offset < 0)
      refuse (word, "the offset must be a number of bytes");
    sizes.erase (plus);
  }
  const auto numbers = split (sizes, 'x');
  int64_t *const places[] = {&found.columns, &found.lines, &found.pages};
  if (numbers.size () < 2 || numbers.size () > 3)
    refuse (word, "the size must have two or three numbers");
  for (size_t i = 0; i < numbers.size (); i++)
    if (!parse_integer (numbers[i], *places[i]) || *places[i] < 1 || *places[i] > largest_extent)
      refuse (word, "the size must have numbers from 1 to 4194304");
  return found;
}

PagesFound find (const Description &wanted, const std::string &word, const Descriptor &file, const std::string &title)
{
  PagesFound found;
  found.samples = wanted.samples;
  found.lines = wanted.lines;
  found.columns = wanted.columns;
  auto pages = wanted.pages;
  if (pages == 0) {
    const auto page = wanted.lines * wanted.columns * static_cast<int64_t> (size_of (wanted.samples.type));
    const auto bytes = file.size () - wanted.offset;
    if (bytes < page || bytes % page != 0)
      fail (SINO_ERROR_BAD_FILE,
            "%s has %" G_GINT64_FORMAT " bytes, and raw=%s gives images of %" G_GINT64_FORMAT
            " bytes after the first %" G_GINT64_FORMAT
            ": these are %.6g images: correct raw=, or add the number of images",
            title.c_str (), file.size (), word.c_str (), page, wanted.offset,
            std::max (static_cast<double> (bytes) / static_cast<double> (page), 0.0));
    pages = bytes / page;
  }
  found.add_run (title, wanted.offset, pages);
  return found;
}

std::shared_ptr<const ImageFile> open (const ReadRequest &request, std::vector<std::string> &)
{
  if (request.raw.empty ())
    fail (SINO_ERROR_BAD_FILE,
          "'%s' does not describe its pixels: set raw= to their type, columns and rows, and the number of bytes before "
          "them, as in raw=u16:2048x2048+1024",
          request.paths[0].c_str ());
  const auto wanted = parse_description (request.raw);
  return std::make_shared<const ImageFile> (
      request.path, open_pages (request.paths, [&] (const Descriptor &file, const std::string &title) {
        return find (wanted, request.raw, file, title);
      }));
}

const Registered<ReadingFormat> raw (
    {.name = "raw", .suffixes = {".raw", ".bin"}, .sequences = true, .described = true, .priority = -1, .open = open});

} // namespace
} // namespace sino::files
