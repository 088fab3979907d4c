// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/chunk.hpp"
#include "base/text.hpp"

namespace sino {

std::string FrameShape::describe () const
{
  return text ("%lld x %lld %s", static_cast<long long> (rows), static_cast<long long> (columns), name_of (element));
}

void Chunk::drop_first (int64_t few)
{
  if (few == count) {
    memory.reset (); // the owner of the memory may wait for its release
    count = 0;
    return;
  }
  memory = {memory, memory.get () + static_cast<size_t> (few) * shape.bytes ()};
  count -= few;
  number += few;
  if (!angles.empty ())
    angles.erase (angles.begin (), angles.begin () + few);
}

} // namespace sino
