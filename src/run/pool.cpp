// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/pool.hpp"
#include <sys/mman.h>

namespace sino {

struct Pool::Slot final : Buffer {
  std::shared_ptr<Pool> pool;

  Slot (std::shared_ptr<Pool> p, std::byte *memory) : Buffer (memory, p->bytes), pool (std::move (p)) {}
  ~Slot () override { pool->give_back (data); }
};

Pool::Pool (Monitor &m, size_t n, int64_t count) : monitor (m), bytes (std::max<size_t> (n, 1)), most (count) {}

Pool::~Pool ()
{
  for (auto *memory : unused)
    munmap (memory, bytes);
}

std::shared_ptr<Buffer> Pool::take ()
{
  std::byte *memory = nullptr;
  {
    auto lock = monitor.lock ();
    monitor.wait (lock, [this] { return !unused.empty () || made < most; });
    if (!unused.empty ()) {
      memory = unused.back ();
      unused.pop_back ();
    } else
      made++;
  }
  if (!memory) {
    void *fresh = mmap (nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED)
      fail (SINO_ERROR_MEMORY, "no memory for a block of %s", bytes_text (static_cast<double> (bytes)).c_str ());
    if (bytes >= size_t{4} << 20)
      madvise (fresh, bytes, MADV_HUGEPAGE);
    memory = static_cast<std::byte *> (fresh);
  }
  return std::make_shared<Slot> (shared_from_this (), memory);
}

void Pool::give_back (std::byte *memory)
{
  const auto lock = monitor.lock ();
  unused.push_back (memory);
  monitor.changed ();
}

void Channel::push (Block block)
{
  const auto lock = monitor.lock ();
  waiting.push_back (std::move (block));
  monitor.changed ();
}

Block Channel::pop ()
{
  auto lock = monitor.lock ();
  monitor.wait (lock, [this] { return !waiting.empty (); });
  Block block = std::move (waiting.front ());
  waiting.erase (waiting.begin ());
  return block;
}

} // namespace sino
