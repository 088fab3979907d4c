// SPDX-License-Identifier: LGPL-3.0-or-later
// A file without a name, for what a run keeps only while it goes on.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <cstdint>
#include <string>

namespace sino {

class SINO_VISIBLE ScratchFile
{
public:
  // In the folder SINOGRAPH_SCRATCH, TMPDIR or /var/tmp. `bytes` are reserved, so that a disk that is too small is
  // found before the work. Throws Error.
  explicit ScratchFile (size_t bytes = 0);
  ~ScratchFile ();
  ScratchFile (const ScratchFile &) = delete;
  ScratchFile &operator= (const ScratchFile &) = delete;

  // Any thread. Throw Error.
  void write (const std::byte *from, size_t bytes, int64_t at);
  void read (std::byte *to, size_t bytes, int64_t at) const;

private:
  const std::string folder;
  int file = -1;
};

} // namespace sino
