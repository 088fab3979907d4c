// SPDX-License-Identifier: LGPL-3.0-or-later
// A file for data that are needed only during a run. It has no name unless other processes open it, too.
#pragma once
#include "base/files/open-file.hpp"
#include "base/visibility.hpp"
#include <cstddef>
#include <cstdint>
#include <string>

namespace sino {

class SINO_VISIBLE ScratchFile
{
public:
  // Makes a file in the folder SINOGRAPH_SCRATCH, TMPDIR or /var/tmp. Reserves `bytes`, so that a full disk is noticed
  // before the work. Throws Error.
  explicit ScratchFile (size_t bytes = 0);
  // Opens a file that another process may have made; that process removes it.
  explicit ScratchFile (const std::string &path);

  // The folder of files without a name.
  static std::string usual_folder ();

  // Sets the size of the file and allocates the disk space.
  void reserve (size_t bytes);
  size_t size () const;

  // Any thread. Throw Error.
  void write (const std::byte *from, size_t bytes, int64_t at);
  void read (std::byte *to, size_t bytes, int64_t at) const;

private:
  const std::string folder;
  OpenFile file;
};

} // namespace sino
