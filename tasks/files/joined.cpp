// SPDX-License-Identifier: LGPL-3.0-or-later
// One line: "RESUMED" or "RESUMED INODE OFFSET PATH".
#include "tasks/files/joined.hpp"
#include "base/error.hpp"

namespace sino::files {

std::string opened_text (const formats::Planned &planned, const formats::Target &target)
{
  auto line = text ("%d", planned.resumed);
  if (const auto file = target.unfinished ())
    line += text (" %llu %lld ", static_cast<unsigned long long> (file->inode),
                  static_cast<long long> (file->first_pixel)) +
            file->path;
  return line;
}

void join (formats::Planned &planned, const std::string &opened)
{
  unsigned long long inode = 0;
  long long first_pixel = 0;
  int resumed = 0, end = 0;
  const int found = sscanf (opened.c_str (), "%d %llu %lld %n", &resumed, &inode, &first_pixel, &end);
  if (found != 1 && (found != 3 || end == 0))
    fail (SINO_ERROR_FAILED, "the first rank tells nothing of what it has opened");
  planned.joined = true;
  planned.resumed = resumed != 0;
  planned.unfinished.reset ();
  if (found == 3)
    planned.unfinished = {opened.substr (static_cast<size_t> (end)), inode, first_pixel};
}

} // namespace sino::files
