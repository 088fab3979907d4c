// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scanners/varian-image.hpp"
#include "base/error.hpp"
#include "formats/formats.hpp"
#include "formats/page-files.hpp"
#include <bit>
#include <cmath>

namespace sino::files {

namespace {

constexpr bool varian_swapped = std::endian::native == std::endian::big;

// Reads numbers of a head in order.
class HeadNumbers
{
public:
  HeadNumbers (const Descriptor &f, std::string t, int64_t at) : file (f), title (std::move (t)), place (at) {}

  int64_t at () const { return place; }
  int64_t whole () { return next<int32_t> (); }
  double real () { return next<double> (); }
  // A number of bytes or items that follow, at most `most`; each item takes `bytes` at least.
  int64_t count (const char *what, int64_t bytes, int64_t most = std::numeric_limits<int64_t>::max ())
  {
    const auto n = whole ();
    if (n < 0 || n > std::min ((file.size () - place) / bytes, most))
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: it has %" G_GINT64_FORMAT " %s", title.c_str (), n, what);
    return n;
  }
  void skip (int64_t bytes) { place += bytes; }
  std::string word (int64_t bytes)
  {
    std::string text (static_cast<size_t> (bytes), '\0');
    file.read (text.data (), text.size (), place);
    place += bytes;
    return text;
  }

private:
  const Descriptor &file;
  const std::string title;
  int64_t place;

  template <class T> T next ()
  {
    std::byte bytes[sizeof (T)];
    file.read (bytes, sizeof bytes, place);
    place += sizeof bytes;
    return number_at<T> (bytes, 0, varian_swapped);
  }
};

// Properties behind the pixels of a .xim: names with a type and a value. Lengths are in cm.
void take_properties (HeadNumbers &numbers, VarianHead &head)
{
  constexpr int64_t most = 4096; // properties, and letters in a name
  for (auto left = numbers.count ("properties", 12, most); left > 0; left--) {
    const auto name = numbers.word (numbers.count ("letters in a name", 1, most));
    const auto type = numbers.whole ();
    double value = 0;
    if (type == 0)
      value = static_cast<double> (numbers.whole ());
    else if (type == 1)
      value = numbers.real ();
    else
      numbers.skip (numbers.count ("bytes in a property", 1));
    if (name == "KVSourceRtn")
      head.angle = 180 - value; // RTK turns the other way
    else if (name == "KVDetectorLat")
      head.across = 10 * value;
    else if (name == "KVDetectorLng")
      head.along = 10 * value;
    else if (name == "PixelWidth")
      head.pixel_width = 10 * value;
    else if (name == "PixelHeight")
      head.pixel_height = 10 * value;
  }
}

VarianHead xim_head (const Descriptor &file, const std::string &title)
{
  VarianHead head;
  HeadNumbers numbers (file, title, 12); // after mark and version
  head.columns = numbers.whole ();
  head.lines = numbers.whole ();
  numbers.skip (4); // bits of a pixel
  const auto bytes = numbers.whole ();
  head.compressed = numbers.whole () != 0;
  if (head.compressed) {
    head.table_bytes = numbers.count ("bytes in its table", 1);
    head.table = numbers.at ();
    numbers.skip (head.table_bytes);
  }
  head.data_bytes = numbers.count ("bytes of pixels", 1);
  head.data = numbers.at ();
  numbers.skip (head.data_bytes + (head.compressed ? 4 : 0));
  if (!head.compressed && bytes != 1 && bytes != 2 && bytes != 4)
    fail (SINO_ERROR_BAD_FILE, "%s has pixels of %" G_GINT64_FORMAT " bytes: only 1, 2 and 4 work", title.c_str (),
          bytes);
  if (!head.compressed)
    head.sample = bytes == 1 ? Sample::i8 : bytes == 2 ? Sample::i16 : Sample::i32;
  numbers.skip (4 * numbers.count ("classes in its histogram", 4));
  take_properties (numbers, head);
  return head;
}

// .hnc and .hnd have the same head. The former has plain pixels of 16 bits behind it. Lengths are in mm.
VarianHead hn_head (const Descriptor &file, const std::string &title)
{
  constexpr int64_t size_at = 120, resolution_at = 352, angle_at = 432, plain_from = 512, table_from = 1024;
  VarianHead head;
  HeadNumbers size (file, title, size_at), resolution (file, title, resolution_at), angle (file, title, angle_at);
  head.columns = size.whole ();
  head.lines = size.whole ();
  head.pixel_width = resolution.real ();
  head.pixel_height = resolution.real ();
  head.angle = angle.real ();
  if (head.columns < 1 || head.lines < 1)
    return head; // is refused below
  check_extents (title, element_of (Sample::u16), 1, head.lines, head.columns);
  head.compressed = file.size () != plain_from + 2 * head.columns * head.lines;
  head.sample = head.compressed ? Sample::i32 : Sample::u16;
  head.table = table_from;
  head.table_bytes = head.compressed ? (head.lines - 1) * head.columns / 4 : 0;
  head.data = head.compressed ? head.table + head.table_bytes : plain_from;
  head.data_bytes = std::max<int64_t> (file.size () - head.data, 0);
  return head;
}

// Differences of 1, 2 or 4 bytes to the sum of the neighbours before and above, without the one before that above. The
// first line and one more pixel are stored as they are.
class DifferenceReader final : public LineReader
{
public:
  DifferenceReader (const Descriptor &file, std::string t, const VarianHead &head)
      : title (std::move (t)), columns (static_cast<size_t> (head.columns)),
        table (static_cast<size_t> (head.table_bytes)), data (static_cast<size_t> (head.data_bytes)), above (columns),
        current (columns)
  {
    file.read (table.data (), table.size (), head.table);
    file.read (data.data (), data.size (), head.data);
  }

