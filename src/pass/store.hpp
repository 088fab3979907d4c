// SPDX-License-Identifier: LGPL-3.0-or-later
// A materialised stream: written by one pass, read by later ones, in memory or in a scratch file.
#pragma once
#include "base/files/scratch-file.hpp"
#include "base/files/temporary.hpp"
#include "stream/block.hpp"
#include <memory>

namespace sino {

class Store
{
public:
  // Throws if the scratch folder has no room for it.
  Store (std::shared_ptr<const Format> format, bool in_memory);
  // Uses a file that other processes have open, too. `made` removes the file at the end, in the process that made it.
  Store (std::shared_ptr<const Format> format, std::unique_ptr<ScratchFile> file,
         std::unique_ptr<Temporary> made = nullptr);
  ~Store ();

  void write (const Block &block);
  void read (Block &block) const;

private:
  // Calls move (offset in the store, offset in the block, bytes) for each part that is contiguous in both.
  template <class Move> void each_run (const Block &block, Move move) const;

  const std::shared_ptr<const Format> format;
  std::byte *memory = nullptr;
  size_t size = 0;
  std::unique_ptr<ScratchFile> file; // null: in memory
  std::unique_ptr<Temporary> made;   // null: the file has no name, or another process made it
};

} // namespace sino
