// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/tiff/tiff.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <exception>

namespace sino::files {

class Tiff::Source
{
public:
  std::string error, warning;
  std::exception_ptr fault; // exception of a read

  explicit Source (const Descriptor &f) : file (f), size (static_cast<uint64_t> (file.size ())) {}

  static tmsize_t read (thandle_t handle, void *to, tmsize_t n)
  {
    auto &source = *static_cast<Source *> (handle);
    if (source.at >= source.size) // damaged files may have any offset
      return 0;
    const auto some = std::min (static_cast<uint64_t> (n), source.size - source.at);
    try {
      source.file.read (to, some, static_cast<int64_t> (source.at));
    } catch (...) { // no exception may pass through libtiff, which is C
      source.fault = std::current_exception ();
      return 0;
    }
    source.at += some;
    return static_cast<tmsize_t> (some);
  }
  static toff_t seek (thandle_t handle, toff_t offset, int from)
  {
    auto &source = *static_cast<Source *> (handle);
    return source.at = offset + (from == SEEK_CUR ? source.at : from == SEEK_END ? source.size : 0);
  }
  static toff_t length (thandle_t handle) { return static_cast<Source *> (handle)->size; }

private:
  const Descriptor &file;
  const uint64_t size;
  uint64_t at = 0;
};

static int keep (TIFF *, void *to, const char *, const char *format, va_list args)
{
  *static_cast<std::string *> (to) = text_v (format, args);
  return 1; // handled, so libtiff does not print it
}

Tiff::Tiff (const Descriptor &file, const std::string &path) : source (std::make_unique<Source> (file))
{
  auto *options = TIFFOpenOptionsAlloc ();
  TIFFOpenOptionsSetErrorHandlerExtR (options, keep, &source->error);
  TIFFOpenOptionsSetWarningHandlerExtR (options, keep, &source->warning);
  // m: not memory-mapped, so that truncation during reading is an error, not a signal; O: strip offsets are loaded on
  // demand.
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
    std::rethrow_exception (source->fault);
}

const std::string &Tiff::message () const
{
  return source->error.empty () ? source->warning : source->error;
}

} // namespace sino::files
