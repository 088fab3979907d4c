// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/kept-report.hpp"

namespace sino {

static thread_local KeptReport *wanted = nullptr;

KeptReport::KeptReport () noexcept : before (wanted)
{
  wanted = this;
}

KeptReport::~KeptReport ()
{
  wanted = before;
}

void KeptReport::rethrow () const
{
  if (kept)
    std::rethrow_exception (kept);
}

bool KeptReport::keep_current () noexcept
{
  if (!wanted)
    return false;
  if (!wanted->kept)
    wanted->kept = std::current_exception ();
  return true;
}

} // namespace sino
