// SPDX-License-Identifier: LGPL-3.0-or-later
// What a run has besides what its threads share.
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
  std::optional<MemoryClaim> memory;
  Energy energy; // of the whole run, there before `seconds`
  std::chrono::steady_clock::time_point begin;
  std::atomic<double> seconds{-1};          // duration of the whole run, once it has ended
  std::atomic<double> planned{0}, limit{0}; // bytes of memory
  std::atomic<int64_t> bytes_total{0}, slices_total{0};
  std::mutex mutex; // of what follows
  std::shared_ptr<Run> rehearsal;
  std::vector<Share> shares; // what each rank has done, as far as the first one knows; empty elsewhere
  std::atomic<bool> prepared{false};
  std::atomic<bool> executed{false};
  bool journals = false; // are kept of what is finished
  bool has_turn = false; // of the ranks

  RunState (const Graph &g, std::function<RunOptions ()> o) : graph (g.frozen ()), find_options (std::move (o)) {}

  ~RunState () { end_turn (); }
  RunState (const RunState &) = delete;
  RunState &operator= (const RunState &) = delete;

  void prepare ();
  void tell_warnings ();
  void make_plan ();
  void settle_journals ();
  // Devices as if memory were no matter: results do not tell how much there was, as it changes none.
  std::vector<DeviceGroup> ample_groups () const;
  void choose_samples ();
  void leave_out_samples ();
  std::shared_ptr<Run> run_of_samples () const;
  void rehearse_verification ();
  // Works with another run, which whoever cancels this one cancels, too.
  void rehearse (std::shared_ptr<Run> other, const std::function<void ()> &work);
  void keep_items ();

  // --- several ranks (agreement.cpp, reports.cpp); nothing where this process works alone ---
  // Takes its part of the machine, where other ranks work there, too.
  void share_machine ();
  // The same memory for all, so that they plan alike; and that they did.
  void agree_on_memory ();
  void compare_plans ();
  // Removes what earlier runs of ranks have left of these outputs.
  void clear_abandoned ();
  // What the first one takes for finished.
  void agree_on_finished ();
  void meet ();
  // Tells what this one has done, and throws what others have failed of.
  void tell_others ();
  // Calls `body`; what it throws, the others are told.
  template <class Body> void telling_others (Body body)
  {
    try {
      body ();
    } catch (...) {
      tell_failure ();
      throw;
    }
  }
  // Tells them of the exception that is caught.
  void tell_failure () noexcept;
  std::vector<Share> all_shares ();
  std::vector<Share> other_shares ();
  // Ends what this rank has written; the first one comes after all others.
  void finish_part ();
  void gather_messages ();
  void end_turn () noexcept;
};

} // namespace sino
