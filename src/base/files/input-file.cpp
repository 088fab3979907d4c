// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/input-file.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/files/open-file.hpp"
#include "base/files/paths.hpp"
#include "base/files/temporary.hpp"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace sino {

namespace {

// "open graph", or "open" if `what` is empty.
std::string verb (const char *verb, const char *what)
{
  return *what ? text ("cannot %s %s", verb, what) : text ("cannot %s", verb);
}

void check_kind (const char *what, const std::string &path, mode_t mode)
{
  if (S_ISREG (mode))
    return;
  const char *kind = S_ISDIR (mode)    ? "a folder"
                     : S_ISFIFO (mode) ? "a pipe"
                     : S_ISSOCK (mode) ? "a socket"
                                       : "a device";
  fail (SINO_ERROR_BAD_FILE, "%s '%s': it is %s, but must be a regular file", verb ("open", what).c_str (),
        path.c_str (), kind);
}

FileStamp stamp (const struct stat &status)
{
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = status.st_size,
          .seconds = status.st_mtim.tv_sec,
          .nanoseconds = status.st_mtim.tv_nsec};
}

} // namespace

int open_input (const char *what, const std::string &path)
{
  step_unless_cancelled ();
  check_confined (path);
  struct stat status {
  };
  // Checked before opening, because some devices act when they are opened.
  if (stat (path.c_str (), &status) != 0)
    fail_file (verb ("open", what).c_str (), path, errno);
  check_kind (what, path, status.st_mode);
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  const auto *confinement = Confinement::current ();
  OpenFile file (confinement ? confinement->open_to_read (path, flags) : open (path.c_str (), flags));
  if (file < 0)
    fail_file (verb ("open", what).c_str (), path, errno);
  if (fstat (file, &status) != 0)
    fail_file (verb ("read", what).c_str (), path, errno);
  check_kind (what, path, status.st_mode); // the file may have been replaced meanwhile
  return file.release ();
}

FileStamp stamp_of (int descriptor)
{
  struct stat status {
  };
  return fstat (descriptor, &status) == 0 ? stamp (status) : FileStamp{};
}

int64_t birth_of (int descriptor)
{
  struct statx status {
  };
  if (statx (descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0 || !(status.stx_mask & STATX_BTIME))
    return 0;
  return status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

bool find_stamp (const std::string &path, FileStamp &found)
{
  struct stat status {
  };
  if (stat (path.c_str (), &status) != 0)
    return false;
  found = stamp (status);
  return true;
}

std::vector<FileStamp> find_stamps (std::initializer_list<std::string> words)
{
  std::vector<FileStamp> stamps;
  for (const auto &word : words)
    if (FileStamp stamp; !word.empty () && find_stamp (word, stamp))
      stamps.push_back (stamp);
  return stamps;
}

std::string read_input (const char *what, const std::string &path, size_t most)
{
  const OpenFile file (open_input (what, path));
  std::string content;
  content.reserve (std::min (most, static_cast<size_t> (std::max<int64_t> (stamp_of (file).size, 0))));
  for (char piece[65536];;) {
    step_unless_cancelled ();
    const auto got = read (file, piece, sizeof piece);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      fail_file (verb ("read", what).c_str (), path, errno);
    if (got == 0)
      return content;
    if (content.size () + static_cast<size_t> (got) > most)
      fail (SINO_ERROR_BAD_FILE, "%s '%s': it is larger than %s", verb ("read", what).c_str (), path.c_str (),
            bytes_text (static_cast<double> (most)).c_str ());
    content.append (piece, static_cast<size_t> (got));
  }
}

} // namespace sino
