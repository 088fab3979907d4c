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

// What a rank has done of a run so far.
struct Share {
  int64_t items = 0, rows = 0;   // of work items
  int64_t bytes = 0, slices = 0; // that its targets took
  double updates = 0, voxels = 0;
};

// Whether the ranks that mpirun or srun has started work together: where there are several, always, never.
enum class Together : uint8_t { automatic, on, off };

// From "auto", "on" or "off"; throws SINO_ERROR_BAD_PROPERTY. `name`: of the option, for the message.
SINO_VISIBLE Together parse_together (const char *name, const std::string &word);

class SINO_VISIBLE Cluster
{
public:
  explicit Cluster (std::unique_ptr<Board> board);
  // Bytes of its board.
  static size_t bytes (int ranks);

  // The cluster of this process, which it joins when it is asked for first; null where it works alone. Throws
  // SINO_ERROR_NOT_FOUND where ranks are to work together, and there is no module that knows how.
  static std::shared_ptr<Cluster> of_process (Together together);

  const RankPlace &place () const { return board->place; }
  bool leads () const { return place ().rank == 0; }

  // There is one run at a time: throws where another one goes on, or has failed.
  void take_turn ();
  void end_turn () { at_work = false; }
  // A run begins, or meets: waits until all ranks are here.
  void begin (const Monitor &monitor);
  void meet (const Monitor &monitor) { agree ({}, monitor); }
  // Waits until all ranks have said something, and returns what the first rank makes of that, by `join`, for all.
  // Throws Cancelled, and what another rank has failed of.
  using Join = std::function<std::string (const std::vector<std::string> &said)>;
  std::string agree (const std::string &mine, const Monitor &monitor, const Join &join = {});
  // What the first rank says, for all.
  std::string told (const std::string &by_first, const Monitor &monitor);

  // The next work item of a pass, by its place among those that are not finished, or a number beyond the last.
  int64_t next (int pass);
  // How many are taken.
  int64_t taken (int pass);
  // What one rank makes, the first that asks for this number, for all that ask: in a file beside `path`, which goes
  // with the run.
  Bytes once (size_t number, const std::string &path, const Monitor &monitor, const std::function<Bytes ()> &make);

  // Nobody asks for what was made once any more.
  void drop_made ();

  // What this rank has done, and what all have.
  void tell (const Share &share);
  std::vector<Share> shares ();

  // This rank has failed, so that all others do. The first one's reason is kept.
  void fail (SinoError code, const std::string &why) noexcept;
  // Throws what another rank has failed of.
  void check ();

  // The end: waits for all ranks, for a while where one has failed.
  void leave (int status) noexcept;
  // Whether a rank had failed, and the first one knows.
  bool was_told () const { return told_; }

private:
  const std::unique_ptr<Board> board;
  int64_t stage = 0; // of what was agreed on
  std::atomic<bool> at_work{false}, failed{false}, left{false}, told_{false};
  std::mutex mutex;                             // of what follows
  std::vector<std::unique_ptr<Temporary>> made; // by once ()

  std::string text_at (size_t at);
  void put_text (size_t at, size_t room, const std::string &text);
  int64_t word (size_t at);
  void set_word (size_t at, int64_t value);
  // Waits for something that other ranks bring about.
  template <class Ready> void wait (const Monitor &monitor, Ready ready);
};

} // namespace sino
