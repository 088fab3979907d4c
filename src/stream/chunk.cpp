// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/chunk.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace sino {

std::string FrameShape::describe () const
{
  return text ("%lld x %lld %s", static_cast<long long> (rows), static_cast<long long> (columns), name_of (element));
}

int64_t FrameShape::frames_in (size_t size) const
{
  if (size == 0 || size % bytes () != 0)
    fail (SINO_ERROR_BAD_FORMAT, "%zu bytes are not a whole number of frames: a frame of %s has %zu", size,
          describe ().c_str (), bytes ());
  return static_cast<int64_t> (size / bytes ());
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
