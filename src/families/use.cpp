// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/use.hpp"
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "families/choice.hpp"
#include "families/table.hpp"
#include "families/tuning-table.hpp"

namespace sino::families {

namespace {

std::string kernel_text (const Family &family, const Proposal &proposal)
{
  if (family.kernels.size () > 1 || proposal.setting.kernel != family.kernels.data ())
    return proposal.setting.text () + " kernel, OpenCL";
  const auto parameters = proposal.setting.parameters_text ();
  return proposal.setting.kernel->summary + (parameters.empty () ? "" : " (" + parameters + ")");
}

// ", error 5e-06", or "" if the table does not say it.
std::string error_text (const Family &family, const Device &device, const Problem &problem, const Proposal &proposal)
{
  const auto error = figures_of (family, as_opencl (device).facts (), problem, *proposal.setting.kernel).error;
  return error ? text (", error %.2g", *error) : "";
}

std::string lanes_of (const Family &family, int lanes)
{
  return family.picks_lanes ? ", " + lanes_text (lanes) : "";
}

} // namespace

void Use::negotiated (Problem problem)
{
  problem_ = std::move (problem);
  made = std::make_shared<Made> ();
}

bool Use::runs_on (const Device &device) const
{
  if (!parameters.empty () && !names_kernel ())
    fail (SINO_ERROR_BAD_PROPERTY, "variant-parameters=%s wants variant= with the OpenCL kernel that has them, got %s",
          parameters.c_str (), variant.c_str ());
  const auto unfit = [&] (const char *way_out) {
    fail (SINO_ERROR_DEVICE, "variant=%s does not run on %s (%s): %s", variant.c_str (), device.id.c_str (),
          device.name.c_str (), way_out);
  };
  if (device.kind == Device::Kind::native) {
    if (names_kernel ())
      unfit ("it runs 'native'");
    return false;
  }
  if (variant == "native" && !family ().native_on_cpus)
    unfit ("it runs the OpenCL kernels");
  return names_kernel () || (variant == "auto" && (!family ().native_on_cpus || as_opencl (device).is_gpu));
}

const Choice &Use::choice (const Device &device, const Problem &problem) const
{
  const std::lock_guard guard (made->mutex);
  auto &choice = made->choices[{device.id, problem}];
  if (!choice)
    choice = std::make_shared<const Choice> (choose (as_opencl (device), family (), problem, {variant, parameters}));
  return *choice;
}

const Choice &Use::choice (const Device &device, int lanes) const
{
  return choice (device, problem_.with_lanes (family ().any_lanes ? 1 : lanes));
}

std::string Use::remark (const Device &device, int lanes, const std::string &detail) const
{
  if (device.kind == Device::Kind::native)
    return {};
  if (!runs_on (device))
    return "native kernel";
  const auto &chosen = choice (device, lanes);
  auto line = kernel_text (family (), chosen) + lanes_of (family (), lanes) + detail +
              error_text (family (), device, problem_, chosen);
  if (family ().kernels.size () > 1 || chosen.origin != default_of_all)
    line += " (" + chosen.origin + ")";
  for (const auto &better : chosen.rejected)
    line += "; not " + better;
  return line;
}

std::vector<std::string> Use::doubts () const
{
  const std::lock_guard guard (made->mutex);
  std::vector<std::string> lines;
  for (const auto &[key, chosen] : made->choices)
    if (chosen && chosen->for_now)
      lines.push_back (text ("on %s, %s is used for now, which rounds differently than the usual kernel: not %s",
                             key.first.c_str (), chosen->setting.text ().c_str (),
                             join (chosen->rejected, "; not ").c_str ()));
  return lines;
}

std::vector<std::string> Use::explain (const Device &device) const
{
  const auto &opencl = as_opencl (device);
  if (!runs_on (device)) {
    const auto list = proposals (opencl, family (), family ().usual);
    if (list.empty ())
      return {"native kernel"};
    return {text ("native kernel, which is faster on a CPU (variant=%s: %s%s)", list[0].setting.kernel->name,
                  kernel_text (family (), list[0]).c_str (), lanes_of (family (), list[0].lanes).c_str ())};
  }
  return explain_choices (opencl);
}

std::vector<std::string> Use::explain_choices (const OpenclDevice &device) const
{
  const auto &f = family ();
  const auto lines_for = [&] (const Problem &problem) -> std::vector<std::string> {
    try {
      const auto chosen = choose (device, f, problem);
      std::vector<std::string> lines{chosen.setting.text () + lanes_of (f, chosen.lanes) + " (" + chosen.origin +
                                     (chosen.reason.empty () ? "" : ": " + chosen.reason) + ")" +
                                     error_text (f, device, problem, chosen)};
      for (const auto &better : chosen.rejected)
        lines.push_back ("  not " + better);
      return lines;
    } catch (const Error &error) {
      return {error.what ()};
    }
  };
  std::vector<std::string> lines;
  if (!f.picks_lanes) {
    lines = lines_for (f.usual);
    for (const auto &word : f.words)
      for (size_t i = 1; f.error_limit && i < word.values.size (); i++) {
        auto otherwise = f.usual;
        otherwise.words[word.name] = static_cast<int64_t> (i);
        if (const auto limit = f.error_limit (otherwise)) {
          auto others = lines_for (otherwise);
          others[0] = std::string (limit->asked) + ": " + others[0];
          lines.insert (lines.end (), others.begin (), others.end ());
        }
      }
    return lines;
  }
  if (f.model) {
    const auto architecture = architecture_of (f, device.facts ());
    lines.push_back (architecture.empty () ? "unknown family: kernels in the order of the model"
                                           : "family " + architecture);
  }
  for (const bool many : {false, true}) {
    auto problem = f.usual;
    problem.rows = many ? 1000 : 1;
    std::vector<std::pair<std::string, std::vector<std::string>>> told{{"", lines_for (problem)}};
    for (const auto &word : f.words)
      for (size_t i = 1; word.from == Word::From::element && i < word.values.size (); i++) {
        auto otherwise = problem;
        otherwise.words[word.name] = static_cast<int64_t> (i);
        if (auto other = lines_for (otherwise); other != told[0].second) {
          told[0].first = std::string (", ") + word.values[0];
          told.emplace_back (std::string (", ") + word.values[i], std::move (other));
        }
      }
    for (auto &[values, text] : told) {
      text[0] = (many ? "many slices" : "one slice") + values + ": " + text[0];
      lines.insert (lines.end (), text.begin (), text.end ());
    }
  }
  return lines;
}

} // namespace sino::families
