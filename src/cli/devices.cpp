// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/devices.hpp"
#include "cli/options.hpp"
#include <algorithm>
#include <cstdio>

namespace sino::cli {

int devices (int argc, char **argv)
{
  if (!parse (argc, argv, "devices",
              "Lists the devices that graphs can run on; '*' marks the one that is taken when "
              "--device is not given.",
              {})
           .empty ())
    throw Wrong (SINO_ERROR_BAD_GRAPH, "devices takes no arguments");
  const auto all = all_devices (), chosen = find_devices ("");
  for (const auto &device : all)
    printf ("%c %-8s %s\n", std::find (chosen.begin (), chosen.end (), device) == chosen.end () ? ' ' : '*',
            device->id.c_str (), device->name.c_str ());
  return done;
}

} // namespace sino::cli
