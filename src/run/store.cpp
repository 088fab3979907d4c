// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/store.hpp"
#include "base/error.hpp"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sino {

static std::string scratch_folder ()
{
  for (const char *name : {"SINOGRAPH_SCRATCH", "TMPDIR"})
    if (const char *folder = g_getenv (name); folder && *folder)
      return folder;
  return "/var/tmp";
}

// Streams are kept densely in the order of their axes.
template <class Move> void Store::each_run (const Block &block, Move move) const
{
  const auto element = static_cast<int64_t> (size_of (format->element));
  const int64_t line = format->line () * element;
  const bool angles_first = format->kind () == Kind::projections;
  const int64_t outer = angles_first ? block.angles ().size () : 1;
  const int64_t inner = angles_first ? line : line * format->angles ();
  int64_t inside = 0;
  for (int64_t a = 0; a < outer; a++) {
    const int64_t plane = angles_first ? (block.angles ().begin + a) * format->rows () * line : 0;
    move (plane + block.rows ().begin * inner, inside, static_cast<size_t> (block.rows ().size () * inner));
    inside += block.rows ().size () * inner;
  }
}

Store::Store (std::shared_ptr<const Format> f, bool in_memory)
    : format (std::move (f)), size (static_cast<size_t> (format->bytes ()))
{
  const auto needs = bytes_text (static_cast<double> (size));
  if (in_memory) {
    void *fresh = mmap (nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fresh == MAP_FAILED)
      fail (SINO_ERROR_MEMORY, "no memory for %s between two passes", needs.c_str ());
    memory = static_cast<std::byte *> (fresh);
    return;
  }
  folder = scratch_folder ();
  file = open (folder.c_str (), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT)) {
    std::string name = folder + "/sinograph-XXXXXX";
    file = mkostemp (name.data (), O_CLOEXEC);
    if (file >= 0)
      unlink (name.c_str ());
  }
  if (file < 0)
    fail (SINO_ERROR_BAD_FILE, "no scratch file in '%s': %s; set SINOGRAPH_SCRATCH to a folder with %s free",
          folder.c_str (), g_strerror (errno), needs.c_str ());
  // Reserved now, so that a disk that is too small is found before the work.
  if (const int code = posix_fallocate (file, 0, static_cast<off_t> (size)); code != 0) {
    close (file);
    fail (code == ENOSPC ? SINO_ERROR_NO_SPACE : SINO_ERROR_BAD_FILE,
          "no room for a scratch file of %s in '%s': %s; set SINOGRAPH_SCRATCH to another folder", needs.c_str (),
          folder.c_str (), g_strerror (code));
  }
}

Store::~Store ()
{
  if (memory)
    munmap (memory, size);
  if (file >= 0)
    close (file);
}

void Store::write (const Block &block)
{
  each_run (block, [&] (int64_t at, int64_t inside, size_t bytes) {
    if (memory) {
      std::memcpy (memory + at, block.data () + inside, bytes);
      return;
    }
    while (bytes > 0) {
      const ssize_t done = pwrite (file, block.data () + inside, bytes, at);
      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        fail (errno == ENOSPC ? SINO_ERROR_NO_SPACE : SINO_ERROR_BAD_FILE, "writing scratch in '%s' failed: %s",
              folder.c_str (), g_strerror (errno));
      at += done;
      inside += done;
      bytes -= static_cast<size_t> (done);
    }
  });
}

void Store::read (Block &block) const
{
  each_run (block, [&] (int64_t at, int64_t inside, size_t bytes) {
    if (memory) {
      std::memcpy (block.data () + inside, memory + at, bytes);
      return;
    }
    while (bytes > 0) {
      const ssize_t done = pread (file, block.data () + inside, bytes, at);
      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        fail (SINO_ERROR_BAD_FILE, "reading scratch in '%s' failed: %s", folder.c_str (), g_strerror (errno));
      at += done;
      inside += done;
      bytes -= static_cast<size_t> (done);
    }
  });
}

} // namespace sino
