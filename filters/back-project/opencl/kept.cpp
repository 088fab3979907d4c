// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/kept.hpp"
#include "base/error.hpp"
#include "base/temporary.hpp"
#include "device/program-cache.hpp"
#include "opencl/source.hpp"
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace sino::back_project {

namespace {

std::string folder ()
{
  return text ("%s/sinograph/tuning", g_get_user_cache_dir ());
}

constexpr const char *interpolations[] = {"linear", "nearest", "oversample"}; // as the enum

const char *word (Interpolation interpolation)
{
  return interpolations[static_cast<size_t> (interpolation)];
}

// Another driver or another kernel may have another best way.
std::string path_for (const OpenclDevice &device, const Situation &situation, int lanes)
{
  std::vector<std::string> parts{"tuning 2", device.identity ()};
  for (const auto &variant : variants ())
    parts.push_back (kernels::opencl_source (variant.source ()));
  return text ("%s/%s-%s-%s-%s%s.json", folder ().c_str (), program_key (parts).substr (0, 32).c_str (),
               situation.many ? "many" : "one", word (situation.interpolation), situation.half ? "half" : "single",
               lanes > 0 ? text ("-%d-lanes", lanes).c_str () : "");
}

std::string read_file (const std::string &path)
{
  std::ifstream file (path);
  return {std::istreambuf_iterator<char> (file), {}};
}

} // namespace

std::string entry_json (const Situation &situation, const Setting &setting, int lanes)
{
  std::string parameters;
  for (const auto &[name, value] : setting.parameters)
    parameters += text ("%s\"%s\": %d", parameters.empty () ? "" : ", ", name.c_str (), value);
  return text ("{\"slices\": \"%s\", \"interpolation\": \"%s\", \"half\": %s, \"variant\": \"%s\", \"lanes\": %d, "
               "\"parameters\": {%s}}",
               situation.many ? "many" : "one", word (situation.interpolation), situation.half ? "true" : "false",
               setting.variant.c_str (), lanes, parameters.c_str ());
}

std::optional<TunedChoice> kept_choice (const OpenclDevice &device, const Situation &situation, int lanes)
{
  const auto content = read_file (path_for (device, situation, lanes));
  if (content.empty ())
    return {};
  try {
    auto choices = choices_in (content, situation);
    if (choices.empty () || (lanes > 0 && choices[0].lanes != lanes))
      return {};
    choices[0].origin = lanes > 0 ? text ("tuned on this machine for %d lane%s", lanes, lanes == 1 ? "" : "s")
                                  : "tuned on this machine";
    return choices[0];
  } catch (const Error &error) {
    g_debug ("what was tuned is left out: %s", error.what ());
    return {};
  }
}

std::string keep_choice (const OpenclDevice &device, const Situation &situation, const Setting &setting, int lanes,
                         bool given)
{
  auto path = path_for (device, situation, given ? lanes : 0);
  if (g_mkdir_with_parents (folder ().c_str (), 0700) != 0)
    fail_file ("cannot create", folder (), errno);
  Temporary part (path);
  std::ofstream file (part.path ());
  file << "{\"families\": [{\"family\": \"this machine\", \"vendor\": \"\", \"choices\": [\n"
       << entry_json (situation, setting, lanes) << "\n]}]}\n";
  file.close ();
  if (!file)
    fail_file ("cannot write", path, errno);
  part.commit (true);
  if (!given) // the best of all lanes is also the best of these
    unlink (path_for (device, situation, lanes).c_str ());
  return path;
}

} // namespace sino::back_project
