// SPDX-License-Identifier: LGPL-3.0-or-later
// An open TIFF file of libtiff, with its messages.
#pragma once
#include <memory>
#include <string>
#include <tiffio.h>

namespace sino::files {

class Tiff
{
public:
  // Opens to read; throws with libtiff's message.
  explicit Tiff (const std::string &path);
  ~Tiff () { TIFFClose (tiff); }
  Tiff (const Tiff &) = delete;
  Tiff &operator= (const Tiff &) = delete;

  operator TIFF * () const { return tiff; }
  // What libtiff last complained about.
  const std::string &message () const { return *said; }

  template <class T> T tag (uint32_t number, T otherwise) const
  {
    T value = otherwise;
    return TIFFGetFieldDefaulted (tiff, number, &value) ? value : otherwise;
  }

private:
  std::unique_ptr<std::string> said = std::make_unique<std::string> ();
  TIFF *tiff;
};

} // namespace sino::files
