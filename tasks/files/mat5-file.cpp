// SPDX-License-Identifier: LGPL-3.0-or-later
// Follows "MAT-File Format" (The MathWorks, R2024a), chapter 1.
#include "tasks/files/mat5-file.hpp"
#include "base/error.hpp"
#include "formats/page-files.hpp"
#include "formats/with-type.hpp"
#include <optional>

namespace sino::files {

namespace {

constexpr int64_t mat_head_bytes = 128, tag_bytes = 8;
constexpr size_t most_arrays = 4096, most_name = 256, most_axes = 32;
constexpr uint32_t matrix_type = 14, packed_type = 15;
enum Class : uint32_t { double_class = 6, single_class = 7, first_integer = 8, last_class = 15 };

// The tag of an element; a short element has its data in the tag.
struct MatTag {
  uint32_t type, bytes;
  bool is_short;
};

// Reads bytes in sequence, from the file or decompressed.
class ArraySource
{
public:
  ArraySource (const Descriptor &f, int64_t at) : file (&f), place (at) {}
  explicit ArraySource (Inflate &i) : inflate (&i) {}

  void read (void *to, size_t n)
  {
    if (inflate)
      inflate->read (to, n);
    else
      file->read (to, n, place);
    place += static_cast<int64_t> (n);
  }
  int64_t at () const { return place; }

private:
  const Descriptor *file = nullptr;
  Inflate *inflate = nullptr;
  int64_t place = 0;
};

std::optional<Sample> sample_of_type (uint32_t type)
{
  static constexpr std::pair<uint32_t, Sample> types[] = {
      {1, Sample::i8},  {2, Sample::u8},  {3, Sample::i16}, {4, Sample::u16},  {5, Sample::i32},
      {6, Sample::u32}, {7, Sample::f32}, {9, Sample::f64}, {12, Sample::i64}, {13, Sample::u64}};
  for (const auto &[number, sample] : types)
    if (type == number)
      return sample;
  return {};
}

class MatParser
{
public:
  MatParser (const Descriptor &f, const std::string &t) : file (f), title (t)
  {
    std::byte head[mat_head_bytes];
    file.read (head, sizeof head, 0);
    const auto mark = number_at<uint16_t> (head, 126, false);
    swapped = mark == ('I' << 8 | 'M');
    if (!swapped && mark != ('M' << 8 | 'I'))
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: its header does not give the byte order", title.c_str ());
  }

  std::vector<MatArray> arrays ()
  {
    const auto size = file.size ();
    for (int64_t at = mat_head_bytes; at + tag_bytes <= size && found.size () < most_arrays;) {
      ArraySource source (file, at);
      const auto tag = read_tag (source);
      if (tag.is_short) {
        at += tag_bytes;
        continue;
      }
      const auto begin = at + tag_bytes, end = begin + static_cast<int64_t> (tag.bytes);
      if (end > size)
        fail (SINO_ERROR_BAD_FILE,
              "%s is truncated: an array in it ends at byte %" G_GINT64_FORMAT ", the file has %" G_GINT64_FORMAT,
              title.c_str (), end, size);
      if (tag.type == matrix_type)
        add (source, begin, -1, tag.bytes);
      else if (tag.type == packed_type)
        add_packed (begin, tag.bytes);
      at = tag.type == packed_type ? end : begin + (static_cast<int64_t> (tag.bytes) + 7) / 8 * 8;
    }
    return std::move (found);
  }

private:
  const Descriptor &file;
  const std::string &title;
  bool swapped = false;
  std::vector<MatArray> found;

  [[noreturn]] void damaged (const char *what) const
  {
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: %s", title.c_str (), what);
  }

  MatTag read_tag (ArraySource &source) const
  {
    std::byte bytes[tag_bytes / 2];
    source.read (bytes, sizeof bytes);
    const auto first = number_at<uint32_t> (bytes, 0, swapped);
    if (first >> 16)
      return {first & 0xffff, first >> 16, true};
    source.read (bytes, sizeof bytes);
    return {first, number_at<uint32_t> (bytes, 0, swapped), false};
  }

