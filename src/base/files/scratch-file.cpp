// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/scratch-file.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/files/paths.hpp"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sino {

// A confined run keeps its scratch files in its folder, unless SINOGRAPH_SCRATCH names another one.
std::string ScratchFile::usual_folder ()
{
  const auto *confinement = Confinement::current ();
  if (const char *folder = g_getenv ("SINOGRAPH_SCRATCH"); confinement && (!folder || !*folder))
    return confinement->folder ();
  for (const char *name : {"SINOGRAPH_SCRATCH", "TMPDIR"})
    if (const char *folder = g_getenv (name); folder && *folder)
      return folder;
  return "/var/tmp";
}

static std::string wanted (size_t bytes)
{
  return bytes > 0 ? bytes_text (static_cast<double> (bytes)) : std::string ("enough");
}

ScratchFile::ScratchFile (size_t bytes) : folder (usual_folder ())
{
  check_confined (folder);
  file = OpenFile (open (folder.c_str (), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT)) {
    std::string name = folder + "/sinograph-XXXXXX";
    file = OpenFile (mkostemp (name.data (), O_CLOEXEC));
    if (file >= 0)
      unlink (name.c_str ());
  }
  if (file < 0)
    fail (SINO_ERROR_BAD_FILE, "no scratch file in '%s': %s; set SINOGRAPH_SCRATCH to a folder with %s free",
          folder.c_str (), g_strerror (errno), wanted (bytes).c_str ());
  reserve (bytes);
}

ScratchFile::ScratchFile (const std::string &path) : folder (folder_of (path))
{
  check_confined (path);
  file = OpenFile (open (path.c_str (), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file < 0)
    fail (SINO_ERROR_BAD_FILE,
          "cannot open '%s', which another rank created: %s; set SINOGRAPH_SCRATCH to a folder that all machines can "
          "access",
          path.c_str (), g_strerror (errno));
}

void ScratchFile::reserve (size_t bytes)
{
  if (bytes == 0)
    return;
  if (const int code = posix_fallocate (file, 0, static_cast<off_t> (bytes)); code != 0)
    fail (code == ENOSPC ? SINO_ERROR_NO_SPACE : SINO_ERROR_BAD_FILE,
          "no room for a scratch file of %s in '%s': %s; set SINOGRAPH_SCRATCH to another folder",
          wanted (bytes).c_str (), folder.c_str (), g_strerror (code));
}

size_t ScratchFile::size () const
{
  struct stat status {
  };
  if (fstat (file, &status) != 0)
    fail (SINO_ERROR_BAD_FILE, "cannot get the size of a scratch file in '%s': %s", folder.c_str (),
          g_strerror (errno));
  return static_cast<size_t> (status.st_size);
}

// Calls `some` for the rest until nothing is left.
template <class Pointer, class Some> static void all (Pointer memory, size_t bytes, int64_t at, Some some)
{
  while (bytes > 0) {
    const ssize_t done = some (memory, bytes, at);
    at += done;
    memory += done;
    bytes -= static_cast<size_t> (done);
  }
}

void ScratchFile::write (const std::byte *from, size_t bytes, int64_t at)
{
  all (from, bytes, at, [this] (const std::byte *some, size_t n, int64_t place) {
    ssize_t done = 0;
    while ((done = pwrite (file, some, n, place)) < 0 && errno == EINTR) {
    }
    if (done <= 0)
      fail (errno == ENOSPC ? SINO_ERROR_NO_SPACE : SINO_ERROR_BAD_FILE, "writing scratch in '%s' failed: %s",
            folder.c_str (), g_strerror (errno));
    return done;
  });
}

void ScratchFile::read (std::byte *to, size_t bytes, int64_t at) const
{
  all (to, bytes, at, [this] (std::byte *some, size_t n, int64_t place) {
    ssize_t done = 0;
    while ((done = pread (file, some, n, place)) < 0 && errno == EINTR) {
    }
    if (done <= 0)
      fail (SINO_ERROR_BAD_FILE, "reading scratch in '%s' failed: %s", folder.c_str (),
            done == 0 ? "it is too short" : g_strerror (errno));
    return done;
  });
}

} // namespace sino
