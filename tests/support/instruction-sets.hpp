// SPDX-License-Identifier: LGPL-3.0-or-later
// Tests of native kernels with each instruction set.
#pragma once
#include <functional>
#include <glib.h>
#include <hwy/targets.h>

namespace sino::test {

// Calls body () with each instruction set that this file is compiled for and the machine has.
inline void for_each_set (const std::function<void ()> &body)
{
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    g_test_message ("%s", hwy::TargetName (target));
    hwy::SetSupportedTargetsForTest (target);
    body ();
  }
  hwy::SetSupportedTargetsForTest (0);
}

} // namespace sino::test
