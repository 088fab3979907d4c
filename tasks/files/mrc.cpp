// SPDX-License-Identifier: LGPL-3.0-or-later
// MRC as a format to read, also as written by IMOD: a header of 1024 bytes, an extended header, plain values.
#include "base/error.hpp"
#include "formats/page-files.hpp"

namespace sino::files {

using namespace formats;

namespace {

constexpr size_t head_bytes = 1024;

struct MrcHead {
  std::byte bytes[head_bytes];
  bool swapped = false;

  int32_t word (size_t at) const { return number_at<int32_t> (bytes, at, swapped); }
};

// Files from before 2000 have no mark: checks sizes and type number.
bool is_plausible (const MrcHead &head)
{
  for (size_t i = 0; i < 3; i++)
    if (head.word (4 * i) < 1 || head.word (4 * i) > largest_extent)
      return false;
  return head.word (12) >= 0 && head.word (12) <= 101;
}

MrcHead read_mrc_head (const Descriptor &file, const std::string &title)
{
  MrcHead head;
  file.read (head.bytes, head_bytes, 0);
  for (const bool swapped : {false, true}) {
    head.swapped = swapped;
    if (is_plausible (head))
      return head;
  }
  fail (SINO_ERROR_BAD_FILE, "%s is damaged: its header describes %d x %d x %d pixels of type %d", title.c_str (),
        head.word (0), head.word (4), head.word (8), head.word (12));
}

Sample type_of (const MrcHead &head, const std::string &title)
{
  // IMOD's mark, and its flag for signed bytes; in MRC2014 bytes are always signed.
  const bool imod = head.word (152) == 1146047817, signed_bytes = !imod || (head.word (156) & 1) != 0;
  static constexpr std::pair<int32_t, Sample> types[] = {
      {1, Sample::i16}, {2, Sample::f32}, {6, Sample::u16}, {12, Sample::f16}};
  const auto mode = head.word (12);
  if (mode == 0)
    return signed_bytes ? Sample::i8 : Sample::u8;
  for (const auto &[known, type] : types)
    if (mode == known)
      return type;
  fail (SINO_ERROR_BAD_FILE,
        "%s contains values of mode %d: only 0 (bytes), 1 (i16), 2 (f32), 6 (u16) and 12 (f16) work", title.c_str (),
        mode);
}

PagesFound find_mrc (const Descriptor &file, const std::string &title)
{
  const auto head = read_mrc_head (file, title);
  const auto extended = head.word (92);
  if (extended < 0)
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: its extended header has %d bytes", title.c_str (), extended);
  PagesFound found;
  const auto type = type_of (head, title);
  found.samples = {type, head.swapped && size_of (type) > 1};
  found.columns = head.word (0);
  found.lines = head.word (4);
  found.add_run (title, static_cast<int64_t> (head_bytes) + extended, head.word (8));
  return found;
}

bool is_mrc (const Descriptor &file)
{
  char mark[4];
  if (file.size () < static_cast<int64_t> (head_bytes))
    return false;
  file.read (mark, sizeof mark, 208);
  return std::string_view (mark, sizeof mark) == "MAP ";
}

const Registered<ReadingFormat> mrc ({.name = "MRC",
                                      .recognised = is_mrc,
                                      .suffixes = {".mrc", ".mrcs", ".st", ".ali", ".preali", ".rec"},
                                      .sequences = true,
                                      .open = open_plain<find_mrc>});

} // namespace
} // namespace sino::files
