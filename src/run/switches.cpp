// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/switches.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace sino {

namespace {

constexpr Switch all[] = {
    {"read-ahead", "blocks are read in advance, with several simultaneous requests",
     [] (RunOptions &o) -> bool & { return o.read_ahead; }},
    {"pinned", "transfers use pinned memory", [] (RunOptions &o) -> bool & { return o.use.pinned; }},
    {"local-tile", "kernels keep shared values of a group in local memory",
     [] (RunOptions &o) -> bool & { return o.use.local_tile; }},
    {"write-combined", "buffers that the host only writes are write-combined",
     [] (RunOptions &o) -> bool & { return o.use.write_combined; }},
    {"overlap", "transfers and kernels of all nodes overlap", [] (RunOptions &o) -> bool & { return o.use.overlap; }},
    {"devices", "all devices of the list are used", nullptr},
};

const Switch &find (const std::string &name)
{
  std::vector<std::string> names;
  for (const auto &each : all) {
    if (name == each.name)
      return each;
    names.emplace_back (each.name);
  }
  fail (SINO_ERROR_BAD_PROPERTY, "no switch '%s': %s", name.c_str (),
        did_you_mean (name, names, "", "the switches are " + join (names)).c_str ());
}

bool any (const RunOptions &options, bool (*has) (const Device &))
{
  return std::ranges::any_of (options.devices, [has] (const auto &device) { return has (*device); });
}

} // namespace

std::span<const Switch> switches ()
{
  return all;
}

void set_switch (RunOptions &options, const Switch &which, bool on)
{
  if (which.of)
    which.of (options) = on;
  else
    options.most_devices = on ? 0 : 1;
}

void set_switches (RunOptions &options, const std::string &words)
{
  if (words.empty ())
    return;
  for (const auto &word : split (words, ',')) {
    const auto equals = std::min (word.find ('='), word.size ());
    const auto &which = find (word.substr (0, equals));
    const auto value = word.substr (std::min (equals + 1, word.size ()));
    int64_t number = 0;
    if (which.of && (value == "on" || value == "off"))
      set_switch (options, which, value == "on");
    else if (!which.of && parse_integer (value, number) && number >= 1 && number <= 1024)
      options.most_devices = static_cast<int> (number);
    else
      fail (SINO_ERROR_BAD_PROPERTY, "switch %s wants %s, got '%s'", which.name,
            which.of ? "on or off" : "a number of devices of at least 1", value.c_str ());
  }
}

std::string no_difference (const RunOptions &options, const Switch &which)
{
  const std::string name = which.name;
  if (name == "read-ahead")
    return {};
  if (name == "devices")
    return options.devices.size () > 1 ? "" : "there is only one device";
  if (!any (options, [] (const Device &device) { return device.kind == Device::Kind::opencl; }))
    return "there is no OpenCL device";
  if (name == "pinned" && !any (options, [] (const Device &device) { return device.own_memory () > 0; }))
    return "the devices use the host's memory";
  return {};
}

} // namespace sino
