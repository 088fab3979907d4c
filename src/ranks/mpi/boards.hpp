// SPDX-License-Identifier: LGPL-3.0-or-later
// The boards that MPI can make of the first rank's memory.
#pragma once
#include "base/error.hpp"
#include "ranks/board.hpp"
#include <atomic>
#include <chrono>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <thread>

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

// What both have: MPI, which one thread calls at a time, and a thread of the first rank that is there for the others.
class MpiBoard : public Board
{
public:
  MpiBoard (const RankPlace &p, const World &w) : Board (p), world (w) {}

  void abort (int status) noexcept override
  {
    stop ();
    MPI_Abort (world, status);
  }

protected:
  World world;
  std::mutex mutex; // of calls of MPI

  static void pause () { std::this_thread::sleep_for (std::chrono::microseconds (100)); }

  // Calls `serve` again and again in that thread, which takes a pause where it gives false. A board that has started it
  // stops it before it goes.
  void start (std::function<bool ()> serve);
  void stop () noexcept;

private:
  std::atomic<bool> over{false};
  std::thread helper;
};

// By a window and one-sided operations, which no other rank has to wait for; null where the network has none. All ranks
// get the same.
std::unique_ptr<Board> make_window (const RankPlace &place, const World &world, size_t bytes);

// By messages that a thread of the first rank answers.
std::unique_ptr<Board> make_messages (const RankPlace &place, const World &world, size_t bytes);

} // namespace sino
