// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/energy/powercap.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/pointers.hpp"
#include <algorithm>
#include <filesystem>

namespace sino {

namespace {

// The only word of a file.
std::string word_of (const std::string &path)
{
  char *content = nullptr;
  GError *error = nullptr;
  if (g_file_get_contents (path.c_str (), &content, nullptr, &error))
    return g_strstrip (CharPtr (content).get ());
  const bool denied = error->code == G_FILE_ERROR_ACCES || error->code == G_FILE_ERROR_PERM;
  const std::string message = error->message;
  g_error_free (error);
  if (denied)
    fail (SINO_ERROR_DEVICE, "only the administrator can read %s, and can allow it to others: 'chmod a+r %s'",
          path.c_str (),
          (std::filesystem::path (path).parent_path ().parent_path () / "intel-rapl:*/energy_uj").c_str ());
  fail (SINO_ERROR_DEVICE, "%s", message.c_str ());
}

double joules_of (const std::string &path)
{
  const auto word = word_of (path);
  int64_t microjoules = 0;
  if (!parse_integer (word, microjoules) || microjoules < 0)
    fail (SINO_ERROR_DEVICE, "%s has '%s', not a number of microjoules", path.c_str (), word.c_str ());
  return 1e-6 * static_cast<double> (microjoules);
}

// Zones are named intel-rapl:0 (also for AMD), their parts intel-rapl:0:1. A package includes its cores and the rest of
// the chip; psys includes the packages; intel-rapl-mmio:0 repeats intel-rapl:0; memory is counted separately.
bool counts (const std::string &zone, const std::string &name)
{
  const auto colons = std::ranges::count (zone, ':');
  return (colons == 1 && name.starts_with ("package")) || (colons == 2 && name.starts_with ("dram"));
}

} // namespace

std::vector<EnergyCounter> powercap_counters (const std::string &folder)
{
  std::vector<EnergyCounter> counters;
  const auto zones = names_in (folder);
  for (const auto &zone : zones.list) {
    auto path = folder + "/";
    path += zone;
    if (!zone.starts_with ("intel-rapl:") || !counts (zone, word_of (path + "/name")))
      continue;
    const auto file = path + "/energy_uj";
    joules_of (file); // throws if it cannot be read
    counters.push_back ({[file] { return joules_of (file); }, joules_of (path + "/max_energy_range_uj")});
  }
  if (zones.error != 0 && !counters.empty ())
    fail (SINO_ERROR_DEVICE, "%s could not be read completely: %s", folder.c_str (), g_strerror (zones.error));
  if (counters.empty ())
    fail (SINO_ERROR_DEVICE,
          "no counter of a processor package (intel-rapl) in %s: the system has none, or hides it in a container or a "
          "virtual machine",
          folder.c_str ());
  return counters;
}

} // namespace sino
