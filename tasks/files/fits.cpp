// SPDX-License-Identifier: LGPL-3.0-or-later
// FITS as a format to read: the image of the primary header. Cards of 80 characters in blocks of 2880 bytes describe
// it; the values begin in the next block, high byte first.
#include "base/error.hpp"
#include "formats/page-files.hpp"
#include <cmath>
#include <map>

namespace sino::files {

using namespace formats;

namespace {

constexpr size_t block = 2880, card = 80;
constexpr int64_t most_blocks = 1024;

struct FitsHead {
  std::map<std::string, std::string> values; // "BITPIX": "16"
  int64_t end = 0;                           // offset of the data after the header
};

FitsHead read_fits_head (const Descriptor &file, const std::string &title)
{
  FitsHead head;
  for (int64_t n = 0; n < most_blocks; n++) {
    std::string cards (block, '\0');
    file.read (cards.data (), block, n * static_cast<int64_t> (block));
    for (size_t at = 0; at < block; at += card) {
      auto key = cards.substr (at, 8);
      key.erase (key.find_last_not_of (' ') + 1);
      if (key == "END") {
        head.end = (n + 1) * static_cast<int64_t> (block);
        return head;
      }
      if (cards[at + 8] != '=')
        continue;
      auto value = cards.substr (at + 9, card - 9);
      value.erase (std::min (value.find ('/'), value.size ())); // removes a comment
      value.erase (0, std::min (value.find_first_not_of (' '), value.size ()));
      value.erase (value.find_last_not_of (' ') + 1);
      head.values.emplace (std::move (key), std::move (value));
    }
  }
  fail (SINO_ERROR_BAD_FILE, "%s is damaged: its header has no end", title.c_str ());
}

// A number of the header; `otherwise` if there is no such key.
double number (const FitsHead &head, const std::string &key, double otherwise, const std::string &title)
{
  const auto found = head.values.find (key);
  if (found == head.values.end ())
    return otherwise;
  auto word = found->second;
  std::ranges::replace (word, 'D', 'E'); // Fortran's exponent of doubles
  double value = 0;
  if (!parse_number (word, value) || !std::isfinite (value))
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: %s is %s, which is not a number", title.c_str (), key.c_str (),
          quoted (found->second).c_str ());
  return value;
}

int64_t integer (const FitsHead &head, const std::string &key, const std::string &title)
{
  const auto value = number (head, key, 0, title);
  if (value != std::floor (value) || std::abs (value) > 1e15)
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: %s is %g", title.c_str (), key.c_str (), value);
  return static_cast<int64_t> (value);
}

PagesFound find_fits (const Descriptor &file, const std::string &title)
{
  static constexpr std::pair<int64_t, Sample> types[] = {{8, Sample::u8},   {16, Sample::i16},  {32, Sample::i32},
                                                         {64, Sample::i64}, {-32, Sample::f32}, {-64, Sample::f64}};
  const auto head = read_fits_head (file, title);
  const auto bits = integer (head, "BITPIX", title), axes = integer (head, "NAXIS", title);
  const auto *type = std::find_if (std::begin (types), std::end (types), [&] (auto &t) { return t.first == bits; });
  if (type == std::end (types))
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: BITPIX is %" G_GINT64_FORMAT, title.c_str (), bits);
  if (axes < 2 || axes > 999)
    fail (SINO_ERROR_BAD_FILE,
          "%s has no image in its primary header, which has %" G_GINT64_FORMAT
          " axes: write the image of the extension to its own file",
          title.c_str (), axes);
  for (int64_t i = 4; i <= axes; i++)
    if (const auto name = text ("NAXIS%" G_GINT64_FORMAT, i); integer (head, name, title) != 1)
      fail (SINO_ERROR_BAD_FILE, "%s has %" G_GINT64_FORMAT " axes: a stack of images has three", title.c_str (), axes);
  PagesFound found;
  found.samples = {.type = type->second,
                   .swapped = std::endian::native == std::endian::little && size_of (type->second) > 1,
                   .scale = number (head, "BSCALE", 1, title),
                   .zero = number (head, "BZERO", 0, title)};
  found.columns = integer (head, "NAXIS1", title);
  found.lines = integer (head, "NAXIS2", title);
  found.add_run (title, head.end, axes > 2 ? integer (head, "NAXIS3", title) : 1);
  return found;
}

const Registered<ReadingFormat>
    fits ({.name = "FITS",
           .recognised = [] (const Descriptor &file) { return begins_with (file, "SIMPLE  ="); },
           .suffixes = {".fits", ".fit", ".fts"},
           .sequences = true,
           .open = open_plain<find_fits>});

} // namespace
} // namespace sino::files
