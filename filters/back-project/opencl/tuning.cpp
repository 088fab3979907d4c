// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/tuning-table.hpp"
#include "opencl/source.hpp"
#include <algorithm>

namespace sino::back_project {

namespace {

const std::vector<TunedFamily> &families ()
{
  static const auto all = read_tuning (kernels::kernel_file ("back-project/tuning.json"));
  return all;
}

// How well a family describes a device; 0: not at all.
double likeness (const TunedFamily &family, const OpenclFacts &facts)
{
  if ((!family.vendor.empty () && family.vendor != facts.vendor) ||
      (!family.device.empty () && (family.device == "gpu") != facts.gpu))
    return 0;
  if (family.prefixes.empty () && family.from < 0)
    return 1;
  double best = 0;
  for (const auto &prefix : family.prefixes)
    if (facts.architecture.starts_with (prefix))
      best = std::max (best, 2 + static_cast<double> (prefix.size ()));
  if (family.from >= 0 && !facts.architecture.empty () && family.from <= version (facts.architecture))
    best = std::max (best, 2 + family.from);
  return best;
}

const TunedFamily *find (const OpenclFacts &facts)
{
  const TunedFamily *best = nullptr;
  for (const auto &family : families ())
    if (const auto now = likeness (family, facts);
        !family.name.empty () && now > 0 && (!best || now > likeness (*best, facts)))
      best = &family;
  return best;
}

// The same with fewer wants: from a buffer, or with rays in global memory.
std::vector<Setting> relaxed (const Setting &setting)
{
  std::vector<Setting> list{setting};
  const auto without = [&] (const char *name) {
    auto less = list.back ();
    if (less.parameters.erase (name) > 0)
      list.push_back (std::move (less));
  };
  without ("CONSTANT");
  without ("IMAGE");
  return list;
}

} // namespace

std::string family_of (const OpenclFacts &facts)
{
  const auto *family = find (facts);
  return family ? family->name : "";
}

std::vector<TunedChoice> tuned_choices (const OpenclFacts &facts, const Situation &situation)
{
  std::vector<TunedChoice> list;
  const auto add = [&] (const TunedFamily &family) {
    for (const auto &entry : family.entries)
      if (entry.fits (situation))
        for (auto &setting : relaxed (entry.choice.setting))
          if (std::none_of (list.begin (), list.end (), [&] (const auto &known) {
                return known.setting == setting && known.lanes == entry.choice.lanes;
              }))
            list.push_back ({std::move (setting), entry.choice.lanes, entry.choice.origin, entry.choice.reason});
  };
  const auto add_with_likes = [&] (const TunedFamily *family) {
    for (int depth = 0; family && depth < 8; depth++) { // "like" of "like"
      add (*family);
      const auto next = std::find_if (families ().begin (), families ().end (),
                                      [&] (const auto &f) { return !f.name.empty () && f.name == family->like; });
      family = next == families ().end () ? nullptr : &*next;
    }
  };
  add_with_likes (find (facts));
  for (const bool of_vendor : {true, false})
    for (const auto &other : families ())
      if (other.name.empty () && other.vendor.empty () != of_vendor && likeness (other, facts) > 0)
        add_with_likes (&other);
  return list;
}

std::vector<TunedChoice> choices_in (const std::string &json, const Situation &situation)
{
  std::vector<TunedChoice> list;
  for (const auto &family : read_tuning (json))
    for (const auto &entry : family.entries)
      if (entry.fits (situation))
        list.push_back (entry.choice);
  return list;
}

void check_tuning (const std::string &json)
{
  read_tuning (json);
}

} // namespace sino::back_project
