// SPDX-License-Identifier: LGPL-3.0-or-later
// Checksums of a result, in a readable text file beside it:
//
//   Sinograph checksums 1
//   images f32 3 64 64
//   1a2b3c4d 0
//   ...
//   end 5e6f7a8b
//
// Each line has the CRC (crc.hpp) of an image's pixels, as they lie in memory; the last line has the CRC of all lines
// above it. With "files" instead of "images ...", each line also has the name of the image's file; with "rows ...",
// each line is for one row of all images.
#pragma once
#include "base/files/temporary.hpp"
#include "formats/checksums.hpp"
#include "stream/element.hpp"
#include <string>

namespace sino::formats {

struct KeptChecksums {
  // Checksums of a single file with all images. Not used if each image has its own file.
  struct Whole {
    Checksums::Of of = Checksums::Of::images;
    Element element = Element::f32;
    int64_t images = 0, lines = 0, columns = 0;
    std::vector<std::optional<uint32_t>> sums; // checksum of each image or row

    size_t size () const { return static_cast<size_t> (of == Checksums::Of::images ? images : lines); }
    bool operator== (const Whole &) const = default;
  };
  std::optional<Whole> whole;
  std::map<std::string, uint32_t> files; // checksums of images with their own files in this folder, by file name

  bool operator== (const KeptChecksums &) const = default;
};

// "images", "rows"
SINO_VISIBLE const char *name_of (Checksums::Of of);

// Parses a checksum of 8 digits. Returns false if it is none.
SINO_VISIBLE bool parse_checksum (std::string_view word, uint32_t &sum);

// Path of the checksum file of an output.
SINO_VISIBLE std::string checksums_path (const std::string &output);

// are_checksums (): whether a file begins like a checksum file. find_checksums (): its content, or none if it does not;
// throws SINO_ERROR_BAD_FILE if it is damaged.
SINO_VISIBLE bool are_checksums (const std::string &path);
SINO_VISIBLE std::optional<KeptChecksums> find_checksums (const std::string &path);

// A new checksum file, which is on the disk before it replaces an old one.
class SINO_VISIBLE ChecksumFile
{
public:
  ChecksumFile (const std::string &path, const KeptChecksums &all);

  void commit () { file.commit (true); }

private:
  Temporary file;
};

} // namespace sino::formats
