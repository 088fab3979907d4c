// SPDX-License-Identifier: LGPL-3.0-or-later
// An array in memory, as a stack of images.
#pragma once
#include "formats/stack.hpp"
#include "stream/format.hpp"
#include <memory>

namespace sino::monitor {

// `memory`: the values, dense in the order of the format's axes. Throws Error if there are not as many.
std::shared_ptr<const formats::Stack> stack_of (const Format &format, std::shared_ptr<const std::byte> memory,
                                                size_t bytes);

} // namespace sino::monitor
