// SPDX-License-Identifier: LGPL-3.0-or-later
// Stacks that give the data of another one in another form.
#pragma once
#include "formats/stack.hpp"
#include <memory>

namespace sino::files {

using namespace formats;

using StackPtr = std::shared_ptr<const Stack>;

// The values converted to f32, which reconstruction needs; the stack itself if it has f32 values.
StackPtr as_floats (StackPtr stack);

// With pages and lines exchanged: sinograms as projections, because nodes for fan and cone beams accept only those.
StackPtr turned (StackPtr stack);

// With zeros in missing pages, whose places in the new stack are given, ascending.
StackPtr filled (StackPtr stack, std::vector<int64_t> missing);

} // namespace sino::files
