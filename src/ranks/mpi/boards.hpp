// SPDX-License-Identifier: LGPL-3.0-or-later
// Boards in the first rank's memory, made with MPI.
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

// Throws SINO_ERROR_FAILED, with MPI's message, if the return code of an MPI call is not success.
void check_mpi (int code, const char *what);

// A communicator of all ranks. end () frees it, and finalises MPI if it was initialised here.
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

// Common part of both boards: MPI, which one thread calls at a time, and a thread of the first rank that serves the
// others.
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
  std::mutex mutex; // held during MPI calls

  static void pause () { std::this_thread::sleep_for (std::chrono::microseconds (100)); }

  // Calls `serve` repeatedly in that thread, with a pause when it returns false. A board that has started it must stop
  // it before its own destruction.
  void start (std::function<bool ()> serve);
  void stop () noexcept;

private:
  std::atomic<bool> over{false};
  std::thread helper;
};

// A board with an MPI window and one-sided operations, for which no other rank has to wait; null if the network does
// not support it. All ranks get the same kind.
std::unique_ptr<Board> make_window (const RankPlace &place, const World &world, size_t bytes);

// A board with messages, which a thread of the first rank answers.
std::unique_ptr<Board> make_messages (const RankPlace &place, const World &world, size_t bytes);

} // namespace sino
