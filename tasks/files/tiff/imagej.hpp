// SPDX-License-Identifier: LGPL-3.0-or-later
// ImageJ stacks in TIFF files with tags for the first image only: ImageJ writes these above 4 GiB, where offsets of
// classic TIFF end. The description gives the number of images; they are contiguous and uncompressed.
#pragma once
#include "tasks/files/tiff/tiff.hpp"

namespace sino::files {

// Position of the only page of a file.
struct OnlyPage {
  int64_t directory, pixels, bytes; // offsets of its tags and of its first pixel, and the size of its pixels
};

// The number of contiguous images from the page's pixels on. Throws if the file is too short for the number in the
// description.
int64_t imagej_images (const Tiff &tiff, const OnlyPage &page, int64_t file_size, const std::string &title);

} // namespace sino::files
