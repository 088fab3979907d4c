// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/memory-claim.hpp"
#include "run/memory.hpp"
#include <algorithm>

namespace sino {

static std::mutex one_plans;
static std::mutex mutex;    // protects the variables below
static int claims = 0;      // number of runs
static double resident = 0; // bytes before the first of them
static double planned = 0;  // bytes planned by all of them

std::unique_lock<std::mutex> MemoryClaim::alone ()
{
  return std::unique_lock (one_plans);
}

MemoryClaim::MemoryClaim () : now_ (resident_memory ())
{
  const std::lock_guard guard (mutex);
  if (claims++ == 0)
    resident = now_;
  before_ = std::max (now_, resident + planned);
}

MemoryClaim::~MemoryClaim ()
{
  const std::lock_guard guard (mutex);
  claims--;
  planned -= own;
}

void MemoryClaim::set (double bytes)
{
  const std::lock_guard guard (mutex);
  planned += bytes - own;
  own = bytes;
}

} // namespace sino
