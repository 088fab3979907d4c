// SPDX-License-Identifier: LGPL-3.0-or-later
// Which format a file of images has, and the opening of one.
#pragma once
#include "formats/formats.hpp"

namespace sino::formats {

// The format that recognises the file by its bytes, or the one that its name's suffix asks for; null where none does.
SINO_VISIBLE const ReadingFormat *format_of_bytes (const Descriptor &file);
SINO_VISIBLE const ReadingFormat *format_of_suffix (const std::string &path);

// Takes "/entry/images" from a path "scan.h5:/entry/images", as other programs write it; "" where it names no dataset.
SINO_VISIBLE std::string take_dataset (std::string &path);

// Throws when a file has values of a type that its format does not hold. `title` is the file, for messages.
SINO_VISIBLE void check_element (const ReadingFormat &format, const Stack &stack, const std::string &title);

// The images of one file, whose path may name a dataset; `property` has the path, for messages.
SINO_VISIBLE std::shared_ptr<const ImageFile> open_images (const char *property, const std::string &path,
                                                           std::vector<std::string> &messages);

} // namespace sino::formats
