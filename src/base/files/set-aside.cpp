// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/set-aside.hpp"
#include "base/files/paths.hpp"
#include "base/files/pending.hpp"
#include <cerrno>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sino {

SetAside::SetAside (std::vector<std::string> p) : paths (std::move (p))
{
  const auto &output = paths.at (0);
  {
    auto &pending = Pending::get ();
    const auto guard = pending.lock ();
    int made;
    do {
      folder = old_path (output, pending.number++);
      made = mkdir (folder.c_str (), 0777);
    } while (made != 0 && errno == EEXIST); // left by a killed process with the same number
    if (made != 0)
      fail_file ("cannot replace", output, errno);
  }
  try {
    claim = create_claimed (folder + mark_name);
    if (claim < 0)
      fail_file ("cannot replace", output, errno);
    copy_names ();
    sync_folder (folder);
    for (const auto &path : paths) // the first one goes first: it must never refer to what is not its own
      if (unlink (path.c_str ()) != 0 && errno != ENOENT)
        fail_file ("cannot replace", path, errno);
    sync_folder (folder_of (output));
  } catch (...) {
    put_back ();
    throw;
  }
}

SetAside::~SetAside ()
{
  if (!folder.empty ())
    put_back ();
}

std::string SetAside::aside (const std::string &path) const
{
  return folder + "/" + file_name (path);
}

// Without hard links, the files are moved.
void SetAside::copy_names () const
{
  for (const auto &path : paths)
    if (link (path.c_str (), aside (path).c_str ()) != 0 && rename (path.c_str (), aside (path).c_str ()) != 0)
      fail_file ("cannot replace", path, errno);
}

// The first one comes last. What cannot be put back stays in the folder.
void SetAside::put_back () noexcept
{
  bool all = true;
  for (auto path = paths.rbegin (); path != paths.rend (); ++path) {
    const auto from = aside (*path);
    all = (rename (from.c_str (), path->c_str ()) == 0 || errno == ENOENT) && all;
  }
  if (all)
    remove_tree (folder); // also second names of files that were still in their place
}

void SetAside::done ()
{
  remove_tree (std::exchange (folder, {}));
}

std::string SetAside::left_of (const std::string &output)
{
  struct stat ignored;
  if (lstat (output.c_str (), &ignored) == 0)
    return {};
  const auto parent = folder_of (output);
  for (const auto &name : names_in (parent).list)
    if (is_old_of (name, file_name (output)))
      if (auto path = parent + "/" + name; !is_claimed (path + mark_name))
        return path;
  return {};
}

// Whether both are there, as names of one file (1) or of two (2); otherwise 0.
static int files_of (const std::string &one, const std::string &other)
{
  struct stat a {
  }, b{};
  if (lstat (one.c_str (), &a) != 0 || lstat (other.c_str (), &b) != 0)
    return 0;
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev ? 1 : 2;
}

// The process may have been killed before it took the first names from all files.
static void remove_first_names (const std::string &folder, const std::string &output)
{
  const auto parent = folder_of (output);
  if (files_of (folder + "/" + file_name (output), output) != 2)
    return; // the old output is in its place
  for (const auto &name : names_in (folder).list)
    if (const auto first = parent + "/" + name; files_of (folder + "/" + name, first) == 1)
      unlink (first.c_str ());
}

Claim SetAside::remove_if_gone (const std::string &path, const std::string &output)
{
  struct stat ignored;
  if (lstat (output.c_str (), &ignored) != 0)
    return Claim::held;
  return sino::remove_if_gone (path + mark_name, [&] {
    remove_first_names (path, output);
    return remove_tree (path);
  });
}

} // namespace sino
