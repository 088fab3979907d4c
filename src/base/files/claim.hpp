// SPDX-License-Identifier: LGPL-3.0-or-later
// Files under construction belong to the process that makes them, which others can tell: a lock on the file goes with
// the process, however that ends. Where a file system has no locks, nothing is known.
#pragma once
#include "base/visibility.hpp"
#include <functional>
#include <string>

namespace sino {

// Creates a file that must not exist and claims it. The descriptor, which holds the claim, or -1 and errno.
int create_claimed (const std::string &path);

// Claims a file that is there, to write to: a descriptor, or -1 and errno, which is EAGAIN where another process has
// it.
int claim_existing (const std::string &path);

// Whether another process, or another part of this one, is at work on a file.
SINO_VISIBLE bool is_claimed (const std::string &path);

enum class Claim { held, gone, unknown };

// Whether a process is at work on a file. Where it is gone, `remove` removes what that has left, the file included,
// while nobody can claim it, and says whether all of it is gone; else it counts as held.
SINO_VISIBLE Claim remove_if_gone (const std::string &path, const std::function<bool ()> &remove);

} // namespace sino
