// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/choice.hpp"
#include "device/opencl.hpp"
#include "families/findings.hpp"
#include "families/program.hpp"
#include "families/table.hpp"
#include "families/trial.hpp"
#include "families/tuned.hpp"
#include <algorithm>

namespace sino::families {

namespace {

// Reasons why kernels were rejected. Kernels with the same reason share a line of text.
class Rejections
{
public:
  void add (const Proposal &proposal, const std::string &why)
  {
    const auto who = proposal.setting.text () + " with " + lanes_text (proposal.lanes);
    const auto same = std::ranges::find_if (list, [&] (const auto &known) { return known.why == why; });
    if (same == list.end ())
      list.push_back ({{who}, why});
    else if (std::ranges::find (same->who, who) == same->who.end ())
      same->who.push_back (who);
  }
  std::vector<std::string> lines () const
  {
    std::vector<std::string> all;
    for (const auto &[names, why] : list)
      all.push_back (join (names, ", ", {}, " and ") + ": " + why);
    return all;
  }
  bool lasting = false;     // one of the reasons is stored in a file
  std::vector<int> passing; // lanes of kernels whose reason may not hold in the next run

private:
  struct Rejected {
    std::vector<std::string> who;
    std::string why;
  };
  std::vector<Rejected> list;
};

class Choosing
{
public:
  Choosing (const OpenclDevice &d, const Family &f, const Problem &p, const Request &r)
      : device (d), family (f), problem (p), request (r)
  {
  }

  Choice run ()
  {
    const bool any = request.variant == "auto";
    if (!any)
      check_error ();
    std::optional<Choice> choice;
    if (!any)
      choice = first_that_runs (as_asked (), rejections);
    else if (family.picks_lanes)
      choice = freely ();
    if (any && problem.lanes > 0 && !(choice && choice->lanes == problem.lanes)) {
      if (rejections.passing.empty ())
        rejections = {};
      choice = first_that_runs (proposals (device, family, problem), rejections);
    }
    if (!choice)
      fail_all ();
    return *choice;
  }

private:
  const OpenclDevice &device;
  const Family &family;
  const Problem &problem;
  const Request &request;
  Rejections rejections;

  // If a run avoids local memory, kernels that do not need it come first.
  bool spares_local_memory () const { return !device.use.local_tile && request.variant == "auto"; }

  std::optional<Choice> first_that_runs (std::vector<Proposal> candidates, Rejections &rejected) const
  {
    if (spares_local_memory ())
      std::ranges::stable_partition (candidates, [this] (const Proposal &each) {
        const auto now = problem.with_lanes (each.lanes);
        return each.setting.kernel->shape (each.setting, now).local_memory == 0;
      });
    for (const auto &candidate : candidates) {
      const auto now = problem.with_lanes (candidate.lanes);
      auto why = too_coarse (family, device.facts (), now, *candidate.setting.kernel);
      if (why.empty ())
        why = refusal (device, candidate.setting, now);
      if (why.empty ()) {
        const auto finding = trial (device, family, candidate.setting, now);
        why = finding.text;
        if (!why.empty () && finding.lasting)
          rejected.lasting = true;
        else if (!why.empty ())
          rejected.passing.push_back (candidate.lanes);
      }
      if (why.empty ())
        return Choice{candidate, rejected.lines (), !rejected.passing.empty ()};
      rejected.add (candidate, why);
    }
    return {};
  }

  // The best kernel with any number of lanes. A kernel that was tuned for this number of lanes replaces it.
  std::optional<Choice> freely ()
  {
    auto choice = first_that_runs (proposals (device, family, problem.with_lanes (0)), rejections);
    if (choice && !spares_local_memory ())
      if (const auto found = tuned (device, family, problem.with_lanes (choice->lanes))) {
        Rejections here;
        auto better = first_that_runs ({*found}, here);
        if (better && std::ranges::any_of (rejections.passing, [&] (int lanes) { return lanes != choice->lanes; }))
          better->rejected = choice->rejected, better->for_now = true;
        if (better)
          return better;
        if (!here.passing.empty ()) {
          std::ranges::copy (here.lines (), std::back_inserter (choice->rejected));
          choice->for_now = true;
        }
      }
    return choice;
  }

  // A kernel by name that is coarser than another property allows.
  void check_error () const
  {
    const auto *kernel = parse_setting (family, request.variant, request.parameters).kernel;
    if (const auto why = too_coarse (family, device.facts (), problem, *kernel); !why.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "variant=%s contradicts %s on %s (%s): %s: leave one of them out", kernel->name,
            family.error_limit (problem)->asked, device.id.c_str (), device.name.c_str (), why.c_str ());
  }

  // Proposals of the requested kernel with every number of lanes.
  std::vector<Proposal> as_asked () const
  {
    const auto setting = parse_setting (family, request.variant, request.parameters);
    const auto &kernel = *setting.kernel;
    auto list = proposals (device, family, problem, false);
    std::erase_if (list, [&] (const auto &each) { return each.setting.kernel != &kernel; });
    auto lanes = problem.lanes > 0 ? std::vector{problem.lanes} : lanes_for (kernel, problem.rows);
    const int usual = !list.empty () ? list[0].lanes : device.is_gpu ? 4 : 16;
    std::stable_partition (lanes.begin (), lanes.end (), [&] (int n) { return n <= usual; });
    if (!request.parameters.empty ())
      list.clear ();
    for (const int n : lanes)
      list.push_back ({setting, n, "requested", "as requested"});
    return list;
  }

  [[noreturn]] void fail_all () const
  {
    std::string reasons = ":";
    if (rejections.lasting)
      reasons = text (" (errors of kernels are stored in '%s', in files without .json: remove these to try again):",
                      findings_folder ().c_str ());
    for (const auto &line : rejections.lines ())
      reasons += "\n  " + line;
    if (family.native_on_cpus)
      reasons += text ("\nset variant=native of '%s' to run it on the CPU", family.name);
    fail (SINO_ERROR_DEVICE, "no kernel on %s (%s) can do this%s%s", device.id.c_str (), device.name.c_str (),
          request.variant == "auto" ? "" : text (" with variant=%s", request.variant.c_str ()).c_str (),
          reasons.c_str ());
  }
};

} // namespace

Choice choose (const OpenclDevice &device, const Family &family, const Problem &problem, const Request &request)
{
  return Choosing (device, family, problem, request).run ();
}

} // namespace sino::families
