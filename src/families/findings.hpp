// SPDX-License-Identifier: LGPL-3.0-or-later
// What was found out about devices by running kernels there: whether they are right, how fast they are, which are the
// fastest. Small files in the user's cache ($XDG_CACHE_HOME/sinograph/findings), which later runs read.
#pragma once
#include "base/visibility.hpp"
#include <functional>
#include <string>
#include <vector>

namespace sino {
class OpenclDevice;
}

namespace sino::families {

SINO_VISIBLE std::string findings_folder ();

// The file of a finding about such a device and driver. `name`: for people; `depends`: on what else it does, the
// sources of kernels above all.
SINO_VISIBLE std::string finding_path (const OpenclDevice &device, const std::string &name,
                                       const std::vector<std::string> &depends);

// Empty when there is none.
SINO_VISIBLE std::string read_finding (const std::string &path);
// Replaces what was there; throws Error. When all have more than `most` bytes, those go that were not used for longest
// (a finding has some hundred bytes). Tunings (.json) neither go nor count.
SINO_VISIBLE void write_finding (const std::string &path, const std::string &content, size_t most = size_t{2} << 20);

struct Finding {
  std::string text;
  bool lasting; // else it may be another one tomorrow, and is not kept: memory that others had, a device that was lost
};
// Asks once, now or in an earlier run. One question at a time is asked. What cannot be written is asked again next
// time.
SINO_VISIBLE Finding find_out (const std::string &path, const std::function<Finding ()> &ask);

} // namespace sino::families