  void line (std::byte *to) override
  {
    for (size_t column = 0; column < columns; column++)
      if (number == 0 || (number == 1 && column == 0))
        current[column] = number_of (4);
      else {
        const auto left = column > 0 ? current[column - 1] : above[columns - 1];
        const auto corner = column > 0 ? above[column - 1] : before;
        current[column] = next_difference () + left + above[column] - corner;
      }
    before = above[columns - 1]; // the pixel above the first one's left neighbour in the next line
    std::copy_n (reinterpret_cast<const std::byte *> (current.data ()), columns * sizeof (uint32_t), to);
    above.swap (current);
    number++;
  }

  void end () override {}

private:
  const std::string title;
  const size_t columns;
  std::vector<std::byte> table, data;
  std::vector<uint32_t> above, current; // sums wrap, as in the programs that write them
  uint32_t before = 0;
  size_t number = 0, difference = 0, at = 0;

  uint32_t number_of (size_t bytes)
  {
    if (bytes > data.size () - at)
      fail (SINO_ERROR_BAD_FILE, "%s is truncated: its pixels end in line %zu", title.c_str (), number);
    const auto *place = data.data () + at;
    at += bytes;
    return bytes == 1   ? static_cast<uint32_t> (number_at<int8_t> (place, 0, false))
           : bytes == 2 ? static_cast<uint32_t> (number_at<int16_t> (place, 0, varian_swapped))
                        : number_at<uint32_t> (place, 0, varian_swapped);
  }

  uint32_t next_difference ()
  {
    const auto code =
        difference / 4 < table.size () ? static_cast<size_t> (table[difference / 4]) >> (2 * (difference % 4)) & 3 : 3;
    difference++;
    if (code == 3)
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: its table has no size for a pixel in line %zu", title.c_str (),
            number);
    return number_of (size_t{1} << code);
  }
};

class PlainReader final : public LineReader
{
public:
  PlainReader (const Descriptor &f, const VarianHead &head)
      : file (f), bytes (head.columns * static_cast<int64_t> (size_of (head.sample))), place (head.data)
  {
  }

  void line (std::byte *to) override
  {
    file.read (to, static_cast<size_t> (bytes), place);
    place += bytes;
  }
  void end () override {}

private:
  const Descriptor &file;
  const int64_t bytes;
  int64_t place;
};

LineHead line_head (const Descriptor &file, const std::string &title)
{
  const auto head = varian_head (file, title);
  return {head.sample, head.lines, head.columns};
}

constexpr LineFormat varian_lines{
    .swapped = varian_swapped,
    .head = line_head,
    .open = [] (const Descriptor &file, const std::string &title) -> std::unique_ptr<LineReader> {
      const auto head = varian_head (file, title);
      if (head.compressed)
        return std::make_unique<DifferenceReader> (file, title, head);
      return std::make_unique<PlainReader> (file, head);
    },
    // A compressed image takes at most 4 bytes and 2 bits for a pixel; varian_head () checks it.
    .scratch =
        [] (const LineHead &head) {
          return static_cast<size_t> (head.columns) * static_cast<size_t> (head.lines) * 9 / 2 +
                 static_cast<size_t> (head.columns) * 8 + 4096;
        },
};

} // namespace

VarianHead varian_head (const Descriptor &file, const std::string &title)
{
  auto head = begins_with (file, "VMS.XI") ? xim_head (file, title) : hn_head (file, title);
  if (head.columns < 1 || head.lines < 1)
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: its head describes %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels",
          title.c_str (), head.columns, head.lines);
  check_extents (title, Element::f32, 1, head.lines, head.columns);
  const auto pixels = head.columns * head.lines;
  const auto least = head.compressed ? pixels + 3 * std::min (head.columns + 1, pixels)
                                     : pixels * static_cast<int64_t> (size_of (head.sample));
  const auto tables = head.compressed ? (pixels - head.columns - 1) / 4 : 0;
  if (head.data_bytes < least || head.table_bytes < tables || head.data > file.size ())
    fail (SINO_ERROR_BAD_FILE,
          "%s is truncated: %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels need at least %" G_GINT64_FORMAT
          " bytes, and it has %" G_GINT64_FORMAT,
          title.c_str (), head.columns, head.lines, least, head.data_bytes);
  head.data_bytes = std::min (head.data_bytes, head.compressed ? 4 * pixels : least);
  head.table_bytes = std::min (head.table_bytes, pixels / 4 + 1);
  for (auto *size : {&head.pixel_width, &head.pixel_height})
    if (!(*size >= 1e-6 && *size <= 1e6))
      *size = 0;
  if (head.angle && !(std::abs (*head.angle) <= 1e6))
    head.angle.reset ();
  return head;
}

std::shared_ptr<const Stack> varian_images (const std::vector<std::string> &paths)
{
  return line_images (paths, varian_lines);
}

} // namespace sino::files
