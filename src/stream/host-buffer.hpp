// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "stream/block.hpp"
#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace sino {

// Memory of the host, of which a block may be handed on before it is filled.
struct SINO_VISIBLE HostBuffer : Buffer {
  using Buffer::Buffer;

  void settle () override;
  // The content is there when `wait` has returned, which settle () calls. It may throw.
  void after (std::function<void ()> wait);

  bool keep () override;
  bool kept () const { return is_kept; }
  std::function<void ()> left; // called when it is kept

private:
  std::atomic<bool> is_kept{false};
  std::mutex mutex;
  std::vector<std::function<void ()>> awaited;
};

// Memory of somebody else's, in a block that takes a place among those of a pool until a task keeps it.
struct SINO_VISIBLE PlacedBuffer final : HostBuffer {
  PlacedBuffer (std::byte *data, size_t size, std::shared_ptr<Buffer> owner, std::shared_ptr<Buffer> place);

  const std::shared_ptr<Buffer> owner; // of the memory
  std::shared_ptr<Buffer> place;
};

} // namespace sino
