// SPDX-License-Identifier: LGPL-3.0-or-later
// The boards that MPI can make of the first rank's memory.
#pragma once
#include "base/error.hpp"
#include "run/board.hpp"
#include <memory>
#include <mpi.h>

namespace sino {

// What a call of MPI says; throws SINO_ERROR_FAILED where it is no success.
void check_mpi (int code, const char *what);

// A communicator of all ranks, which ends with it, and MPI as well where it was initialised for this.
class World
{
public:
  World (MPI_Comm c, bool owns) : comm_ (c), owns_mpi (owns) {}
  operator MPI_Comm () const { return comm_; }
  void end ();

private:
  MPI_Comm comm_;
  bool owns_mpi;
};

// By a window and one-sided operations, which no other rank has to wait for; null where the network has none. All ranks
// get the same.
std::unique_ptr<Board> make_window (const RankPlace &place, const World &world, size_t bytes);

// By messages that a thread of the first rank answers.
std::unique_ptr<Board> make_messages (const RankPlace &place, const World &world, size_t bytes);

} // namespace sino
