// SPDX-License-Identifier: LGPL-3.0-or-later
// One line: "RESUMED" or "RESUMED INODE OFFSET PATH".
#include "tasks/files/joined.hpp"
#include "base/error.hpp"
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
    fail (SINO_ERROR_FAILED, "the first rank tells nothing of what it has opened");
  planned.joined = true;
  planned.resumed = resumed != 0;
  planned.unfinished.reset ();
  if (has_file) // its path may have blanks
    planned.unfinished = {sino::join (std::span (words).subspan (3), " "), static_cast<uint64_t> (inode), first_pixel};
}

} // namespace sino::files
