// SPDX-License-Identifier: LGPL-3.0-or-later
// Takes the place of the system's calls for files and threads.
#include "tests/faults/rules.hpp"
#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using faults::Call;
using faults::due;
using faults::Rule;

template <class Function> Function *next (const char *name)
{
  return reinterpret_cast<Function *> (dlsym (RTLD_NEXT, name));
}

// What a call gives that fails.
template <class Result> Result refused (const Rule &rule, Result result)
{
  errno = static_cast<int> (rule.error);
  return result;
}

// Calls `real ()`, unless a rule says that it fails.
template <class Real> auto call (const Call &about, Real real, decltype (real ()) failure)
{
  const auto *rule = due (about);
  return rule && rule->error ? refused (*rule, failure) : real ();
}

// The same of what moves bytes, of which it may move fewer.
template <class Real> ssize_t move (const Call &about, Real real)
{
  const auto *rule = due (about);
  if (rule && rule->error)
    return refused (*rule, ssize_t{-1});
  return real (rule && rule->most >= 0 ? std::min (about.bytes, static_cast<size_t> (rule->most)) : about.bytes);
}

bool takes_mode (int flags)
{
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

} // namespace

extern "C" {
#pragma GCC visibility push(default)

int open (const char *path, int flags, ...)
{
  static const auto real = next<int (const char *, int, ...)> ("open");
  va_list rest;
  va_start (rest, flags);
  const mode_t mode = takes_mode (flags) ? va_arg (rest, mode_t) : 0;
  va_end (rest);
  return call (
      {"open", -1, path}, [&] { return real (path, flags, mode); }, -1);
}
int open64 (const char *path, int flags, ...) __attribute__ ((alias ("open")));

int openat (int folder, const char *path, int flags, ...)
{
  static const auto real = next<int (int, const char *, int, ...)> ("openat");
  va_list rest;
  va_start (rest, flags);
  const mode_t mode = takes_mode (flags) ? va_arg (rest, mode_t) : 0;
  va_end (rest);
  return call (
      {"open", -1, path}, [&] { return real (folder, path, flags, mode); }, -1);
}
int openat64 (int folder, const char *path, int flags, ...) __attribute__ ((alias ("openat")));

ssize_t read (int file, void *to, size_t n)
{
  static const auto real = next<decltype (read)> ("read");
  return move ({"read", file, nullptr, n}, [&] (size_t some) { return real (file, to, some); });
}

ssize_t pread (int file, void *to, size_t n, off_t at)
{
  static const auto real = next<decltype (pread)> ("pread");
  return move ({"pread", file, nullptr, n}, [&] (size_t some) { return real (file, to, some, at); });
}
ssize_t pread64 (int file, void *to, size_t n, off64_t at) __attribute__ ((alias ("pread")));

ssize_t write (int file, const void *from, size_t n)
{
  static const auto real = next<decltype (write)> ("write");
  return move ({"write", file, nullptr, n}, [&] (size_t some) { return real (file, from, some); });
}

ssize_t pwrite (int file, const void *from, size_t n, off_t at)
{
  static const auto real = next<decltype (pwrite)> ("pwrite");
  return move ({"pwrite", file, nullptr, n}, [&] (size_t some) { return real (file, from, some, at); });
}
ssize_t pwrite64 (int file, const void *from, size_t n, off64_t at) __attribute__ ((alias ("pwrite")));

int fsync (int file)
{
  static const auto real = next<decltype (fsync)> ("fsync");
  return call (
      {"fsync", file}, [&] { return real (file); }, -1);
}

int fdatasync (int file)
{
  static const auto real = next<decltype (fdatasync)> ("fdatasync");
  return call (
      {"fdatasync", file}, [&] { return real (file); }, -1);
}

int syncfs (int file) noexcept
{
  static const auto real = next<decltype (syncfs)> ("syncfs");
  return call (
      {"syncfs", file}, [&] { return real (file); }, -1);
}

int ftruncate (int file, off_t size) noexcept
{
  static const auto real = next<decltype (ftruncate)> ("ftruncate");
  return call (
      {"ftruncate", file}, [&] { return real (file, size); }, -1);
}
int ftruncate64 (int file, off64_t size) noexcept __attribute__ ((alias ("ftruncate")));

int fallocate (int file, int mode, off_t at, off_t n)
{
  static const auto real = next<decltype (fallocate)> ("fallocate");
  return call (
      {"fallocate", file}, [&] { return real (file, mode, at, n); }, -1);
}
int fallocate64 (int file, int mode, off64_t at, off64_t n) __attribute__ ((alias ("fallocate")));

// Gives the error, and leaves errno alone.
int posix_fallocate (int file, off_t at, off_t n)
{
  static const auto real = next<decltype (posix_fallocate)> ("posix_fallocate");
  const auto *rule = due ({"fallocate", file});
  return rule && rule->error ? static_cast<int> (rule->error) : real (file, at, n);
}
int posix_fallocate64 (int file, off64_t at, off64_t n) __attribute__ ((alias ("posix_fallocate")));

int rename (const char *from, const char *to) noexcept
{
  static const auto real = next<decltype (rename)> ("rename");
  return call (
      {"rename", -1, from}, [&] { return real (from, to); }, -1);
}

int renameat2 (int from_folder, const char *from, int to_folder, const char *to, unsigned flags) noexcept
{
  static const auto real = next<decltype (renameat2)> ("renameat2");
  return call (
      {"rename", -1, from}, [&] { return real (from_folder, from, to_folder, to, flags); }, -1);
}

int mkdir (const char *path, mode_t mode) noexcept
{
  static const auto real = next<decltype (mkdir)> ("mkdir");
  return call (
      {"mkdir", -1, path}, [&] { return real (path, mode); }, -1);
}

void *mmap (void *where, size_t n, int access, int flags, int file, off_t at) noexcept
{
  static const auto real = next<decltype (mmap)> ("mmap");
  return call (
      {"mmap", file, nullptr, n, -1, __builtin_return_address (0)},
      [&] { return real (where, n, access, flags, file, at); }, MAP_FAILED);
}
void *mmap64 (void *where, size_t n, int access, int flags, int file, off64_t at) noexcept
    __attribute__ ((alias ("mmap")));

int madvise (void *where, size_t n, int advice) noexcept
{
  static const auto real = next<decltype (madvise)> ("madvise");
  return call (
      {"madvise", -1, nullptr, n}, [&] { return real (where, n, advice); }, -1);
}

int pthread_create (pthread_t *thread, const pthread_attr_t *how, void *(*body) (void *), void *data) noexcept
{
  static const auto real = next<decltype (pthread_create)> ("pthread_create");
  const auto *rule = due ({"pthread_create", -1, nullptr, 0, -1, __builtin_return_address (0)});
  return rule && rule->error ? static_cast<int> (rule->error) : real (thread, how, body, data);
}

#pragma GCC visibility pop
}
