// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/volumes/headed-pixels.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "formats/name-groups.hpp"
#include "formats/page-files.hpp"
#include <unistd.h>

namespace sino::files {

std::string beside_head (const std::string &head, const char *suffix)
{
  return head.substr (0, head.rfind ('.')) + suffix;
}

std::string named_in_head (const std::string &head, const std::string &name)
{
  const auto folder = folder_of (head);
  return name.starts_with ('/') || folder.empty () ? name : folder + "/" + name;
}

std::string trimmed (std::string_view word)
{
  const auto begin = word.find_first_not_of (" \t\r"), end = word.find_last_not_of (" \t\r");
  return begin == word.npos ? std::string () : std::string (word.substr (begin, end - begin + 1));
}

void check_name_in_head (const Planned &planned, const char *format)
{
  const auto name = file_name (planned.pattern.name (0));
  if (name.find_first_of ("%\\\r\n") != name.npos || name.find_first_of (" \t") == 0 || name.starts_with ("LIST"))
    fail (
        SINO_ERROR_BAD_PROPERTY,
        "path='%s': the header of %s contains the name of the pixels, and programs would not find them: choose a name "
        "without %%, \\ and line breaks, which does not begin with a space or with LIST",
        name.c_str (), format);
}

// Plan for the file of pixels, which PlainFile writes.
static Planned pixels_of (Planned planned, const char *suffix)
{
  planned.pattern = Pattern (escaped_pattern (beside_head (planned.pattern.name (0), suffix)));
  return planned;
}

HeadedPixels::HeadedPixels (const Planned &p, const char *suffix, std::string text) : PlainFile (pixels_of (p, suffix))
{
  if (p.joined)
    return;
  head.emplace (p.pattern.name (0));
  if (!p.unfinished) {
    out.expect (p.pages () * p.page_bytes ());
    out.reserve ();
  }
  Descriptor to (head->path (), O_WRONLY, head->final_path ());
  to.expect (std::ssize (text));
  to.write (text.data (), text.size (), 0);
}

// A head must never describe pixels that are not there, so an old head is removed before its pixels are replaced.
void HeadedPixels::finish ()
{
  out.check_length ();
  const bool replaces = planned.overwrite || has_its_name ();
  if (replaces) {
    out.sync ();
    unlink (head->final_path ().c_str ());
  }
  file.commit (replaces, Temporary::Sync::later);
  const auto folder = folder_of (file.final_path ());
  try {
    sync_folder (folder);
    head->commit (replaces, Temporary::Sync::later);
  } catch (...) { // without a head, the pixels could not be read
    if (!outlives)
      unlink (file.final_path ().c_str ());
    throw;
  }
  sync_folder (folder);
  folders.keep ();
}

std::shared_ptr<const Stack> written_pixels (const std::string &path, int64_t offset, Element element,
                                             const std::array<int64_t, 3> &extent)
{
  return open_pages ({path}, [=] (const Descriptor &, const std::string &title) {
    PagesFound found{
        .samples = {.type = formats::sample_of (element)}, .lines = extent[1], .columns = extent[2], .runs = {}};
    found.add_run (title, offset, extent[0]);
    return found;
  });
}

} // namespace sino::files
