// SPDX-License-Identifier: LGPL-3.0-or-later
// The end of a worker on a device, which counts what its kernels have found.
#pragma once
#include "base/error.hpp"

namespace sino {

// Whether a worker's last work item failed: its run () has told why then, and errors of its end () only follow from
// that.
class LastItem
{
public:
  template <class Work> void run (Work work)
  {
    failed = true;
    work ();
    failed = false;
  }
  template <class Work> void end (Work work)
  {
    try {
      work ();
    } catch (const Error &) {
      if (!failed)
        throw;
    }
  }

private:
  bool failed = false;
};

} // namespace sino
