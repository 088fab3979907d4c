// SPDX-License-Identifier: LGPL-3.0-or-later
// Optimisations that can be switched off for one run, to measure their effect. Results are the same, unless kernels
// without local memory differ.
#pragma once
#include "run/options.hpp"
#include <span>

namespace sino {

struct Switch {
  const char *name, *about;
  bool &(*of) (RunOptions &); // null: the switch limits the number of devices
};

SINO_VISIBLE std::span<const Switch> switches ();

// Takes "pinned=off,devices=1", or "". Throws SINO_ERROR_BAD_PROPERTY.
SINO_VISIBLE void set_switches (RunOptions &options, const std::string &words);
// Switches it on or off; for devices, off means one.
SINO_VISIBLE void set_switch (RunOptions &options, const Switch &which, bool on);

// The reason why a switch changes nothing on the devices of these options; "" if it may change something.
SINO_VISIBLE std::string no_difference (const RunOptions &options, const Switch &which);

} // namespace sino
