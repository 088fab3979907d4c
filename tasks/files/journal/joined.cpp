// SPDX-License-Identifier: LGPL-3.0-or-later
// The text has one line: "RESUMED" or "RESUMED INODE OFFSET PATH"; then, for each file that shares the images of that
// one, a tab and "INODE OFFSET PATH".
#include "tasks/files/journal/joined.hpp"
#include "base/error.hpp"
#include "formats/checksum-file.hpp"
#include <span>

namespace sino::files {

namespace {

[[noreturn]] void fail_unclear ()
{
  fail (SINO_ERROR_FAILED, "the first rank does not report the files that it opened");
}

std::string file_text (const formats::Unfinished &file)
{
  return text ("%lld %lld ", static_cast<long long> (file.inode), static_cast<long long> (file.first_pixel)) +
         escaped (file.path);
}

formats::Unfinished file_of (const std::string &told)
{
  const auto words = split (told, ' ');
  int64_t inode = 0, first_pixel = 0;
  if (words.size () < 3 || !parse_integer (words[0], inode) || !parse_integer (words[1], first_pixel))
    fail_unclear ();
  // The path may contain blanks.
  return {unescaped (sino::join (std::span (words).subspan (2), " ")), static_cast<uint64_t> (inode), first_pixel};
}

} // namespace

std::string opened_text (const formats::Planned &planned, const formats::Target &target)
{
  auto line = text ("%d", planned.resumed);
  if (const auto file = target.unfinished ()) {
    line += ' ' + file_text (*file);
    for (const auto &part : file->parts)
      line += '\t' + file_text (part);
  }
  return line;
}

void join (formats::Planned &planned, const std::string &opened)
{
  auto files = split (opened, '\t');
  auto &first = files.front ();
  const auto end = std::min (first.find (' '), first.size ());
  int64_t resumed = 0;
  if (!parse_integer (first.substr (0, end), resumed))
    fail_unclear ();
  first.erase (0, std::min (end + 1, first.size ()));
  planned.joined = true;
  planned.resumed = resumed != 0;
  planned.unfinished.reset ();
  if (first.empty ())
    return;
  planned.unfinished = file_of (first);
  for (const auto &part : std::span (files).subspan (1))
    planned.unfinished->parts.push_back (file_of (part));
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
