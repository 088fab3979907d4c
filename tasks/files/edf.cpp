// SPDX-License-Identifier: LGPL-3.0-or-later
// ESRF's data format (EDF): for each image a header in braces, with lines "key = value ;", followed by plain values.
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "formats/page-files.hpp"
#include <map>

namespace sino::files {

using namespace formats;

namespace {

constexpr size_t piece = 512, most_head = size_t{1} << 20;

using EdfHead = std::map<std::string, std::string>;

// Removes blanks and line ends at both ends of a word.
std::string trimmed (const std::string &word)
{
  const auto begin = word.find_first_not_of (" \t\r\n");
  return begin == word.npos ? "" : word.substr (begin, word.find_last_not_of (" \t\r\n") - begin + 1);
}

bool begins_here (const Descriptor &file, int64_t offset)
{
  std::string start (static_cast<size_t> (std::min<int64_t> (piece, file.size () - offset)), '\0');
  file.read (start.data (), start.size (), offset);
  const auto brace = start.find_first_not_of (" \t\r\n");
  return brace != start.npos && start[brace] == '{';
}

// Reads the header in braces at an offset, and moves the offset behind it. The header ends with a brace at the end of a
// line.
std::string read_text (const Descriptor &file, int64_t &offset, const std::string &title)
{
  std::string text;
  while (text.size () < most_head) {
    const auto had = text.size ();
    const auto some = std::min<int64_t> (piece, file.size () - offset - static_cast<int64_t> (had));
    if (some <= 0)
      fail (SINO_ERROR_BAD_FILE, "%s is truncated: one of its headers has no end", title.c_str ());
    text.resize (had + static_cast<size_t> (some));
    file.read (text.data () + had, static_cast<size_t> (some), offset + static_cast<int64_t> (had));
    for (auto at = text.find ('}', had > 2 ? had - 2 : 0); at != text.npos; at = text.find ('}', at + 1)) {
      const auto line_end = text.compare (at + 1, 1, "\r") == 0 ? at + 2 : at + 1;
      if (text.compare (line_end, 1, "\n") == 0) {
        offset += static_cast<int64_t> (line_end) + 1;
        return text.substr (0, at);
      }
    }
  }
  fail (SINO_ERROR_BAD_FILE, "%s is damaged: one of its headers has no end", title.c_str ());
}

EdfHead parse (const std::string &text)
{
  EdfHead head;
  for (const auto &line : split (std::string_view (text).substr (text.find ('{') + 1), ';'))
    if (const auto equal = line.find ('='); equal != line.npos)
      head.emplace (lower_case (trimmed (line.substr (0, equal))), trimmed (line.substr (equal + 1)));
  return head;
}

std::string word (const EdfHead &head, const char *key)
{
  const auto found = head.find (key);
  return found == head.end () ? std::string () : found->second;
}

int64_t size (const EdfHead &head, const char *key, int64_t otherwise, const std::string &title)
{
  const auto value = word (head, key);
  int64_t n = otherwise;
  if (!value.empty () && (!parse_integer (value, n) || n < 1))
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: %s is %s", title.c_str (), key, quoted (value).c_str ());
  return n;
}

Samples samples_of (const EdfHead &head, const std::string &title)
{
  static constexpr std::pair<std::string_view, Sample> types[] = {
      {"unsignedbyte", Sample::u8},     {"unsignedchar", Sample::u8},   {"unsignedshort", Sample::u16},
      {"unsignedinteger", Sample::u32}, {"unsignedint", Sample::u32},   {"unsignedlong", Sample::u32},
      {"unsigned64", Sample::u64},      {"signedbyte", Sample::i8},     {"signedchar", Sample::i8},
      {"signedshort", Sample::i16},     {"signedinteger", Sample::i32}, {"signedint", Sample::i32},
      {"signedlong", Sample::i32},      {"signed64", Sample::i64},      {"floatvalue", Sample::f32},
      {"float", Sample::f32},           {"real", Sample::f32},          {"floatieee32", Sample::f32},
      {"doublevalue", Sample::f64},     {"double", Sample::f64},        {"floatieee64", Sample::f64}};
  const auto name = lower_case (word (head, "datatype")), order = lower_case (word (head, "byteorder"));
  if (const auto packed = lower_case (word (head, "compression")); !packed.empty () && packed != "none")
    fail (SINO_ERROR_BAD_FILE, "%s is compressed (%s): write it again without compression", title.c_str (),
          quoted (packed).c_str ());
  const bool big = order.starts_with ("high");
  if (!big && !order.empty () && !order.starts_with ("low"))
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: ByteOrder is %s", title.c_str (), quoted (order).c_str ());
  for (const auto &[known, type] : types)
    if (name == known)
      return {type, size_of (type) > 1 && big != (std::endian::native == std::endian::big)};
  fail (SINO_ERROR_BAD_FILE, "%s has the unknown DataType %s", title.c_str (), quoted (name).c_str ());
}

// Images at equal distances are one run.
void append (std::vector<PageRun> &runs, const PageRun &run)
{
  auto &last = runs.back ();
  if (run.pages == 1 && last.pages == 1)
    last.pitch = run.offset - last.offset;
  if (run.pages == 1 && last.offset + last.pages * last.pitch == run.offset)
    last.pages++;
  else
    runs.push_back (run);
}

PagesFound find_edf (const Descriptor &file, const std::string &title)
{
  PagesFound found;
  const auto all = file.size ();
  for (int64_t offset = 0; offset < all;) {
    step_unless_cancelled ();
    if (!begins_here (file, offset)) {
      if (found.runs.empty ())
        fail (SINO_ERROR_BAD_FILE, "%s is damaged: it does not begin with a header in braces", title.c_str ());
      break; // other data after the last image
    }
    const auto head = parse (read_text (file, offset, title));
    const auto bytes = size (head, "edf_binarysize", size (head, "size", 0, title), title);
    if (word (head, "dim_1").empty ()) { // a general header without an image of its own
      offset += std::min (bytes, all - offset);
      continue;
    }
    PagesFound here;
    here.samples = samples_of (head, title);
    here.columns = size (head, "dim_1", 1, title);
    here.lines = size (head, "dim_2", 1, title);
    here.add_run (title, offset, size (head, "dim_3", 1, title));
    const auto &run = here.runs[0];
    if (found.runs.empty ())
      found = here;
    else if (here.samples.type != found.samples.type || here.samples.swapped != found.samples.swapped ||
             here.lines != found.lines || here.columns != found.columns)
      fail (SINO_ERROR_BAD_FILE,
            "%s has images of several sizes or types: all images of a scan must have the same size and type",
            title.c_str ());
    else
      append (found.runs, run);
    const auto pixels = run.pages * run.pitch;
    if (bytes > 0 && bytes < pixels)
      fail (SINO_ERROR_BAD_FILE,
            "%s is damaged: Size is %" G_GINT64_FORMAT ", and its pixels have %" G_GINT64_FORMAT " bytes",
            title.c_str (), bytes, pixels);
    if (pixels > all - offset)
      return found; // the caller reports that the file is truncated
    offset += std::min (std::max (bytes, pixels), all - offset);
  }
  return found;
}

// Other text files may begin with a brace, too, so keys are checked.
bool is_edf (const Descriptor &file)
{
  std::string start (static_cast<size_t> (std::clamp<int64_t> (file.size (), 0, 4096)), '\0');
  file.read (start.data (), start.size (), 0);
  const auto names = lower_case (start);
  return begins_here (file, 0) && (names.find ("dim_1") != names.npos || names.find ("headerid") != names.npos ||
                                   names.find ("edf_") != names.npos);
}

const Registered<ReadingFormat>
    edf ({.name = "EDF", .recognised = is_edf, .suffixes = {".edf"}, .sequences = true, .open = open_plain<find_edf>});

} // namespace
} // namespace sino::files
