// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/known-bytes.hpp"
#include <algorithm>

namespace sino::files {

namespace {

using namespace std::string_view_literals;

struct Known {
  std::string_view bytes;
  size_t at;
  const char *what;
};

constexpr const char *packed = "a compressed file: unpack it first";

constexpr Known known[] = {
    {"\0\0\0\x0cjP  "sv, 0, "a JPEG 2000 image: convert it to TIFF"},
    {"BM"sv, 0, "a BMP image: convert it to TIFF"},
    {"GIF8"sv, 0, "a GIF image: convert it to TIFF"},
    {"P5"sv, 0, "a PGM image: convert it to TIFF"},
    {"DICM"sv, 128, "a DICOM file: convert it to TIFF"},
    {"CDF\x01"sv, 0, "a NetCDF file of the classic kind: convert it with nccopy -k nc4, which makes HDF5"},
    {"CDF\x02"sv, 0, "a NetCDF file of the classic kind: convert it with nccopy -k nc4, which makes HDF5"},
    {"\x0e\x03\x13\x01"sv, 0, "an HDF4 file: convert it with h4toh5, which makes HDF5"},
    {"NRRD"sv, 0, "an NRRD file: set raw= to what its head says, and to the offset behind that"},
    {"ObjectType"sv, 0, "a MetaImage head: give the file that it names as ElementDataFile, with raw= as the head says"},
    {"PK\x03\x04"sv, 0, "a ZIP archive, as .npz files are: unpack it first"},
    {"\x1f\x8b"sv, 0, packed},
    {"BZh"sv, 0, packed},
    {"\xfd"
     "7zXZ"sv,
     0, packed},
    {"\x28\xb5\x2f\xfd"sv, 0, packed},
    {"7z\xbc\xaf\x27\x1c"sv, 0, packed},
    {"%PDF"sv, 0, "a PDF document"},
};

} // namespace

std::string known_by_bytes (const formats::Descriptor &file)
{
  std::string start (static_cast<size_t> (std::clamp<int64_t> (file.size (), 0, 256)), '\0');
  file.read (start.data (), start.size (), 0);
  for (const auto &one : known)
    if (start.size () >= one.at && std::string_view (start).substr (one.at).starts_with (one.bytes))
      return one.what;
  return {};
}

} // namespace sino::files
