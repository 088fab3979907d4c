// SPDX-License-Identifier: LGPL-3.0-or-later
// NumPy's .npy as a format to read: a Python dictionary with type and shape, followed by plain values.
#include "base/error.hpp"
#include "formats/page-files.hpp"

namespace sino::files {

using namespace formats;

namespace {

constexpr std::string_view magic = "\x93NUMPY";

// The value of a key of the dictionary, up to the comma or bracket that ends it.
std::string value_of (const std::string &head, const std::string &key, const std::string &title)
{
  const auto at = head.find (text ("'%s':", key.c_str ()));
  if (at == head.npos)
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: its header has no '%s'", title.c_str (), key.c_str ());
  const auto begin = head.find_first_not_of (' ', at + key.size () + 3);
  if (begin == head.npos)
    return {};
  const auto end = head[begin] == '(' ? head.find (')', begin) : head.find_first_of (",}", begin);
  return head.substr (begin, end == head.npos ? end : end - begin);
}

// "'<u2'"
Samples samples_of (const std::string &word, const std::string &title)
{
  static constexpr std::pair<std::string_view, Sample> types[] = {
      {"u1", Sample::u8},  {"b1", Sample::u8},  {"u2", Sample::u16}, {"f2", Sample::f16},
      {"f4", Sample::f32}, {"i1", Sample::i8},  {"i2", Sample::i16}, {"u4", Sample::u32},
      {"i4", Sample::i32}, {"u8", Sample::u64}, {"i8", Sample::i64}, {"f8", Sample::f64}};
  constexpr char other = std::endian::native == std::endian::little ? '>' : '<';
  for (const auto &[name, type] : types)
    if (word.size () == 5 && std::string_view (word).substr (2, 2) == name)
      return {type, word[1] == other && size_of (type) > 1};
  fail (SINO_ERROR_BAD_FILE, "%s contains values of the type %s: convert them with array.astype ('float32')",
        title.c_str (), quoted (word).c_str ());
}

PagesFound find_npy (const Descriptor &file, const std::string &title)
{
  std::byte start[12] = {};
  file.read (start, 10, 0);
  const bool short_length = start[6] == std::byte{1};
  if (!short_length)
    file.read (start + 10, 2, 10);
  constexpr bool big = std::endian::native == std::endian::big;
  const int64_t length = short_length ? number_at<uint16_t> (start, 8, big) : number_at<uint32_t> (start, 8, big);
  const int64_t begin = short_length ? 10 : 12;
  if (length > 65536)
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: its header gives its own length as %" G_GINT64_FORMAT " bytes",
          title.c_str (), length);
  std::string head (static_cast<size_t> (length), '\0');
  file.read (head.data (), head.size (), begin);

  PagesFound found;
  found.samples = samples_of (value_of (head, "descr", title), title);
  if (value_of (head, "fortran_order", title) != "False")
    fail (SINO_ERROR_BAD_FILE,
          "%s is in Fortran order, which is not the order of images: save numpy.ascontiguousarray (array)",
          title.c_str ());
  std::vector<int64_t> shape;
  auto words = value_of (head, "shape", title);
  std::erase_if (words, [] (char c) { return c == '(' || c == ' '; });
  for (const auto &word : split (words, ','))
    if (int64_t n = 0; parse_integer (word, n))
      shape.push_back (n);
  if (shape.size () != 2 && shape.size () != 3)
    fail (SINO_ERROR_BAD_FILE, "%s has %zu axes: a stack of images has three", title.c_str (), shape.size ());
  found.lines = shape[shape.size () - 2];
  found.columns = shape.back ();
  found.add_run (title, begin + length, shape.size () == 3 ? shape[0] : 1);
  return found;
}

const Registered<ReadingFormat> npy ({.name = "NumPy",
                                      .recognised = [] (const Descriptor &file) { return begins_with (file, magic); },
                                      .suffixes = {".npy"},
                                      .sequences = true,
                                      .open = open_plain<find_npy>});

} // namespace
} // namespace sino::files
