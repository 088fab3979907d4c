// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads proposals from the tables of tunings.
#include "families/table.hpp"
#include "base/text.hpp"
#include "families/tuning-table.hpp"
#include <algorithm>
#include <mutex>

namespace sino::families {

namespace {

// A table for all devices: all kernels in their order, with default parameters.
std::vector<Architecture> order_of (const Family &family)
{
  Architecture any{
      .name = "", .vendor = "", .device = "", .like = "", .reason = "the order of the kernels", .from = -1};
  for (const auto *kernel : kernels_of (family))
    any.entries.push_back (
        {{.setting = {kernel, {}}, .lanes = kernel->lanes.back (), .origin = default_of_all, .reason = any.reason},
         {},
         {}});
  return {any};
}

const std::vector<Architecture> &table_of (const Family &family)
{
  static std::mutex mutex;
  static std::map<const Family *, std::vector<Architecture>> tables;
  const std::lock_guard guard (mutex);
  auto &table = tables[&family];
  if (table.empty ())
    table = family.tuning ? read_tuning (family, family.tuning ()) : order_of (family);
  return table;
}

// How well an architecture in the table matches a device; 0: not at all.
double likeness (const Architecture &architecture, const OpenclFacts &facts)
{
  if ((!architecture.vendor.empty () && architecture.vendor != facts.vendor) ||
      (!architecture.device.empty () && (architecture.device == "gpu") != facts.gpu))
    return 0;
  if (architecture.prefixes.empty () && architecture.from < 0)
    return 1;
  double best = 0;
  for (const auto &prefix : architecture.prefixes)
    if (facts.architecture.starts_with (prefix))
      best = std::max (best, 2 + static_cast<double> (prefix.size ()));
  if (architecture.from >= 0 && !facts.architecture.empty () && architecture.from <= version (facts.architecture))
    best = std::max (best, 2 + architecture.from);
  return best;
}

const Architecture *find (const std::vector<Architecture> &table, const OpenclFacts &facts)
{
  const Architecture *best = nullptr;
  for (const auto &each : table)
    if (const auto now = likeness (each, facts);
        !each.name.empty () && now > 0 && (!best || now > likeness (*best, facts)))
      best = &each;
  return best;
}

const Architecture *named (const std::vector<Architecture> &table, const std::string &name)
{
  const auto found = std::ranges::find_if (table, [&] (const auto &each) { return each.name == name; });
  return name.empty () || found == table.end () ? nullptr : &*found;
}

// The setting itself, then the same without its spared parameters, one fewer each time.
std::vector<Setting> with_less (const Setting &setting)
{
  std::vector<Setting> list{setting};
  for (const auto &parameter : setting.kernel->parameters)
    if (auto less = list.back (); parameter.spared && less.parameters.erase (parameter.name) > 0)
      list.push_back (std::move (less));
  return list;
}

} // namespace

std::string architecture_of (const Family &family, const OpenclFacts &facts)
{
  const auto *found = find (table_of (family), facts);
  return found ? found->name : "";
}

Figures figures_of (const Family &family, const OpenclFacts &facts, const Problem &problem, const Kernel &kernel)
{
  const auto &table = table_of (family);
  Figures out;
  const auto take_from = [&] (const Architecture *architecture) {
    for (int depth = 0; architecture && depth < 8; depth++) {
      for (const auto &entry : architecture->entries)
        if (entry.proposal.setting.kernel == &kernel && entry.fits (problem)) {
          if (entry.error)
            out.error = std::max (out.error.value_or (0), *entry.error);
          out.gups = std::max (out.gups, entry.gups);
        }
      architecture = named (table, architecture->like);
    }
  };
  take_from (find (table, facts));
  for (const auto &other : table)
    if (other.name.empty () && likeness (other, facts) > 0)
      take_from (&other);
  return out;
}

std::string too_coarse (const Family &family, const OpenclFacts &facts, const Problem &problem, const Kernel &kernel)
{
  const auto limit = family.error_limit ? family.error_limit (problem) : std::nullopt;
  if (!limit)
    return {};
  const auto error = figures_of (family, facts, problem, kernel).error;
  if (!error)
    return text ("its error is not known, and %s takes at most %.2g", limit->asked, limit->most);
  return *error <= limit->most
             ? std::string ()
             : text ("its error is up to %.2g, and %s takes at most %.2g", *error, limit->asked, limit->most);
}

std::vector<Proposal> tabled (const Family &family, const OpenclFacts &facts, const Problem &problem)
{
  const auto &table = table_of (family);
  std::vector<Proposal> list;
  const auto add = [&] (const Setting &setting, const Proposal &from) {
    if (std::ranges::none_of (
            list, [&] (const auto &known) { return known.setting == setting && known.lanes == from.lanes; }))
      list.push_back ({setting, from.lanes, from.origin, from.reason});
  };
  const auto add_with_likes = [&] (const Architecture *architecture) {
    // A similar architecture may itself be like another one.
    for (int depth = 0; architecture && depth < 8; depth++) {
      for (const auto &entry : architecture->entries)
        if (entry.fits (problem))
          for (const auto &setting : with_less (entry.proposal.setting))
            add (setting, entry.proposal);
      architecture = named (table, architecture->like);
    }
  };
  add_with_likes (find (table, facts));
  for (const bool of_vendor : {true, false})
    for (const auto &other : table)
      if (other.name.empty () && other.vendor.empty () != of_vendor && likeness (other, facts) > 0)
        add_with_likes (&other);
  // Kernels of other modules are not in the table. They come before the reference.
  const auto reference = std::ranges::find_if (list, [] (const auto &each) { return each.setting.kernel->reference; });
  std::vector<Proposal> others;
  for (const auto *kernel : kernels_of (family))
    if (std::ranges::none_of (list, [&] (const auto &known) { return known.setting.kernel == kernel; }))
      others.push_back ({{kernel, {}}, kernel->lanes.back (), default_of_all, "the table does not know it"});
  list.insert (reference, others.begin (), others.end ());
  return list;
}

} // namespace sino::families
