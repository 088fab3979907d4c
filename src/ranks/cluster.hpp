// SPDX-License-Identifier: LGPL-3.0-or-later
// Several processes, "ranks", that work on one run: docs/design/cluster.md.
#pragma once
#include "base/files/temporary.hpp"
#include "base/monitor.hpp"
#include "base/peers.hpp"
#include "base/visibility.hpp"
#include "ranks/board.hpp"
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace sino {

// Work that a rank has done in a run so far.
struct Share {
  int64_t items = 0, rows = 0;   // work items done, and their rows
  int64_t bytes = 0, slices = 0; // taken by its targets
  double updates = 0, voxels = 0;
};

// Whether the ranks that mpirun or srun has started work together: if there are several, always, never.
enum class Together : uint8_t { automatic, on, off };

// Parses "auto", "on" or "off"; throws SINO_ERROR_BAD_PROPERTY. `name`: name of the option, for the message.
SINO_VISIBLE Together parse_together (const char *name, const std::string &word);

class SINO_VISIBLE Cluster
{
public:
  explicit Cluster (std::unique_ptr<Board> board);
  // Size of its board in bytes.
  static size_t bytes (int ranks);

  // The cluster of this process, which joins it at the first call; null if it works alone. Throws SINO_ERROR_NOT_FOUND
  // if ranks are to work together and the MPI module is missing.
  static std::shared_ptr<Cluster> of_process (Together together);

  const RankPlace &place () const { return board->place; }
  bool leads () const { return place ().rank == 0; }

  // Only one run at a time: throws if another run is active or has failed.
  void take_turn ();
  void end_turn () { at_work = false; }
  // Start of a run, and a barrier in it: both wait until all ranks are here.
  void begin (const Monitor &monitor);
  void meet (const Monitor &monitor) { agree ({}, monitor); }
  // Waits until all ranks have sent a text. The first rank calls `join` with all texts; all ranks get its result.
  // Throws Cancelled, or the failure of another rank.
  using Join = std::function<std::string (const std::vector<std::string> &said)>;
  std::string agree (const std::string &mine, const Monitor &monitor, const Join &join = {});
  // Returns the first rank's text on all ranks.
  std::string told (const std::string &by_first, const Monitor &monitor);

  // Takes the next work item of a pass. Returns its index among the unfinished ones, or a larger number if none is
  // left.
  int64_t next (int pass);
  // Number of items that are taken.
  int64_t taken (int pass);
  // The first rank that asks for this number calls `make`; all ranks that ask get its result. It is passed on in a file
  // beside `path`, which is removed after the run.
  Bytes once (size_t number, const std::string &path, const Monitor &monitor, const std::function<Bytes ()> &make);

  // Removes the results of once (), when no rank will ask for them again.
  void drop_made ();

  // Reports the work that this rank has done; returns that of all ranks.
  void tell (const Share &share);
  std::vector<Share> shares ();

  // Reports a failure of this rank, so that all others fail, too. The first reason is kept.
  void fail (SinoError code, const std::string &why) noexcept;
  // Throws if another rank has failed.
  void check ();

  // The end: waits for all ranks; if one has failed, only for a limited time.
  void leave (int status) noexcept;
  // Whether a rank had failed and the first rank knows it.
  bool was_told () const { return told_; }

private:
  const std::unique_ptr<Board> board;
  int64_t stage = 0; // number of agreements so far
  std::atomic<bool> at_work{false}, failed{false}, left{false}, told_{false};
  std::mutex mutex;                             // protects the members below
  std::vector<std::unique_ptr<Temporary>> made; // files that once () has made

  std::string text_at (size_t at);
  void put_text (size_t at, size_t room, const std::string &text);
  int64_t word (size_t at);
  void set_word (size_t at, int64_t value);
  // Waits for a condition that other ranks bring about.
  template <class Ready> void wait (const Monitor &monitor, Ready ready);
};

} // namespace sino
