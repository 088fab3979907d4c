// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/options.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "device/devices.hpp"
#include "run/memory.hpp"

namespace sino {

RunOptions options_of_ranks (const std::function<RunOptions ()> &find)
{
  const auto cluster = Cluster::of_process (Together::automatic);
  if (!cluster)
    return find ();
  try {
    auto options = find ();
    options.cluster = cluster;
    return options;
  } catch (const Error &e) {
    cluster->fail (e.code, e.what ());
    throw;
  }
}

bool parse_device_memory (const std::string &word, double &bytes)
{
  return !word.ends_with ('%') && parse_size (word, 0, bytes) && bytes >= 1;
}

RunOptions parse_options (const std::string &memory, int threads, const std::string &device,
                          const std::string &device_memory)
{
  RunOptions options;
  if (!memory.empty () && !parse_limit (memory, options.memory))
    fail (SINO_ERROR_BAD_PROPERTY, "memory: '%s' is not a size: 512M, 1.5GiB and 80%% are", memory.c_str ());
  if (!device_memory.empty () && !parse_device_memory (device_memory, options.use.memory))
    fail (SINO_ERROR_BAD_PROPERTY, "device-memory: '%s' is not a size: 512M and 1.5GiB are", device_memory.c_str ());
  options.threads = threads;
  options.devices = find_devices (device);
  return options;
}

bool parse_goes_on (const char *name, const std::string &word)
{
  if (word != "continue" && word != "stop")
    fail (SINO_ERROR_BAD_PROPERTY, "%s wants continue or stop, got '%s'", name, word.c_str ());
  return word == "continue";
}

} // namespace sino
