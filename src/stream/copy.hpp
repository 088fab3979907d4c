// SPDX-License-Identifier: LGPL-3.0-or-later
// Between blocks of one stream that hold other regions, or other lanes.
#pragma once
#include "stream/block.hpp"

namespace sino {

// Copies the rows and angles that both blocks hold; padding is left alone. The formats must have the same axes,
// extents of a line and element type.
SINO_VISIBLE void copy_common (const Block &from, Block &to);

// The block itself when it has one lane, else a dense copy.
SINO_VISIBLE Block dense (const Block &block);

} // namespace sino
