// SPDX-License-Identifier: LGPL-3.0-or-later
// A file of the operating system, read and written at offsets from any thread.
#pragma once
#include "base/files/input-file.hpp"
#include "base/files/open-file.hpp"
#include <atomic>

namespace sino::formats {

class SINO_VISIBLE Descriptor
{
public:
  // `shown`: another name for messages. Files opened for reading must be regular files.
  Descriptor (const std::string &path, int flags, const std::string &shown = {});
  ~Descriptor ();

  int64_t size () const;
  FileStamp stamp () const { return stamp_of (number); }
  int64_t birth () const { return birth_of (number); }
  // Throws if the file has changed since `known`: a run works on the negotiated data.
  void require (const FileStamp &known) const;

  // Reads or writes all n bytes, or throws; the message says where the file ends.
  void read (void *to, size_t n, int64_t offset) const;
  void write (const void *from, size_t n, int64_t offset) const;
  // Bytes that write () maps at a time if the file is kept in memory.
  static constexpr size_t mapped_at_once = size_t{1} << 20;
  // Throws if the file is shorter than the data written to it, because another program has truncated it. Each write ()
  // checks this as well.
  void check_length () const;
  // Brings the written data to the disk.
  void sync () const;
  // Sets the final size of the file, or a lower bound, for the message if the disk is full.
  void expect (int64_t size, bool least = false)
  {
    expected = size;
    at_least = least;
  }
  // Makes the file that large and throws if there is not enough space. Allocates the space if the file system can do it
  // at once, so that others cannot take it.
  void reserve ();
  // Like reserve (), but also if all pages have to be touched: for a library that cannot handle a full disk.
  void take_space () const;
  void resize (int64_t size) const;

private:
  std::string shown;
  OpenFile number;
  int64_t expected = 0;
  bool at_least = false;
  mutable std::atomic<int64_t> reached{0}; // bytes that the file must have
  // For a file in memory: number of bytes that may be written by mapping; whether a thread is in pwrite ().
  mutable std::atomic<int64_t> mappable{0};
  mutable std::atomic_flag writing;

  void put_all (const std::byte *from, size_t n, int64_t offset) const;
  void put (const std::byte *from, size_t n, int64_t offset) const;
  bool put_mapped (const std::byte *from, size_t n, int64_t offset) const;
  bool put_populated (const std::byte *from, size_t n, int64_t offset) const;
  [[noreturn]] void fail_write () const;
};

// Whether the file with this path will be in memory (tmpfs).
SINO_VISIBLE bool kept_in_memory (const std::string &path);

} // namespace sino::formats
