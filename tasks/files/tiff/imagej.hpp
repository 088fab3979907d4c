// SPDX-License-Identifier: LGPL-3.0-or-later
// Stacks of ImageJ in TIFF files with the tags of the first image only: its way above 4 GiB, where the offsets of
// classic TIFF end. The description tells how many images there are; they follow one another without compression.
#pragma once
#include "tasks/files/tiff/tiff.hpp"

namespace sino::files {

// Where the only page of a file is.
struct OnlyPage {
  int64_t directory, pixels, bytes; // offsets of its tags and of its first pixel, and bytes of its pixels
};

// How many images lie at its pixels, one behind the other. Throws when the file is too short for those that it tells
// of.
int64_t imagej_images (const Tiff &tiff, const OnlyPage &page, int64_t file_size, const std::string &title);

} // namespace sino::files
