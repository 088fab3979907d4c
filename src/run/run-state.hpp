// SPDX-License-Identifier: LGPL-3.0-or-later
// Data of a run that its threads do not share.
#pragma once
#include "device/energy/energy.hpp"
#include "graph/graph.hpp"
#include "pass/context.hpp"
#include "plan/layouts.hpp"
#include "run/memory-claim.hpp"
#include "run/options.hpp"
#include <optional>

namespace sino {

class Run;

struct RunState {
  const Graph graph; // frozen
  const std::function<RunOptions ()> find_options;
  std::shared_ptr<RunContext> context = std::make_shared<RunContext> ();
  RunOptions options;
  std::optional<EnergyMeter> meter;
  std::string unused_gpu; // how a GPU that the machine has could be used, where a run finds none; "": it has none
  std::optional<MemoryClaim> memory;
  Energy energy; // energy of the whole run; set before `seconds`
  std::chrono::steady_clock::time_point begin;
  std::atomic<double> seconds{-1};          // duration of the whole run, once it has ended
  std::atomic<double> planned{0}, limit{0}; // bytes of memory
  std::atomic<int64_t> bytes_total{0}, slices_total{0}, frames_total{0};
  std::mutex mutex; // protects the members below
  std::shared_ptr<Run> rehearsal;
  std::vector<Share> shares; // work of each rank, as far as the first rank knows; empty in others
  std::atomic<bool> prepared{false};
  std::atomic<bool> executed{false};
  bool journals = false; // whether journals of finished work are kept
  bool has_turn = false; // whether it holds the turn of the ranks

  RunState (const Graph &g, std::function<RunOptions ()> o) : graph (g.frozen ()), find_options (std::move (o)) {}

  ~RunState () { end_turn (); }

  void prepare ();
  std::string advice_for_gpu () const;
  // Checks before the work that the report can be written: an existing file is only replaced if it is one, too.
  void check_report () const;
  void tell_warnings ();
  void make_plan ();
  void settle_journals ();
  // Device groups for a run with unlimited memory. Results record these, so that the record does not depend on the
  // available memory, as pixels do not depend on it.
  std::vector<DeviceGroup> ample_groups () const;
  void choose_samples ();
  void leave_out_samples ();
  std::shared_ptr<Run> run_of_samples () const;
  void rehearse_verification ();
  // Works with another run. Cancelling this run also cancels the other.
  void rehearse (std::shared_ptr<Run> other, const std::function<void ()> &work);
  void keep_items ();

  // --- several ranks (agreement.cpp, reports.cpp); these do nothing if this process works alone ---
  // Takes its part of the machine if other ranks work there, too.
  void share_machine ();
  // Gives all ranks the same memory limit, so that they make the same plan; compare_plans () checks that they did.
  void agree_on_memory ();
  void compare_plans ();
  // Removes files that earlier runs of ranks have left beside these outputs.
  void clear_abandoned ();
  // All ranks use the first rank's list of finished items.
  void agree_on_finished ();
  void meet ();
  // Reports the work of this rank; throws failures of others.
  void tell_others ();
  // Calls `body`; reports to the other ranks what it throws.
  template <class Body> void telling_others (Body body)
  {
    try {
      body ();
    } catch (...) {
      tell_failure ();
      throw;
    }
  }
  // Reports the exception that is being handled.
  void tell_failure () noexcept;
  std::vector<Share> all_shares ();
  std::vector<Share> other_shares ();
  // Completes what this rank has written; the first rank does so after all others.
  void finish_part ();
  void gather_messages ();
  void end_turn () noexcept;
};

} // namespace sino
