// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/pages-ahead.hpp"
#include <algorithm>
#include <sys/mman.h>

namespace sino {

std::span<std::byte> bring_some (std::span<std::byte> memory)
{
  constexpr size_t part = size_t{4} << 20; // a few milliseconds
  const auto some = memory.first (std::min (part, memory.size ()));
#ifdef MADV_POPULATE_WRITE // kernels before 5.14 refuse it: the pages then come at first use
  madvise (some.data (), some.size (), MADV_POPULATE_WRITE);
#endif
  return memory.subspan (some.size ());
}

PagesAhead::PagesAhead (const Cpu &cpu, std::vector<std::span<std::byte>> memory)
    : left (std::move (memory)), loop (cpu, [this] { return step (); })
{
  loop.wake (1);
}

bool PagesAhead::step ()
{
  while (!left.empty () && left.back ().empty ())
    left.pop_back ();
  if (left.empty ())
    return false;
  left.back () = bring_some (left.back ());
  return true;
}

} // namespace sino
