// SPDX-License-Identifier: LGPL-3.0-or-later
// Follows ImageJ's ij.io.FileOpener and TiffDecoder (github.com/imagej/ImageJ): lines "ImageJ=1.53t" and "images=720".
#include "tasks/files/tiff/imagej.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"

namespace sino::files {

namespace {

// The number of images in an ImageJ description; 1 if it gives none.
int64_t images_of (const std::string &description, const std::string &title)
{
  if (!description.starts_with ("ImageJ="))
    return 1;
  for (auto line : split (description, '\n')) {
    constexpr std::string_view key = "images=";
    if (!line.starts_with (key))
      continue;
    if (line.ends_with ('\r'))
      line.pop_back ();
    int64_t images = 0;
    if (!parse_integer (line.substr (key.size ()), images) || images < 1)
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: ImageJ's description of it says %s", title.c_str (),
            in_quotes (line).c_str ());
    return images;
  }
  return 1;
}

} // namespace

int64_t imagej_images (const Tiff &tiff, const OnlyPage &page, int64_t file_size, const std::string &title)
{
  const char *words = tiff.tag<const char *> (TIFFTAG_IMAGEDESCRIPTION, nullptr);
  const auto images = words ? images_of (words, title) : 1;
  if (images == 1)
    return 1;
  // Available space between the pixels and the tags, or the end of the file.
  const auto end = page.directory > page.pixels ? page.directory : file_size, behind = end - page.pixels - page.bytes;
  // An image taken from a stack keeps the stack's description, but no other images follow it.
  if (behind < page.bytes)
    return 1;
  if (behind / page.bytes < images - 1)
    fail (SINO_ERROR_BAD_FILE,
          "%s is truncated: ImageJ's description says that it has %" G_GINT64_FORMAT
          " images, and it ends after %" G_GINT64_FORMAT,
          title.c_str (), images, 1 + behind / page.bytes);
  return images;
}

} // namespace sino::files
