// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/kept.hpp"
#include "base/error.hpp"
#include "base/temporary.hpp"
#include "device/program-cache.hpp"
#include "opencl/source.hpp"
#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace sino::back_project {

namespace {

std::string folder ()
{
  return text ("%s/sinograph/tuning", g_get_user_cache_dir ());
}

// Another driver or another kernel may have another best way.
std::string path_for (const OpenclDevice &device)
{
  std::vector<std::string> parts{"tuning 1", device.identity ()};
  for (const auto &variant : variants ())
    parts.push_back (kernels::opencl_source (variant.source ()));
  return folder () + "/" + program_key (parts).substr (0, 32) + ".json";
}

std::string read_file (const std::string &path)
{
  std::ifstream file (path);
  return {std::istreambuf_iterator<char> (file), {}};
}

constexpr std::string_view head = "{\"families\": [{\"family\": \"this machine\", \"vendor\": \"\", \"choices\": [\n";
constexpr std::string_view tail = "\n]}]}\n";

// The entries of a file, one per line, without those that begin as `but` does up to the variant.
std::vector<std::string> entries_in (const std::string &content, const std::string &but)
{
  if (!content.starts_with (head) || !content.ends_with (tail) || content.size () < head.size () + tail.size ())
    return {};
  const auto same = but.substr (0, but.find ("\"variant\""));
  std::istringstream in (content.substr (head.size (), content.size () - head.size () - tail.size ()));
  std::vector<std::string> list;
  for (std::string line; std::getline (in, line);)
    if (!line.starts_with (same))
      list.push_back (line.substr (0, line.rfind ('}') + 1));
  return list;
}

} // namespace

std::string entry_json (const Situation &situation, const Setting &setting, int lanes)
{
  constexpr const char *interpolations[] = {"linear", "nearest", "oversample"}; // as the enum
  std::string parameters;
  for (const auto &[name, value] : setting.parameters)
    parameters += text ("%s\"%s\": %d", parameters.empty () ? "" : ", ", name.c_str (), value);
  return text ("{\"slices\": \"%s\", \"interpolation\": \"%s\", \"half\": %s, \"variant\": \"%s\", \"lanes\": %d, "
               "\"parameters\": {%s}}",
               situation.many ? "many" : "one", interpolations[static_cast<size_t> (situation.interpolation)],
               situation.half ? "true" : "false", setting.variant.c_str (), lanes, parameters.c_str ());
}

std::optional<TunedChoice> kept_choice (const OpenclDevice &device, const Situation &situation)
{
  const auto content = read_file (path_for (device));
  if (content.empty ())
    return {};
  try {
    auto choices = choices_in (content, situation);
    if (choices.empty ())
      return {};
    choices[0].origin = "tuned on this machine";
    return choices[0];
  } catch (const Error &error) {
    g_debug ("what was tuned is left out: %s", error.what ());
    return {};
  }
}

std::string keep_choice (const OpenclDevice &device, const Situation &situation, const Setting &setting, int lanes)
{
  const auto path = path_for (device);
  if (g_mkdir_with_parents (folder ().c_str (), 0700) != 0)
    fail_file ("cannot create", folder (), errno);
  auto content = std::string (head) + entry_json (situation, setting, lanes);
  for (const auto &line : entries_in (read_file (path), entry_json (situation, setting, lanes)))
    content += ",\n" + line;
  Temporary part (path);
  std::ofstream file (part.path ());
  file << content << tail;
  file.close ();
  if (!file)
    fail_file ("cannot write", path, errno);
  part.commit (true);
  return path;
}

} // namespace sino::back_project
