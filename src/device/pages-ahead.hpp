// SPDX-License-Identifier: LGPL-3.0-or-later
// Brings the pages of fresh memory in threads that have nothing else to do, so that later work need not wait for them.
#pragma once
#include "device/work.hpp"
#include <cstddef>
#include <span>
#include <vector>

namespace sino {

// Brings a few megabytes of pages, and returns the rest of the memory. The content stays.
SINO_VISIBLE std::span<std::byte> bring_some (std::span<std::byte> memory);
// Brings all pages now, with some threads.
SINO_VISIBLE void bring_all (std::span<std::byte> memory);

class SINO_VISIBLE PagesAhead
{
public:
  // The memory must outlive this object. Its content stays, so others may use it meanwhile.
  PagesAhead (const Cpu &cpu, std::vector<std::span<std::byte>> memory);

private:
  std::vector<std::span<std::byte>> left;
  IdleLoop loop; // of one thread; stops first, with some pages left

  bool step ();
};

} // namespace sino
