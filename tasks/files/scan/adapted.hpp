// SPDX-License-Identifier: LGPL-3.0-or-later
// Stacks that give the data of another one in another form.
#pragma once
#include "formats/stack.hpp"
#include "stream/scale.hpp"
#include <memory>

namespace sino::files {

using namespace formats;

using StackPtr = std::shared_ptr<const Stack>;

// The stack with values converted to f32, which reconstruction needs; the stack itself if it has f32 values.
StackPtr as_floats (StackPtr stack);

// The stack with the values that its grey values stand for, in f32.
StackPtr scaled (StackPtr stack, const Scale &scale);

// The stack with pages and lines exchanged: sinograms become projections, because nodes for fan and cone beams accept
// only these.
StackPtr turned (StackPtr stack);

// The stack with additional pages of zeros. `missing`: their indices in the new stack, ascending.
StackPtr filled (StackPtr stack, std::vector<int64_t> missing);

} // namespace sino::files
