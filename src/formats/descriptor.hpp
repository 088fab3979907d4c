// SPDX-License-Identifier: LGPL-3.0-or-later
// A file of the operating system, read and written at offsets from any thread.
#pragma once
#include "base/input-file.hpp"

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
  // Throws when the file is not what was known of it: a run works on what was negotiated.
  void require (const FileStamp &known) const;
  // Another number of the open file, for a library that closes it.
  int duplicate () const;

  // All n bytes, or a throw that says where the file ends.
  void read (void *to, size_t n, int64_t offset) const;
  void write (const void *from, size_t n, int64_t offset) const;
  // Brings what was written to the disk.
  void sync () const;
  // Says how large the file will be, or at least, for the message of a full disk.
  void expect (int64_t size, bool least = false)
  {
    expected = size;
    at_least = least;
  }
  // Takes that space from the disk now, where the file system can do it.
  void reserve () const;
  void resize (int64_t size) const;

private:
  std::string shown;
  int number;
  int64_t expected = 0;
  bool at_least = false;

  [[noreturn]] void fail_write () const;
};

} // namespace sino::formats
