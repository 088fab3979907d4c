// SPDX-License-Identifier: LGPL-3.0-or-later
// The folder that a run of somebody else's graph is kept in: what it opens to read, and where it writes, must lie
// there. A run has it with its monitor, so that code which knows no run asks for it here.
#pragma once
#include "base/visibility.hpp"
#include <memory>
#include <string>

namespace sino {

class SINO_VISIBLE Confinement
{
public:
  // Throws where the folder is none.
  explicit Confinement (const std::string &folder);
  ~Confinement ();
  Confinement (const Confinement &) = delete;
  Confinement &operator= (const Confinement &) = delete;

  // The confinement of the run that this thread works for, or null.
  static const Confinement *current ();

  // The folder, without links in its path.
  const std::string &folder () const { return folder_; }

  // Throws where the path leads out of the folder, by links as well. What is not there yet counts as what it would be.
  void check (const std::string &path) const;
  // The same for a name that is made anew or replaced: a link of that name goes, and is not followed.
  void check_place (const std::string &path) const;
  // Opens a file to read that check () has passed, without a link on the way that was not there then: a descriptor, or
  // -1 and errno.
  int open_to_read (const std::string &path, int flags) const;

private:
  std::string folder_;
  int descriptor;

  [[noreturn]] void refuse (const std::string &path, const std::string &place) const;
};

// Throws where this thread works for a run that is confined and the path leads out: check () and check_place ().
SINO_VISIBLE void check_confined (const std::string &path);
SINO_VISIBLE void check_place_confined (const std::string &path);

} // namespace sino
