// SPDX-License-Identifier: LGPL-3.0-or-later
// A page that is served, for programs in C++.
#pragma once
#include "base/visibility.hpp"
#include "run/watcher.hpp"
#include "scan/chain.hpp"
#include "stream/format.hpp"
#include <memory>
#include <string>
#include <vector>

namespace sino::monitor {

class SINO_VISIBLE Viewer
{
public:
  virtual ~Viewer ();

  // Opens files and folders and serves a page of them at an address in words ("", "8080", "unix:PATH") until the object
  // is gone. `kind`: of the images; other: found in the files. The wishes, which must outlive the page, are about the
  // first path. Throws Error.
  static std::unique_ptr<Viewer> open (const std::vector<std::string> &paths, Kind kind, const scan::Wishes &wishes,
                                       const std::string &address);

  // Serves a page of a run, which has not been prepared yet.
  static std::unique_ptr<Viewer> of_run (const std::string &title, const std::string &address);

  // Shows a run that was prepared; of a page of a run.
  virtual const std::shared_ptr<RunWatcher> &watcher () const = 0;

  // The address to open, with its token, and the line for another computer.
  virtual std::string url () const = 0;
  virtual std::string ssh_line () const = 0;
};

} // namespace sino::monitor