  // The content of a small element, including its padding.
  std::vector<std::byte> read_small (ArraySource &source, size_t most) const
  {
    const auto tag = read_tag (source);
    if (tag.bytes > most || (tag.is_short && tag.bytes > 4))
      damaged ("the header of an array is too long");
    std::vector<std::byte> content (tag.is_short ? 4 : (tag.bytes + 7) / 8 * 8);
    source.read (content.data (), content.size ());
    content.resize (tag.bytes);
    return content;
  }

  void add_packed (int64_t at, uint32_t packed)
  {
    Inflate inflate (file, at, packed, title);
    ArraySource source (inflate);
    if (const auto tag = read_tag (source); tag.type == matrix_type && !tag.is_short)
      add (source, at, packed, tag.bytes);
  }

  // Adds the array at the source's position, after its tag.
  void add (ArraySource &source, int64_t begin, int64_t packed, uint32_t bytes)
  {
    const auto start = source.at ();
    const auto flags = read_small (source, 8);
    if (flags.size () != 8)
      damaged ("an array has no type");
    const auto word = number_at<uint32_t> (flags.data (), 0, swapped), kind = word & 0xff;
    if (kind < double_class || kind > last_class)
      return; // the array is not numeric
    MatArray array;
    array.complex = word & 0x0800;
    const auto extents = read_small (source, most_axes * 4);
    array.values = 1;
    for (size_t i = 0; i + 4 <= extents.size (); i += 4) {
      const auto n = number_at<int32_t> (extents.data (), i, swapped);
      if (n < 0)
        damaged ("an array has a negative size");
      array.extents.push_back (n);
      if (n > 0 && array.values > (int64_t{1} << 50) / n)
        damaged ("an array is larger than any file");
      array.values *= n;
    }
    if (array.extents.size () < 2)
      damaged ("an array has fewer than two axes");
    const auto name = read_small (source, most_name);
    array.name.assign (reinterpret_cast<const char *> (name.data ()), name.size ());
    if (array.values == 0)
      return;
    const auto tag = read_tag (source);
    const auto sample = sample_of_type (tag.type);
    if (!sample)
      damaged ("values of an array have an unknown type");
    const auto size = static_cast<int64_t> (size_of (*sample));
    if (static_cast<int64_t> (tag.bytes) != array.values * size ||
        source.at () - start + static_cast<int64_t> (tag.bytes) > static_cast<int64_t> (bytes) + (tag.is_short ? 4 : 0))
      damaged ("an array has fewer or more values than its size");
    const bool real = kind < first_integer && *sample != Sample::f32 && *sample != Sample::f64;
    array.samples = {.type = *sample, .swapped = swapped && size > 1, .scale = 1, .zero = 0, .real = real};
    array.offset = source.at ();
    if (packed >= 0) {
      array.packed_at = begin;
      array.packed = packed;
      // Deflate expands one byte to at most 1032 (zlib.net/zlib_tech.html).
      if (static_cast<int64_t> (tag.bytes) / 1032 > packed)
        damaged ("a packed array is too small for its values");
    }
    found.push_back (std::move (array));
  }
};

} // namespace

std::string MatArray::describe () const
{
  return name + " (" + sino::join (extents, " x ", [] (int64_t n) { return std::to_string (n); }) + " " +
         name_of (samples.type) + ")";
}

std::vector<MatArray> find_arrays (const Descriptor &file, const std::string &title)
{
  return MatParser (file, title).arrays ();
}

std::vector<double> read_array (const Descriptor &file, const MatArray &array, const std::string &title)
{
  const auto n = static_cast<size_t> (array.values), size = size_of (array.samples.type);
  std::vector<std::byte> bytes (n * size);
  if (array.packed_at < 0)
    file.read (bytes.data (), bytes.size (), array.offset);
  else {
    Inflate inflate (file, array.packed_at, array.packed, title);
    inflate.skip (array.offset);
    inflate.read (bytes.data (), bytes.size ());
  }
  if (array.samples.swapped)
    swap_bytes (bytes.data (), n, size);
  std::vector<double> values (n);
  with_type (array.samples.type, [&] (auto type) {
    for (size_t i = 0; i < n; i++)
      values[i] = as_double (number_at<decltype (type)> (bytes.data (), i * size, false));
  });
  return values;
}

} // namespace sino::files
