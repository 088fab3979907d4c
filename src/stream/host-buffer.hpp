// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "stream/block.hpp"
#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace sino {

// Host memory; the block may be passed on before it is filled.
struct SINO_VISIBLE HostBuffer : Buffer {
  using Buffer::Buffer;

  void settle () override;
  // The content is complete when `wait` has returned; settle () calls it. It may throw.
  void after (std::function<void ()> wait);

  bool keep () override;
  bool kept () const { return is_kept; }
  std::function<void ()> left; // called when the memory is kept

private:
  std::atomic<bool> is_kept{false};
  std::mutex mutex;
  std::vector<std::function<void ()>> awaited;
};

// Memory of another owner in a block that occupies a place of a pool until a task keeps it.
struct SINO_VISIBLE PlacedBuffer final : HostBuffer {
  PlacedBuffer (std::byte *data, size_t size, std::shared_ptr<Buffer> owner, std::shared_ptr<Buffer> place);

  const std::shared_ptr<Buffer> owner; // owner of the memory
  std::shared_ptr<Buffer> place;
};

} // namespace sino
