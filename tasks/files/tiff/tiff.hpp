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
  // Reads a file that is open, and stays so; throws with libtiff's message. `path` is for messages.
  Tiff (const Descriptor &file, const std::string &path);
  ~Tiff ();
  Tiff (const Tiff &) = delete;
  Tiff &operator= (const Tiff &) = delete;

  operator TIFF * () const { return tiff; }
  // Throws where a read has failed, which libtiff may take for a tag or page that is not there.
  void check () const;
  // What libtiff last complained about; a warning, where there was no more.
  const std::string &message () const;

  template <class T> T tag (uint32_t number, T otherwise) const
  {
    T value = otherwise;
    return TIFFGetFieldDefaulted (tiff, number, &value) ? value : otherwise;
  }

private:
  // What libtiff reads through, by itself.
  class Source;
  std::unique_ptr<Source> source;
  TIFF *tiff;
};

} // namespace sino::files
