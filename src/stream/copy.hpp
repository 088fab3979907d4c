// SPDX-License-Identifier: LGPL-3.0-or-later
// Copies between blocks of one stream that hold different regions or have different lanes.
#pragma once
#include "stream/block.hpp"

namespace sino {

// Copies the rows and angles that both blocks hold; does not change padding. The formats must have the same axes,
// extents of a line and element type.
SINO_VISIBLE void copy_common (const Block &from, Block &to);

// The block itself if it has one lane, otherwise a dense copy.
SINO_VISIBLE Block dense (const Block &block);

} // namespace sino
