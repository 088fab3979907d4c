// SPDX-License-Identifier: LGPL-3.0-or-later
// Results of tuning on this machine: a table with a single choice for each device, driver, set of kernels and problem.
#include "families/tuned.hpp"
#include "base/error.hpp"
#include "families/findings.hpp"
#include "families/tuning-table.hpp"
#include <unistd.h>

namespace sino::families {

namespace {

// Path of the file. It depends on the driver and the kernels' sources. `lanes`: the given number of lanes; 0: free.
std::string path_of (const OpenclDevice &device, const Family &family, const Problem &problem, int lanes)
{
  std::vector<std::string> sources;
  for (const auto *kernel : kernels_of (family))
    sources.push_back (kernel->source.read (kernel->source.name));
  auto name = text ("%s-%s", family.name, problem.rows > 1 ? "many" : "one");
  for (const auto &word : family.words)
    if (word.tuned)
      name += "-" + value_text (word, problem[word.name]);
  return finding_path (device, name + (lanes > 0 ? text ("-%d-lanes", lanes) : "") + ".json", sources);
}

} // namespace

std::optional<Proposal> tuned (const OpenclDevice &device, const Family &family, const Problem &problem)
{
  const auto content = read_finding (path_of (device, family, problem, problem.lanes));
  if (content.empty ())
    return {};
  try {
    for (const auto &machine : read_tuning (family, content))
      for (const auto &entry : machine.entries)
        if (auto found = entry.proposal; entry.fits (problem) && (problem.lanes == 0 || found.lanes == problem.lanes)) {
          found.origin = "tuned on this machine" + (problem.lanes > 0 ? " for " + lanes_text (problem.lanes) : "");
          return found;
        }
  } catch (const Error &error) {
    g_debug ("the results of tuning are not used: %s", error.what ());
  }
  return {};
}

std::string keep_tuned (const OpenclDevice &device, const Family &family, const Problem &problem,
                        const Proposal &proposal, bool given)
{
  auto path = path_of (device, family, problem, given ? proposal.lanes : 0);
  write_finding (path, "{\"families\": [{\"family\": \"this machine\", \"choices\": [\n" +
                           entry_json (family, proposal, problem) + "\n]}]}\n");
  if (!given) // this kernel is the best for any number of lanes, so also for its own
    unlink (path_of (device, family, problem, proposal.lanes).c_str ());
  return path;
}

} // namespace sino::families
