// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/paths.hpp"
#include "base/cancellation.hpp"
#include "base/confinement.hpp"
#include "base/error.hpp"
#include "base/paths.hpp"
#include "formats/formats.hpp"
#include "formats/pattern.hpp"
#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <glob.h>
#include <memory>
#include <sys/stat.h>

namespace sino::files {

using namespace formats;

static std::string_view digits (std::string_view text)
{
  return text.substr (0, std::min (text.find_first_not_of ("0123456789"), text.size ()));
}

bool natural_less (std::string_view a, std::string_view b)
{
  const auto whole_a = a, whole_b = b;
  while (!a.empty () && !b.empty ()) {
    const auto left = digits (a), right = digits (b);
    if (left.empty () || right.empty ()) {
      if (a[0] != b[0])
        return a[0] < b[0];
      a.remove_prefix (1);
      b.remove_prefix (1);
      continue;
    }
    const auto value = [] (std::string_view d) { return d.substr (std::min (d.find_first_not_of ('0'), d.size ())); };
    const auto l = value (left), r = value (right);
    if (l != r)
      return l.size () != r.size () ? l.size () < r.size () : l < r;
    a.remove_prefix (left.size ());
    b.remove_prefix (right.size ());
  }
  return a.empty () != b.empty () ? a.empty () : whole_a < whole_b;
}

static std::vector<std::string> list_folder (const std::string &path)
{
  check_confined (path);
  struct Close {
    void operator() (DIR *d) const { closedir (d); }
  };
  const std::unique_ptr<DIR, Close> folder (opendir (path.c_str ()));
  if (!folder)
    fail_file ("cannot open", path, errno);
  const std::string prefix = path.ends_with ('/') ? path : path + '/';
  std::vector<std::string> list;
  while (const auto *entry = readdir (folder.get ())) {
    step_unless_cancelled ();
    if (std::string name = entry->d_name; !name.starts_with ('.'))
      list.push_back (prefix + name);
  }
  return list;
}

// Those of the first format that takes several files and has some here.
static std::vector<std::string> list_images (const std::string &path)
{
  const auto names = list_folder (path);
  std::vector<std::string> suffixes, images;
  for (const auto *format : registered<ReadingFormat> ())
    if (format->sequences) {
      suffixes.insert (suffixes.end (), format->suffixes.begin (), format->suffixes.end ());
      std::copy_if (names.begin (), names.end (), std::back_inserter (images),
                    [&] (const auto &name) { return has_suffix (name, format->suffixes); });
      if (!images.empty ())
        return images;
    }
  fail (SINO_ERROR_BAD_FILE, "'%s' has no %s files: give a pattern like %s/*.img for other names", path.c_str (),
        join (suffixes, ", ", {}, " or ").c_str (), path.c_str ());
}

static std::vector<std::string> match (const std::string &pattern)
{
  glob_t found{};
  std::vector<std::string> list;
  if (glob (pattern.c_str (), GLOB_NOSORT, nullptr, &found) == 0)
    list.assign (found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree (&found);
  return list;
}

// The files that `write` would number so.
static std::vector<std::string> match_numbers (const std::string &path)
{
  const auto slash = path.rfind ('/');
  const auto folder = slash == path.npos ? std::string () : path.substr (0, slash + 1);
  const Pattern pattern (path);
  auto list = list_folder (folder.empty () ? "./" : folder);
  for (auto &name : list)
    name.erase (0, folder.empty () ? 2 : 0);
  std::erase_if (list, [&] (const auto &name) { return !pattern.matches (name); });
  return list;
}

static bool is_numbered (const std::string &path)
{
  try {
    const Pattern pattern (path);
    return pattern.numbered () && !pattern.valued ();
  } catch (const Error &) {
    return false;
  }
}

bool is_sequence (const std::string &path)
{
  struct stat status {
  };
  if (stat (path.c_str (), &status) == 0)
    return S_ISDIR (status.st_mode);
  return path.find_first_of ("*?[") != path.npos || is_numbered (path);
}

std::vector<std::string> find_images (const std::string &path)
{
  struct stat status {
  };
  const bool folder = stat (path.c_str (), &status) == 0 && S_ISDIR (status.st_mode);
  auto list = folder                                    ? list_images (path)
              : path.find_first_of ("*?[") != path.npos ? match (path)
                                                        : match_numbers (path);
  if (list.empty ())
    fail (SINO_ERROR_BAD_FILE, "no file matches '%s'", path.c_str ());
  std::sort (list.begin (), list.end (), natural_less);
  return list;
}

} // namespace sino::files
