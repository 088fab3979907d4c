// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/tiff.hpp"
#include "base/error.hpp"
#include <unistd.h>

namespace sino::files {

static int keep (TIFF *, void *to, const char *, const char *format, va_list args)
{
  *static_cast<std::string *> (to) = text_v (format, args);
  return 1; // not printed
}

Tiff::Tiff (const Descriptor &file, const std::string &path)
{
  const int number = file.duplicate ();
  auto *options = TIFFOpenOptionsAlloc ();
  TIFFOpenOptionsSetErrorHandlerExtR (options, keep, &said->error);
  TIFFOpenOptionsSetWarningHandlerExtR (options, keep, &said->warning);
  // m: not mapped, so that a file cut while it is read is an error and no signal; O: strips are looked up one by one.
  tiff = TIFFFdOpenExt (number, path.c_str (), "rmO", options);
  TIFFOpenOptionsFree (options);
  if (tiff)
    return;
  close (number);
  fail (SINO_ERROR_BAD_FILE, "cannot open '%s' as TIFF, it may be truncated: %s", path.c_str (), message ().c_str ());
}

} // namespace sino::files
