// SPDX-License-Identifier: LGPL-3.0-or-later
// Memory for copies of frames. It is used again, because new pages cost more time than the copy.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace sino::app {

class SINO_VISIBLE Copies : public std::enable_shared_from_this<Copies>
{
public:
  std::shared_ptr<const std::byte> copy (const void *data, size_t bytes);

private:
  struct Piece {
    std::unique_ptr<std::byte[]> memory;
    size_t bytes;
  };
  std::mutex mutex;
  std::vector<Piece> unused;

  std::unique_ptr<std::byte[]> take (size_t bytes);
  void give_back (Piece piece) noexcept;
};

} // namespace sino::app
