// SPDX-License-Identifier: LGPL-3.0-or-later
// What makes runs fast and can be switched off for one of them, to see what it brings. Results are the same, but where
// the kernels without local memory are others.
#pragma once
#include "run/options.hpp"
#include <span>

namespace sino {

struct Switch {
  const char *name, *about;
  bool &(*of) (RunOptions &); // null: counts devices
};

SINO_VISIBLE std::span<const Switch> switches ();

// Takes "pinned=off,devices=1", or "". Throws SINO_ERROR_BAD_PROPERTY.
SINO_VISIBLE void set_switches (RunOptions &options, const std::string &words);
// On or off; of devices off is one.
SINO_VISIBLE void set_switch (RunOptions &options, const Switch &which, bool on);

// Why a switch makes no difference on the devices of these options; "" where it may.
SINO_VISIBLE std::string no_difference (const RunOptions &options, const Switch &which);

} // namespace sino
