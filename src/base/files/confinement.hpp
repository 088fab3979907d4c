// SPDX-License-Identifier: LGPL-3.0-or-later
// Confines a run to a folder, for graphs from other people: all files that it reads and writes must lie there. The
// run's monitor holds the confinement, so code without access to the run asks for it here.
#pragma once
#include "base/files/open-file.hpp"
#include "base/visibility.hpp"
#include <string>

namespace sino {

class SINO_VISIBLE Confinement
{
public:
  // Throws if `folder` is not a folder.
  explicit Confinement (const std::string &folder);

  // The confinement of the run that this thread works for, or null.
  static const Confinement *current ();

  // The folder, without links in its path.
  const std::string &folder () const { return folder_; }

  // Throws if the path leads out of the folder, directly or by links. Also checks a path that does not exist yet.
  void check (const std::string &path) const;
  // The same for a file that will be made or replaced: if it is a link, the link is replaced, not followed.
  void check_place (const std::string &path) const;
  // Opens for reading a file that check () has accepted; fails if links on the path were added since. Returns a
  // descriptor, or -1 and errno.
  int open_to_read (const std::string &path, int flags) const;

private:
  std::string folder_;
  OpenFile descriptor;

  [[noreturn]] void refuse (const std::string &path, const std::string &place) const;
};

// Calls check () or check_place () if the run of this thread is confined.
SINO_VISIBLE void check_confined (const std::string &path);
SINO_VISIBLE void check_place_confined (const std::string &path);

} // namespace sino
