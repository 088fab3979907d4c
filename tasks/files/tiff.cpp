// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/tiff.hpp"
#include "base/error.hpp"
#include "base/paths.hpp"
#include <cerrno>
#include <unistd.h>

namespace sino::files {

class Tiff::Source
{
public:
  std::string error, warning;
  int fault = 0;    // what the system said of a read that failed
  bool cut = false; // the file has become shorter

  explicit Source (const Descriptor &file) : size (static_cast<uint64_t> (file.size ())), number (file.duplicate ()) {}
  ~Source () { close (number); }
  Source (const Source &) = delete;
  Source &operator= (const Source &) = delete;

  static tmsize_t read (thandle_t handle, void *to, tmsize_t n)
  {
    auto &source = *static_cast<Source *> (handle);
    tmsize_t done = 0;
    while (done < n && source.at < source.size) { // damaged files have any offset
      const auto got = pread (source.number, static_cast<char *> (to) + done, static_cast<size_t> (n - done),
                              static_cast<off_t> (source.at));
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        source.fault = errno;
      if (got == 0)
        source.cut = true;
      if (got <= 0)
        break;
      done += got;
      source.at += static_cast<uint64_t> (got);
    }
    return done;
  }
  static toff_t seek (thandle_t handle, toff_t offset, int from)
  {
    auto &source = *static_cast<Source *> (handle);
    return source.at = offset + (from == SEEK_CUR ? source.at : from == SEEK_END ? source.size : 0);
  }
  static toff_t length (thandle_t handle) { return static_cast<Source *> (handle)->size; }

private:
  const uint64_t size;
  const int number;
  uint64_t at = 0;
};

static int keep (TIFF *, void *to, const char *, const char *format, va_list args)
{
  *static_cast<std::string *> (to) = text_v (format, args);
  return 1; // not printed
}

Tiff::Tiff (const Descriptor &file, const std::string &p) : path (p), source (std::make_unique<Source> (file))
{
  auto *options = TIFFOpenOptionsAlloc ();
  TIFFOpenOptionsSetErrorHandlerExtR (options, keep, &source->error);
  TIFFOpenOptionsSetWarningHandlerExtR (options, keep, &source->warning);
  // m: not mapped, so that a file cut while it is read is an error and no signal; O: strips are looked up one by one.
  tiff = TIFFClientOpenExt (
      path.c_str (), "rmO", source.get (), Source::read, [] (thandle_t, void *, tmsize_t) { return tmsize_t{-1}; },
      Source::seek, [] (thandle_t) { return 0; }, Source::length, nullptr, nullptr, options);
  TIFFOpenOptionsFree (options);
  if (tiff)
    return;
  check ();
  fail (SINO_ERROR_BAD_FILE, "cannot open '%s' as TIFF, it may be truncated: %s", path.c_str (), message ().c_str ());
}

Tiff::~Tiff ()
{
  TIFFClose (tiff);
}

void Tiff::check () const
{
  if (source->fault)
    fail_file ("cannot read", path, source->fault);
  if (source->cut)
    fail (SINO_ERROR_BAD_FILE, "'%s' was cut while it was read", path.c_str ());
}

const std::string &Tiff::message () const
{
  return source->error.empty () ? source->warning : source->error;
}

} // namespace sino::files
