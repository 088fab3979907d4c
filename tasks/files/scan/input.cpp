// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/input.hpp"
#include "base/error.hpp"
#include "tasks/files/paths.hpp"
#include <algorithm>
#include <fcntl.h>

namespace sino::files {

namespace {

// --- files of unsupported formats ---

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
    {"NRRD"sv, 0, "an NRRD file: set raw= as in its header, with the offset after the header"},
    {"PK\x03\x04"sv, 0, "a ZIP archive, such as .npz: unpack it first"},
    {"\x1f\x8b"sv, 0, packed},
    {"BZh"sv, 0, packed},
    {"\xfd"
     "7zXZ"sv,
     0, packed},
    {"\x28\xb5\x2f\xfd"sv, 0, packed},
    {"7z\xbc\xaf\x27\x1c"sv, 0, packed},
    {"%PDF"sv, 0, "a PDF document"},
};

// "a ZIP archive: unpack it", the kind of file and advice; "" if unknown.
std::string known_by_bytes (const Descriptor &file)
{
  std::string start (static_cast<size_t> (std::clamp<int64_t> (file.size (), 0, 256)), '\0');
  file.read (start.data (), start.size (), 0);
  for (const auto &one : known)
    if (start.size () >= one.at && std::string_view (start).substr (one.at).starts_with (one.bytes))
      return one.what;
  return {};
}

// --- the format of a path ---

const ReadingFormat *format_for_raw ()
{
  for (const auto *format : registered<ReadingFormat> ())
    if (format->described)
      return format;
  return nullptr;
}

// The format of the first file, for all files. If a file is not recognised, the format of its suffix reports the error.
const ReadingFormat &format_of (const ReadRequest &request, std::string_view property)
{
  const auto &path = request.paths[0];
  const Descriptor file (path, O_RDONLY);
  const auto *const raw = request.raw.empty () ? nullptr : format_for_raw ();
  if (raw && property == "path")
    return *raw;
  if (const auto *format = format_of_bytes (file))
    return *format;
  if (raw)
    return *raw;
  if (const auto what = known_by_bytes (file); !what.empty ())
    fail (SINO_ERROR_BAD_FILE, "'%s' is %s", path.c_str (), what.c_str ());
  if (const auto *format = format_of_suffix (path))
    return *format;
  fail (SINO_ERROR_BAD_FILE,
        "'%s' is neither %s: if it contains uncompressed pixels, describe them with raw=", path.c_str (),
        join (names_of_formats (&ReadingFormat::described, false), ", ", {}, " nor ").c_str ());
}

void split_dataset (ReadRequest &request)
{
  const auto asked = request.path;
  const auto dataset = take_dataset (request.path);
  if (dataset.empty ())
    return;
  if (!request.dataset.empty () && request.dataset != dataset)
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s names a dataset, and dataset=%s names another: leave one of them out",
          asked.c_str (), request.dataset.c_str ());
  request.dataset = dataset;
}

// Throws if the format does not support a part of the request.
void check_asked (const ReadingFormat &format, const ReadRequest &request)
{
  const auto names = [] (bool ReadingFormat::*have) { return join (names_of_formats (have), ", ", {}, " and "); };
  if (request.paths.size () > 1 && !format.sequences)
    fail (SINO_ERROR_BAD_PROPERTY,
          "'%s' is several files, but a scan in %s must be one file: name one of them, such as '%s'",
          request.path.c_str (), format.name.c_str (), request.paths[0].c_str ());
  if (!request.dataset.empty () && !format.datasets)
    fail (SINO_ERROR_BAD_PROPERTY, "dataset=%s is for %s files, but '%s' is %s%s: leave it out",
          request.dataset.c_str (), names (&ReadingFormat::datasets).c_str (), request.paths[0].c_str (),
          format.name.c_str (), has_suffix (request.paths[0], format.suffixes) ? "" : ", according to its first bytes");
  if (request.missing == Missing::skip && !format.sequences && !format.datasets)
    fail (SINO_ERROR_BAD_PROPERTY,
          "missing=skip is for sequences of %s files, but '%s' is %s: leave it out, or set missing=zero",
          names (&ReadingFormat::sequences).c_str (), request.path.c_str (), format.name.c_str ());
}

} // namespace

// The format of a folder that is a scan itself, as of Zarr; null: it is none.
static const ReadingFormat *format_of_folder (const std::string &path)
{
  if (g_file_test (path.c_str (), G_FILE_TEST_IS_DIR))
    for (const auto *format : registered<ReadingFormat> ())
      if (format->folders && has_suffix (path, format->suffixes))
        return format;
  return nullptr;
}

Input open_input (ReadRequest request, const char *property, std::vector<std::string> &messages)
{
  split_dataset (request);
  while (request.path.size () > 1 && request.path.ends_with ('/'))
    request.path.pop_back ();
  const auto *const of_folder = format_of_folder (request.path);
  request.paths = !of_folder && is_sequence (request.path) ? find_images (request.path) : std::vector{request.path};
  if (!of_folder && request.growing && !request.paths.empty () && is_sequence (request.path)) {
    drop_unfinished (request.paths);
    if (request.paths.empty ())
      fail (SINO_ERROR_BAD_FILE, "'%s' has no image yet that has been written to its end", request.path.c_str ());
  }
  const auto &format = of_folder ? *of_folder : format_of (request, property);
  check_asked (format, request);
  auto file = format.open (request, messages);
  auto stack = file->stack;
  check_element (format, *stack, file->title ());
  return {.format = &format, .file = std::move (file), .stack = std::move (stack), .gaps = find_gaps (request.paths)};
}

} // namespace sino::files
