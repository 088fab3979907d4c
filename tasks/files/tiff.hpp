// SPDX-License-Identifier: LGPL-3.0-or-later
// An open TIFF file of libtiff, with its messages.
#pragma once
#include "formats/descriptor.hpp"
#include <memory>
#include <string>
#include <tiffio.h>

namespace sino::files {

using namespace formats;

class Tiff
{
public:
  // Reads a file that is open; throws with libtiff's message. `path` is for messages.
  Tiff (const Descriptor &file, const std::string &path);
  ~Tiff () { TIFFClose (tiff); }
  Tiff (const Tiff &) = delete;
  Tiff &operator= (const Tiff &) = delete;

  operator TIFF * () const { return tiff; }
  // What libtiff last complained about; a warning, where there was no more.
  const std::string &message () const { return said->error.empty () ? said->warning : said->error; }

  template <class T> T tag (uint32_t number, T otherwise) const
  {
    T value = otherwise;
    return TIFFGetFieldDefaulted (tiff, number, &value) ? value : otherwise;
  }

private:
  struct Said {
    std::string error, warning;
  };
  std::unique_ptr<Said> said = std::make_unique<Said> ();
  TIFF *tiff;
};

} // namespace sino::files
