// SPDX-License-Identifier: LGPL-3.0-or-later
// A file of the operating system, read and written at offsets from any thread.
#pragma once
#include "base/files/input-file.hpp"
#include <atomic>

namespace sino::formats {

class SINO_VISIBLE Descriptor
{
public:
  // `shown`: the name for messages, where that is another one. What is opened to read must be a regular file.
  Descriptor (const std::string &path, int flags, const std::string &shown = {});
  ~Descriptor ();
  Descriptor (const Descriptor &) = delete;
  Descriptor &operator= (const Descriptor &) = delete;

  int64_t size () const;
  FileStamp stamp () const { return stamp_of (number); }
  int64_t birth () const { return birth_of (number); }
  // Throws when the file is not what was known of it: a run works on what was negotiated.
  void require (const FileStamp &known) const;

  // All n bytes, or a throw that says where the file ends.
  void read (void *to, size_t n, int64_t offset) const;
  void write (const void *from, size_t n, int64_t offset) const;
  // Bytes that a write () has mapped at a time in a file that is kept in memory.
  static constexpr size_t mapped_at_once = size_t{1} << 20;
  // Throws where the file is shorter than what was written to it: somebody has cut it. So does each write ().
  void check_length () const;
  // Brings what was written to the disk.
  void sync () const;
  // Says how large the file will be, or at least, for the message of a full disk.
  void expect (int64_t size, bool least = false)
  {
    expected = size;
    at_least = least;
  }
  // Makes the file that large. Throws when there is no space; takes it from the disk now, where the file system does
  // that at once, so that nobody else can.
  void reserve ();
  // The same, but also where all pages have to be touched: for a library that must not meet a full disk.
  void take_space () const;
  void resize (int64_t size) const;

private:
  std::string shown;
  int number;
  int64_t expected = 0;
  bool at_least = false;
  mutable std::atomic<int64_t> reached{0}; // bytes that the file must have
  // For a file in memory: bytes that can be mapped, and whether a thread is in pwrite.
  mutable std::atomic<int64_t> mappable{0};
  mutable std::atomic_flag writing;

  void put_all (const std::byte *from, size_t n, int64_t offset) const;
  void put (const std::byte *from, size_t n, int64_t offset) const;
  bool put_mapped (const std::byte *from, size_t n, int64_t offset) const;
  [[noreturn]] void fail_write () const;
};

// Whether the file that will have this path is kept in memory, by tmpfs.
SINO_VISIBLE bool kept_in_memory (const std::string &path);

} // namespace sino::formats
