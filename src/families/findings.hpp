// SPDX-License-Identifier: LGPL-3.0-or-later
// Findings about devices: results of running kernels there, for example whether a kernel is right, its speed, or which
// one is the fastest. They are small files in the user's cache ($XDG_CACHE_HOME/sinograph/findings), for later runs.
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

// Path of the file with a finding about this device and driver. `name`: part of the file name, for people. `depends`:
// texts on which the finding depends, mainly the sources of kernels.
SINO_VISIBLE std::string finding_path (const OpenclDevice &device, const std::string &name,
                                       const std::vector<std::string> &depends);

// The content of the file; empty if there is none. It counts as used.
SINO_VISIBLE std::string read_finding (const std::string &path);
// The same without that, for lists of findings.
SINO_VISIBLE std::string look_at_finding (const std::string &path);
// Writes or replaces the file; throws Error. If all findings have more than `most` bytes, removes the least recently
// used ones (a finding has some hundred bytes). Tunings (.json) are neither removed nor counted.
SINO_VISIBLE void write_finding (const std::string &path, const std::string &content, size_t most = size_t{2} << 20);

// The same for a finding with a checksum: a damaged file counts as absent. keep_sealed () ignores errors: the finding
// is missing later.
SINO_VISIBLE std::string read_sealed (const std::string &path);
SINO_VISIBLE void keep_sealed (const std::string &path, const std::string &finding);
// The finding in the content of such a file.
SINO_VISIBLE std::string unsealed (const std::string &content);

struct Finding {
  std::string text;
  // False: it may change, for example after a lack of memory or the loss of a device; then it is not stored.
  bool lasting;
};
// Returns the finding in the file or in this process; if there is none, calls `ask`, one call at a time, and stores the
// result. If the file cannot be written, later processes call `ask` again.
SINO_VISIBLE Finding find_out (const std::string &path, const std::function<Finding ()> &ask);

} // namespace sino::families
