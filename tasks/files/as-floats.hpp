// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/stack.hpp"
#include <memory>

namespace sino::files {

// The values of a stack as f32, which reconstruction wants; the stack itself where they are that.
std::shared_ptr<const formats::Stack> as_floats (std::shared_ptr<const formats::Stack> stack);

} // namespace sino::files
