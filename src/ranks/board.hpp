// SPDX-License-Identifier: LGPL-3.0-or-later
// Memory of the first of several processes that all of them can access, on any machine: by MPI in runs (src/ranks/mpi),
// by threads in tests.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace sino {

// Position of a process among those that work together.
struct RankPlace {
  int rank = 0, ranks = 1;           // number of this process, from 0; number of all processes
  int rank_here = 0, ranks_here = 1; // the same, counting only the processes on this machine
  std::string host;                  // name of the machine
};

// Words have eight bytes and lie at multiples of eight; everything is zero at first. Functions can be called from any
// thread, and throw SINO_ERROR_FAILED if the network fails.
class Board : NoCopy
{
public:
  explicit Board (RankPlace p) : place (std::move (p)) {}
  virtual ~Board () = default;

  const RankPlace place;
  std::function<void ()> before_end; // called if other code is about to finalise MPI

  // Adds to a word and returns its value before: a counter gives no two processes the same value.
  virtual int64_t add (size_t at, int64_t number) = 0;
  // Words; each is read and written as a whole.
  virtual void set (size_t at, std::span<const int64_t> words) = 0;
  virtual void get (size_t at, std::span<int64_t> words) = 0;
  // Bytes; no other process may change them at the same time.
  virtual void put (size_t at, std::span<const std::byte> bytes) = 0;
  virtual void take (size_t at, std::span<std::byte> bytes) = 0;

  // Collective at the end: returns when all processes have called leave (). abort () ends all other processes with this
  // status.
  virtual void leave () = 0;
  virtual void abort (int status) noexcept = 0;
};

// Type of the symbol "sino_mpi_board" in the MPI module: joins the processes that mpirun or srun has started. `bytes`:
// size of the board for a number of processes. Returns the board, which the caller owns, or null with the reason in
// `fault`, which has space for `room` characters.
using MakeBoard = Board *(size_t (*bytes) (int ranks), char *fault, size_t room);

} // namespace sino
