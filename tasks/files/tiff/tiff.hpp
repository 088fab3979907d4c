// SPDX-License-Identifier: LGPL-3.0-or-later
// A TIFF file opened with libtiff, with its messages.
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
  // Reads an open file, which must stay open. Throws with the message of libtiff. `path`: for messages.
  Tiff (const Descriptor &file, const std::string &path);
  ~Tiff ();

  operator TIFF * () const { return tiff; }
  // Throws if a read has failed; libtiff may treat that as a missing tag or page.
  void check () const;
  // The last error of libtiff; if there is none, the last warning.
  const std::string &message () const;

  template <class T> T tag (uint32_t number, T otherwise) const
  {
    T value = otherwise;
    return TIFFGetFieldDefaulted (tiff, number, &value) ? value : otherwise;
  }

private:
  // Input functions for libtiff.
  class Source;
  std::unique_ptr<Source> source;
  TIFF *tiff;
};

} // namespace sino::files
