// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/stack.hpp"
#include <memory>

namespace sino::files {

// The values of a stack converted to f32, which reconstruction needs; the stack itself if it has f32 values.
std::shared_ptr<const formats::Stack> as_floats (std::shared_ptr<const formats::Stack> stack);

} // namespace sino::files
