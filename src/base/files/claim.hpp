// SPDX-License-Identifier: LGPL-3.0-or-later
// Claims of files under construction. Other processes can see that a process still works on a file: a lock on it ends
// with that process in any case. On file systems without locks this is unknown.
#pragma once
#include "base/files/open-file.hpp"
#include "base/visibility.hpp"
#include <functional>
#include <string>

namespace sino {

// Creates a file that must not exist and claims it. Returns the descriptor, which holds the claim, or none and errno.
OpenFile create_claimed (const std::string &path);

// Claims an existing file for writing. Returns a descriptor, or none and errno; EAGAIN if another process has claimed
// it.
OpenFile claim_existing (const std::string &path);

// Whether another process, or another part of this one, works on a file.
SINO_VISIBLE bool is_claimed (const std::string &path);

enum class Claim { held, gone, unknown };

// Finds out whether a process works on a file. If that process has ended, calls `remove` while no other process can
// claim the file. `remove` deletes the file and everything else that the process has left, and returns whether all was
// deleted; if not, the result is `held`.
SINO_VISIBLE Claim remove_if_gone (const std::string &path, const std::function<bool ()> &remove);

} // namespace sino
