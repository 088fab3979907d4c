// SPDX-License-Identifier: LGPL-3.0-or-later
// A file for what a run keeps only while it goes on, without a name unless other processes open it, too.
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
  // One that another process may have made, which sees to its end.
  explicit ScratchFile (const std::string &path);
  ~ScratchFile ();
  ScratchFile (const ScratchFile &) = delete;
  ScratchFile &operator= (const ScratchFile &) = delete;

  // The folder for those without a name.
  static std::string usual_folder ();

  // Makes it as large, and takes the space.
  void reserve (size_t bytes);
  size_t size () const;

  // Any thread. Throw Error.
  void write (const std::byte *from, size_t bytes, int64_t at);
  void read (std::byte *to, size_t bytes, int64_t at) const;

private:
  const std::string folder;
  int file = -1;
};

} // namespace sino
