// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/open.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <fcntl.h>

namespace sino::formats {

std::vector<std::string> names_of_formats (bool ReadingFormat::*property, bool value)
{
  std::vector<std::string> names;
  for (const auto *format : registered<ReadingFormat> ())
    if (format->*property == value)
      names.push_back (format->name);
  return names;
}

const ReadingFormat *format_of_bytes (const Descriptor &file)
{
  for (const auto *format : registered<ReadingFormat> ())
    if (format->recognised && format->recognised (file))
      return format;
  return nullptr;
}

const ReadingFormat *format_of_suffix (const std::string &path)
{
  for (const auto *format : registered<ReadingFormat> ())
    if (has_suffix (path, format->suffixes))
      return format;
  return nullptr;
}

std::string take_dataset (std::string &path)
{
  FileStamp stamp;
  auto at = path.rfind (":/");
  if (at == path.npos) { // also accepts ":name" without a slash, for files only: names of folders may contain colons
    at = path.rfind (':');
    if (at != path.npos && !g_file_test (path.substr (0, at).c_str (), G_FILE_TEST_IS_REGULAR))
      return "";
  }
  if (at == path.npos || find_stamp (path, stamp) || !find_stamp (path.substr (0, at), stamp))
    return "";
  auto dataset = path.substr (at + 1);
  path.erase (at);
  return dataset;
}

void check_element (const ReadingFormat &format, const Stack &stack, const std::string &title)
{
  if (std::ranges::count (format.elements, stack.element) == 0)
    fail (SINO_ERROR_BAD_FILE, "%s has %s values, but %s supports %s: convert the file to one of these", title.c_str (),
          name_of (stack.element), format.name.c_str (), elements_text (format.elements, " or ").c_str ());
}

std::shared_ptr<const ImageFile> open_images (const char *property, const std::string &path,
                                              std::vector<std::string> &messages)
{
  auto name = path;
  const auto dataset = take_dataset (name);
  const auto *format = format_of_bytes (Descriptor (name, O_RDONLY));
  if (!format)
    format = format_of_suffix (name);
  if (!format || format->described)
    fail (SINO_ERROR_BAD_FILE, "%s=%s is not an image file: give one of %s", property, path.c_str (),
          join (names_of_formats (&ReadingFormat::described, false), ", ", {}, " or ").c_str ());
  if (!dataset.empty () && !format->datasets)
    fail (SINO_ERROR_BAD_PROPERTY, "%s=%s names a dataset, which %s does not have: leave it out", property,
          path.c_str (), format->name.c_str ());
  auto file = format->open ({.path = name, .paths = {name}, .dataset = dataset, .images = "data"}, messages);
  check_element (*format, *file->stack, file->title ());
  return file;
}

} // namespace sino::formats
