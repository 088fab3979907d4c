// SPDX-License-Identifier: LGPL-3.0-or-later
// Memory of the first of several processes that all of them reach, however far apart they are: by MPI in runs
// (src/ranks/mpi), by threads in tests.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace sino {

// Where a process is among those that work together.
struct RankPlace {
  int rank = 0, ranks = 1;           // of this process, from 0 on; of all
  int rank_here = 0, ranks_here = 1; // the same of those on this machine
  std::string host;                  // name of the machine
};

// Words are of eight bytes and at multiples of eight; everything is zero at first. Any thread. All throw
// SINO_ERROR_FAILED where the network fails.
class Board
{
public:
  explicit Board (RankPlace p) : place (std::move (p)) {}
  virtual ~Board () = default;
  Board (const Board &) = delete;
  Board &operator= (const Board &) = delete;

  const RankPlace place;
  std::function<void ()> before_end; // is called where MPI is about to be finalised by somebody else

  // Adds to a word and returns what it was before: no two processes get the same.
  virtual int64_t add (size_t at, int64_t number) = 0;
  // Words, each of them whole.
  virtual void set (size_t at, std::span<const int64_t> words) = 0;
  virtual void get (size_t at, std::span<int64_t> words) = 0;
  // Bytes, which nobody else may change meanwhile.
  virtual void put (size_t at, std::span<const std::byte> bytes) = 0;
  virtual void take (size_t at, std::span<std::byte> bytes) = 0;

  // All processes come here in the end, or one of them ends all others with this status.
  virtual void leave () = 0;
  virtual void abort (int status) noexcept = 0;
};

// What the module that knows MPI has under the name "sino_mpi_board": joins the processes that mpirun or srun has
// started. `bytes`: of the board, by the number of processes. Returns the board, which is the caller's, or null and why
// in `fault`, which has room for so many characters.
using MakeBoard = Board *(size_t (*bytes) (int ranks), char *fault, size_t room);

} // namespace sino
