// SPDX-License-Identifier: LGPL-3.0-or-later
// The C++ contents of public objects. make_object () returns a new reference.
#pragma once
#include "api/sino-buffer.h"
#include "stream/block.hpp"

namespace sino {

SINO_VISIBLE SinoFormat *make_object (std::shared_ptr<const Format> format);
SINO_VISIBLE SinoGeometry *make_object (std::shared_ptr<const Geometry> geometry);
// `block` must have one lane. `format`: the object of the block's format.
SINO_VISIBLE SinoBuffer *make_object (SinoFormat *format, Block block, bool writable);

SINO_VISIBLE const std::shared_ptr<const Format> &contents (SinoFormat *format);
SINO_VISIBLE const std::shared_ptr<const Geometry> &contents (SinoGeometry *geometry);

// Ends the use of a block by the runtime: other owners of the object keep its memory, or get a copy if the memory
// belongs to somebody else.
SINO_VISIBLE void detach (SinoBuffer *buffer);

} // namespace sino
