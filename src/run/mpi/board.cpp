// SPDX-License-Identifier: LGPL-3.0-or-later
// The board (run/board.hpp) as a window of MPI that lies in the first rank's memory, reached by one-sided operations,
// which no other rank has to wait for (MPI 3.1, chapter 11).
#include "run/board.hpp"
#include "base/error.hpp"
#include "base/visibility.hpp"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mpi.h>
#include <mutex>
#include <thread>

namespace sino {

namespace {

void check (int code, const char *what)
{
  if (code == MPI_SUCCESS)
    return;
  char why[MPI_MAX_ERROR_STRING] = "";
  int size = 0;
  MPI_Error_string (code, why, &size);
  fail (SINO_ERROR_FAILED, "%s failed: %.*s", what, size, why);
}

class MpiBoard final : public Board
{
public:
  MpiBoard (RankPlace p, MPI_Comm c, MPI_Win w, bool owns)
      : Board (std::move (p)), comm (c), window (w), owns_mpi (owns)
  {
    if (place.rank == 0)
      helper = std::thread ([this] { help (); });
  }

  ~MpiBoard () override { stop (); }

  int64_t add (size_t at, int64_t number) override
  {
    int64_t before = 0;
    const std::lock_guard guard (mutex);
    check (MPI_Fetch_and_op (&number, &before, MPI_INT64_T, 0, static_cast<MPI_Aint> (at), MPI_SUM, window),
           "MPI_Fetch_and_op");
    flush ();
    return before;
  }

  void set (size_t at, std::span<const int64_t> words) override
  {
    const auto n = static_cast<int> (words.size ());
    const std::lock_guard guard (mutex);
    check (MPI_Accumulate (words.data (), n, MPI_INT64_T, 0, static_cast<MPI_Aint> (at), n, MPI_INT64_T, MPI_REPLACE,
                           window),
           "MPI_Accumulate");
    flush ();
  }

  void get (size_t at, std::span<int64_t> words) override
  {
    const auto n = static_cast<int> (words.size ());
    const std::lock_guard guard (mutex);
    check (MPI_Get_accumulate (nullptr, 0, MPI_INT64_T, words.data (), n, MPI_INT64_T, 0, static_cast<MPI_Aint> (at), n,
                               MPI_INT64_T, MPI_NO_OP, window),
           "MPI_Get_accumulate");
    flush ();
  }

  void put (size_t at, std::span<const std::byte> bytes) override
  {
    const auto n = static_cast<int> (bytes.size ());
    const std::lock_guard guard (mutex);
    check (MPI_Put (bytes.data (), n, MPI_BYTE, 0, static_cast<MPI_Aint> (at), n, MPI_BYTE, window), "MPI_Put");
    flush ();
  }

  void take (size_t at, std::span<std::byte> bytes) override
  {
    const auto n = static_cast<int> (bytes.size ());
    const std::lock_guard guard (mutex);
    check (MPI_Get (bytes.data (), n, MPI_BYTE, 0, static_cast<MPI_Aint> (at), n, MPI_BYTE, window), "MPI_Get");
    flush ();
  }

  void leave () override
  {
    stop ();
    MPI_Win_unlock_all (window);
    MPI_Win_free (&window);
    MPI_Comm_free (&comm);
    if (owns_mpi)
      MPI_Finalize ();
  }

  void abort (int status) noexcept override
  {
    stop ();
    MPI_Abort (comm, status);
  }

private:
  MPI_Comm comm;
  MPI_Win window;
  const bool owns_mpi;
  std::mutex mutex; // MPI is called by one thread at a time, which all networks can do
  std::atomic<bool> over{false};
  std::thread helper;

  void flush () { check (MPI_Win_flush (0, window), "MPI_Win_flush"); }

  // Networks without hardware for it want the first rank to be in a call of MPI, to serve the others.
  void help ()
  {
    while (!over) {
      {
        const std::lock_guard guard (mutex);
        int any = 0;
        MPI_Iprobe (MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &any, MPI_STATUS_IGNORE);
      }
      std::this_thread::sleep_for (std::chrono::microseconds (100));
    }
  }

  void stop () noexcept
  {
    over = true;
    if (helper.joinable ())
      helper.join ();
  }
};

RankPlace find_place (MPI_Comm comm)
{
  RankPlace place;
  check (MPI_Comm_rank (comm, &place.rank), "MPI_Comm_rank");
  check (MPI_Comm_size (comm, &place.ranks), "MPI_Comm_size");
  MPI_Comm here = MPI_COMM_NULL;
  check (MPI_Comm_split_type (comm, MPI_COMM_TYPE_SHARED, place.rank, MPI_INFO_NULL, &here), "MPI_Comm_split_type");
  check (MPI_Comm_rank (here, &place.rank_here), "MPI_Comm_rank");
  check (MPI_Comm_size (here, &place.ranks_here), "MPI_Comm_size");
  MPI_Comm_free (&here);
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int size = 0;
  check (MPI_Get_processor_name (name, &size), "MPI_Get_processor_name");
  place.host.assign (name, static_cast<size_t> (size));
  return place;
}

Board *join_world (size_t (*bytes) (int ranks))
{
  int before = 0, level = MPI_THREAD_SINGLE;
  MPI_Initialized (&before);
  if (before)
    check (MPI_Query_thread (&level), "MPI_Query_thread");
  else
    check (MPI_Init_thread (nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "MPI_Init_thread");
  if (level < MPI_THREAD_SERIALIZED)
    fail (SINO_ERROR_FAILED, "it was started without support of threads, and MPI_THREAD_SERIALIZED is wanted");
  MPI_Comm comm = MPI_COMM_NULL;
  check (MPI_Comm_dup (MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
  MPI_Comm_set_errhandler (comm, MPI_ERRORS_RETURN);
  auto place = find_place (comm);
  void *memory = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  const auto size = place.rank == 0 ? static_cast<MPI_Aint> (bytes (place.ranks)) : 0;
  check (MPI_Win_allocate (size, 1, MPI_INFO_NULL, comm, &memory, &window), "MPI_Win_allocate");
  MPI_Win_set_errhandler (window, MPI_ERRORS_RETURN);
  if (size > 0)
    std::fill_n (static_cast<char *> (memory), size, '\0');
  check (MPI_Win_lock_all (MPI_MODE_NOCHECK, window), "MPI_Win_lock_all");
  MPI_Win_sync (window);
  check (MPI_Barrier (comm), "MPI_Barrier"); // nobody reaches it before it is all zero
  return new MpiBoard (std::move (place), comm, window, !before);
}

} // namespace

} // namespace sino

extern "C" SINO_VISIBLE sino::Board *sino_mpi_board (size_t (*bytes) (int ranks), char *fault, size_t room)
{
  try {
    return sino::join_world (bytes);
  } catch (const std::exception &e) {
    snprintf (fault, room, "%s", e.what ());
    return nullptr;
  }
}
