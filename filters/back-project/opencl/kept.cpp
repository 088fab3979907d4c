// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/kept.hpp"
#include "base/error.hpp"
#include "opencl/source.hpp"
#include "opencl/tuned.hpp"
#include <unistd.h>

namespace sino::back_project {

namespace {

constexpr const char *interpolations[] = {"linear", "nearest", "oversample"}; // as the enum

const char *word (Interpolation interpolation)
{
  return interpolations[static_cast<size_t> (interpolation)];
}

// Another driver or another kernel may have another best way.
std::string path_for (const OpenclDevice &device, const Situation &situation, int lanes)
{
  std::vector<std::string> sources;
  for (const auto &variant : variants ())
    sources.push_back (kernels::opencl_source (variant.source ()));
  return tuned_path (device, sources,
                     text ("%s-%s-%s%s", situation.many ? "many" : "one", word (situation.interpolation),
                           situation.half ? "half" : "single", lanes > 0 ? text ("-%d-lanes", lanes).c_str () : ""));
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
  const auto content = read_tuned (path_for (device, situation, lanes));
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
  keep_tuned (path, "{\"families\": [{\"family\": \"this machine\", \"vendor\": \"\", \"choices\": [\n" +
                        entry_json (situation, setting, lanes) + "\n]}]}\n");
  if (!given) // the best of all lanes is also the best of these
    unlink (path_for (device, situation, lanes).c_str ());
  return path;
}

} // namespace sino::back_project
