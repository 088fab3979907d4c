// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the format of an image file and opens it.
#pragma once
#include "formats/formats.hpp"

namespace sino::formats {

// Names of formats to read with this property.
SINO_VISIBLE std::vector<std::string> names_of_formats (bool ReadingFormat::*property, bool value = true);

// The format that recognises the file's bytes, or the format of the name's suffix; null if there is none.
SINO_VISIBLE const ReadingFormat *format_of_bytes (const Descriptor &file);
SINO_VISIBLE const ReadingFormat *format_of_suffix (const std::string &path);

// Removes "/entry/images" from a path "scan.h5:/entry/images", as other programs write it, and returns it; "" if the
// path names no dataset.
SINO_VISIBLE std::string take_dataset (std::string &path);

// Throws if a file has an element type that its format does not support. `title`: the file, for messages.
SINO_VISIBLE void check_element (const ReadingFormat &format, const Stack &stack, const std::string &title);

// The images of one file; the path may name a dataset. `property`: the property with the path, for messages.
SINO_VISIBLE std::shared_ptr<const ImageFile> open_images (const char *property, const std::string &path,
                                                           std::vector<std::string> &messages);

} // namespace sino::formats
