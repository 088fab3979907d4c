// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <cstddef>
#include <vector>

namespace sino {

// Gives a vector `n` values, which are any, and no room for more than the most of its calls. A vector that grows by
// itself may double its room, and has the old and the new one at once: more than was billed.
template <class T> void resize_exactly (std::vector<T> &values, size_t n)
{
  if (n > values.capacity ())
    values = std::vector<T> ();
  values.resize (n);
}

} // namespace sino
