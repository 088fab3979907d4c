// SPDX-License-Identifier: LGPL-3.0-or-later
// The text has one line: "RESUMED" or "RESUMED INODE OFFSET PATH".
#include "tasks/files/journal/joined.hpp"
#include "base/error.hpp"
#include "formats/checksum-file.hpp"
#include <span>

namespace sino::files {

std::string opened_text (const formats::Planned &planned, const formats::Target &target)
{
  auto line = text ("%d", planned.resumed);
  if (const auto file = target.unfinished ())
    line += text (" %lld %lld ", static_cast<long long> (file->inode), static_cast<long long> (file->first_pixel)) +
            file->path;
  return line;
}

void join (formats::Planned &planned, const std::string &opened)
{
  auto words = split (opened, ' ');
  int64_t resumed = 0, inode = 0, first_pixel = 0;
  const bool has_file = words.size () > 3;
  if (!parse_integer (words.front (), resumed) || (words.size () > 1 && !has_file) ||
      (has_file && !(parse_integer (words[1], inode) && parse_integer (words[2], first_pixel))))
    fail (SINO_ERROR_FAILED, "the first rank does not report the files that it opened");
  planned.joined = true;
  planned.resumed = resumed != 0;
  planned.unfinished.reset ();
  if (has_file) // the path may contain blanks
    planned.unfinished = {sino::join (std::span (words).subspan (3), " "), static_cast<uint64_t> (inode), first_pixel};
}

// The text has one line: "content" or "blank", then "NUMBER:CHECKSUM" of each image or row.
std::string part_text (bool content, const formats::Checksums &sums)
{
  std::string line = content ? "content" : "blank";
  for (int64_t i = 0; i < sums.size (); i++)
    if (const auto sum = sums.at (i))
      line += text (" %lld:%08x", static_cast<long long> (i), *sum);
  return line;
}

bool take_part (const std::string &part, formats::Checksums &sums)
{
  const auto words = split (part, ' ');
  for (const auto &word : std::span (words).subspan (1)) {
    int64_t place = 0;
    uint32_t sum = 0;
    const auto colon = word.find (':');
    if (colon == word.npos || !parse_integer (word.substr (0, colon), place) || place < 0 || place >= sums.size () ||
        !formats::parse_checksum (word.substr (colon + 1), sum))
      fail (SINO_ERROR_FAILED, "another rank does not report what it wrote");
    sums.set (place, sum);
  }
  return words.front () == "content";
}

} // namespace sino::files
