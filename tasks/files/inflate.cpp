// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/inflate.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <zlib.h>

namespace sino::files {

struct Inflate::Library {
  static constexpr size_t buffer_bytes = 65536;
  z_stream stream = {};
  const Descriptor &file;
  int64_t offset, end; // unread range of the file
  bool ended = false;
  std::byte packed[buffer_bytes], skipped[buffer_bytes];
};

Inflate::Inflate (const Descriptor &file, int64_t offset, int64_t packed, std::string t)
    : title (std::move (t)), library (new Library{.file = file, .offset = offset, .end = offset + packed})
{
  if (inflateInit (&library->stream) != Z_OK)
    fail (SINO_ERROR_MEMORY, "%s: zlib cannot start, because there is not enough memory", title.c_str ());
}

Inflate::~Inflate ()
{
  inflateEnd (&library->stream);
}

void Inflate::read (void *to, size_t n)
{
  auto &[stream, file, offset, end, ended, packed, skipped] = *library;
  auto *out = static_cast<Bytef *> (to);
  while (n > 0) {
    if (stream.avail_in == 0 && offset < end) {
      const auto some = std::min<int64_t> (end - offset, sizeof packed);
      file.read (packed, static_cast<size_t> (some), offset);
      offset += some;
      stream.next_in = reinterpret_cast<Bytef *> (packed);
      stream.avail_in = static_cast<uInt> (some);
    }
    const auto most = static_cast<uInt> (std::min<size_t> (n, size_t{1} << 30));
    stream.next_out = out;
    stream.avail_out = most;
    const int code = ended ? Z_STREAM_END : inflate (&stream, Z_NO_FLUSH);
    const auto got = most - stream.avail_out;
    out += got;
    n -= got;
    ended = code == Z_STREAM_END;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: %s", title.c_str (),
            stream.msg ? stream.msg : "zlib cannot decode it");
    if (n > 0 && got == 0 && (ended || (stream.avail_in == 0 && offset >= end)))
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: its packed bytes end too early", title.c_str ());
  }
}

void Inflate::skip (int64_t n)
{
  while (n > 0) {
    const auto some = std::min<int64_t> (n, Library::buffer_bytes);
    read (library->skipped, static_cast<size_t> (some));
    n -= some;
  }
}

size_t Inflate::scratch ()
{
  return sizeof (Library) + (size_t{48} << 10); // zlib's window and tables
}

} // namespace sino::files
