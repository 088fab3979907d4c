// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/gathered-worker.hpp"

namespace sino {

namespace {

// Memory of another owner, kept as long as blocks use it.
struct Pushed final : Buffer {
  Pushed (std::shared_ptr<const std::byte> m, size_t bytes)
      : Buffer (const_cast<std::byte *> (m.get ()), bytes), memory (std::move (m)) // the memory is only read
  {
  }
  const std::shared_ptr<const std::byte> memory;
};

// Kernels read values, which must be aligned.
bool is_aligned (const std::byte *memory, const Format &format)
{
  return reinterpret_cast<uintptr_t> (memory) % size_of (format.element) == 0;
}

} // namespace

bool push_in_place (Output &output, const Format &format, std::shared_ptr<const std::byte> memory)
{
  if (!is_aligned (memory.get (), format))
    return false;
  const auto bytes = block_bytes (format, {}, *output.coming ());
  output.push (output.next_in (std::make_shared<Pushed> (std::move (memory), bytes)));
  return true;
}

void GatheredWorker::run (std::span<Input *const>, Output *output)
{
  while (const Region *coming = output->coming ()) {
    const auto [begin, end] = coming->angles;
    const bool all_rows = coming->rows == Rows (0, format.rows ());
    if (auto memory = all_rows ? frames->whole (begin, end - begin) : nullptr;
        memory && push_in_place (*output, format, std::move (memory)))
      continue;
    Block block = output->next ();
    frames->read (block);
    output->push (std::move (block));
  }
}

} // namespace sino
