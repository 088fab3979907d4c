/* SPDX-License-Identifier: LGPL-3.0-or-later
 *
 * A file system that may forget what was not brought to the disk: preloaded into a program, this writes down what each
 * call changed in the folder UNDO_ROOT and how it was before, and what was synced. lose.py then takes back what a
 * machine without power would have lost. The log is the file UNDO_LOG; replaced and removed files are kept beside it.
 */
#undef _FILE_OFFSET_BITS /* both names of calls are defined here */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* POSIX allows what ISO C does not: a pointer to a function out of one to an object. */
#define REAL(name) (__extension__ (__typeof__ (&(name))) dlsym (RTLD_NEXT, #name))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* An entry: its line, and bytes after it. */
static void note (const char *line, const void *bytes, size_t n)
{
  const int log = REAL (open) (getenv ("UNDO_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  struct iovec parts[] = {{(void *)line, strlen (line)}, {(void *)bytes, n}};
  if (log < 0 || writev (log, parts, 2) != (ssize_t)(parts[0].iov_len + n))
    abort ();
  close (log);
}

static int watched_path (const char *path, char full[PATH_MAX])
{
  char folder[PATH_MAX], real[PATH_MAX];
  const char *slash = strrchr (path, '/'), *root = getenv ("UNDO_ROOT");
  snprintf (folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
  if (!root || !getenv ("UNDO_LOG") || !realpath (folder, real) || strncmp (real, root, strlen (root)) != 0)
    return 0;
  return snprintf (full, PATH_MAX, "%s/%s", real, slash ? slash + 1 : path) < PATH_MAX;
}

static int watched (int file, struct stat *status, char path[PATH_MAX])
{
  char link[64];
  snprintf (link, sizeof link, "/proc/self/fd/%d", file);
  const char *root = getenv ("UNDO_ROOT");
  const ssize_t n = root && getenv ("UNDO_LOG") ? readlink (link, path, PATH_MAX - 1) : -1;
  if (n < 0)
    return 0;
  path[n] = 0;
  return strncmp (path, root, strlen (root)) == 0 && fstat (file, status) == 0;
}

/* What bytes of a file were before they change, as far as there were any, and how large it was. */
static void note_bytes (int file, off_t offset, size_t n)
{
  struct stat status;
  char path[PATH_MAX], line[200], link[64];
  if (!watched (file, &status, path) || !S_ISREG (status.st_mode))
    return;
  size_t before = offset >= status.st_size ? 0 : (size_t)(status.st_size - offset);
  before = before < n ? before : n;
  char *bytes = malloc (before + 1);
  snprintf (link, sizeof link, "/proc/self/fd/%d", file);
  const int reader = REAL (open) (link, O_RDONLY | O_CLOEXEC);
  if (!bytes || reader < 0 || pread (reader, bytes, before, offset) != (ssize_t)before)
    abort ();
  close (reader);
  snprintf (line, sizeof line, "bytes %llu %lld %zu %lld\n", (unsigned long long)status.st_ino, (long long)offset,
            before, (long long)status.st_size);
  note (line, bytes, before);
  free (bytes);
}

static void note_name (const char *what, const char *path)
{
  char line[2 * PATH_MAX];
  snprintf (line, sizeof line, "%s\t%s\n", what, path);
  note (line, "", 0);
}

/* Another name of a file that is about to go. */
static void keep (const char *path, char kept[PATH_MAX])
{
  static int number = 0;
  do
    snprintf (kept, PATH_MAX, "%s.%d.%d", getenv ("UNDO_LOG"), getpid (), number++);
  while (link (path, kept) != 0 && errno == EEXIST);
  struct stat status;
  if (lstat (kept, &status) != 0)
    strcpy (kept, "-");
}

static int do_open (int (*real) (const char *, int, ...), const char *path, int flags, mode_t mode)
{
  char full[PATH_MAX];
  struct stat before;
  pthread_mutex_lock (&mutex);
  const int is_new = (flags & O_CREAT) && watched_path (path, full) && lstat (path, &before) != 0;
  const int file = real (path, flags & ~O_TRUNC, mode);
  if (file >= 0 && is_new)
    note_name ("made", full);
  if (file >= 0 && (flags & O_TRUNC)) {
    note_bytes (file, 0, SIZE_MAX / 2);
    if (REAL (ftruncate) (file, 0) != 0 && errno != EINVAL)
      abort ();
  }
  pthread_mutex_unlock (&mutex);
  return file;
}

int open (const char *path, int flags, ...)
{
  va_list list;
  va_start (list, flags);
  const mode_t mode = flags & O_CREAT ? va_arg (list, mode_t) : 0;
  va_end (list);
  return do_open (REAL (open), path, flags, mode);
}

int open64 (const char *path, int flags, ...)
{
  va_list list;
  va_start (list, flags);
  const mode_t mode = flags & O_CREAT ? va_arg (list, mode_t) : 0;
  va_end (list);
  return do_open (REAL (open64), path, flags, mode);
}

ssize_t pwrite64 (int file, const void *bytes, size_t n, off64_t offset)
{
  pthread_mutex_lock (&mutex);
  note_bytes (file, offset, n);
  const ssize_t put = REAL (pwrite64) (file, bytes, n, offset);
  pthread_mutex_unlock (&mutex);
  return put;
}

ssize_t pwrite (int file, const void *bytes, size_t n, off_t offset)
{
  return pwrite64 (file, bytes, n, offset);
}

ssize_t write (int file, const void *bytes, size_t n)
{
  const off_t offset = lseek (file, 0, SEEK_CUR);
  pthread_mutex_lock (&mutex);
  if (offset >= 0)
    note_bytes (file, offset, n);
  const ssize_t put = REAL (write) (file, bytes, n);
  pthread_mutex_unlock (&mutex);
  return put;
}

int ftruncate64 (int file, off64_t size)
{
  pthread_mutex_lock (&mutex);
  note_bytes (file, size, SIZE_MAX / 2);
  const int result = REAL (ftruncate64) (file, size);
  pthread_mutex_unlock (&mutex);
  return result;
}

int ftruncate (int file, off_t size)
{
  return ftruncate64 (file, size);
}

void *mmap64 (void *at, size_t n, int protection, int flags, int file, off64_t offset)
{
  if (file >= 0 && (flags & MAP_SHARED) && (protection & PROT_WRITE)) {
    pthread_mutex_lock (&mutex);
    note_bytes (file, offset, n);
    pthread_mutex_unlock (&mutex);
  }
  return REAL (mmap64) (at, n, protection, flags, file, offset);
}

void *mmap (void *at, size_t n, int protection, int flags, int file, off_t offset)
{
  return mmap64 (at, n, protection, flags, file, offset);
}

static int do_rename (const char *from, const char *to, unsigned flags)
{
  char full_from[PATH_MAX], full_to[PATH_MAX], kept[PATH_MAX] = "-", line[4 * PATH_MAX];
  pthread_mutex_lock (&mutex);
  const int is_watched = watched_path (from, full_from) && watched_path (to, full_to);
  if (is_watched && !(flags & RENAME_NOREPLACE))
    keep (to, kept);
  const int result = flags ? REAL (renameat2) (AT_FDCWD, from, AT_FDCWD, to, flags) : REAL (rename) (from, to);
  if (result == 0 && is_watched) {
    snprintf (line, sizeof line, "renamed\t%s\t%s\t%s\n", full_from, full_to, kept);
    note (line, "", 0);
  }
  pthread_mutex_unlock (&mutex);
  return result;
}

int rename (const char *from, const char *to)
{
  return do_rename (from, to, 0);
}

int renameat2 (int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
  if (from_folder != AT_FDCWD || to_folder != AT_FDCWD)
    abort ();
  return do_rename (from, to, flags);
}

int unlink (const char *path)
{
  char full[PATH_MAX], kept[PATH_MAX], line[3 * PATH_MAX];
  pthread_mutex_lock (&mutex);
  const int is_watched = watched_path (path, full);
  if (is_watched)
    keep (path, kept);
  const int result = REAL (unlink) (path);
  if (result == 0 && is_watched) {
    snprintf (line, sizeof line, "removed\t%s\t%s\n", full, kept);
    note (line, "", 0);
  }
  pthread_mutex_unlock (&mutex);
  return result;
}

int mkdir (const char *path, mode_t mode)
{
  char full[PATH_MAX];
  pthread_mutex_lock (&mutex);
  const int result = REAL (mkdir) (path, mode);
  if (result == 0 && watched_path (path, full))
    note_name ("folder", full);
  pthread_mutex_unlock (&mutex);
  return result;
}

static void note_sync (int file)
{
  struct stat status;
  char path[PATH_MAX], line[PATH_MAX + 64];
  if (!watched (file, &status, path))
    return;
  snprintf (line, sizeof line, "synced\t%llu\t%s\n", (unsigned long long)status.st_ino, path);
  note (line, "", 0);
}

/* Nothing is really brought to the disk, but as there it takes its time. */
int fsync (int file)
{
  usleep (3000);
  pthread_mutex_lock (&mutex);
  note_sync (file);
  pthread_mutex_unlock (&mutex);
  return 0;
}

int fdatasync (int file)
{
  return fsync (file);
}

int syncfs (int file)
{
  (void)file;
  pthread_mutex_lock (&mutex);
  note ("all\n", "", 0);
  pthread_mutex_unlock (&mutex);
  return 0;
}
