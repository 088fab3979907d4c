// SPDX-License-Identifier: LGPL-3.0-or-later
// A window of MPI that lies in the first rank's memory (MPI 3.1, chapter 11).
#include "ranks/mpi/boards.hpp"
#include <algorithm>

namespace sino {

namespace {

class Window final : public MpiBoard
{
public:
  Window (const RankPlace &p, const World &w, MPI_Win made) : MpiBoard (p, w), window (made)
  {
    if (place.rank == 0)
      start ([this] { return help (); });
  }

  ~Window () override { stop (); }

  int64_t add (size_t at, int64_t number) override
  {
    int64_t before = 0;
    const std::lock_guard guard (mutex);
    check_mpi (MPI_Fetch_and_op (&number, &before, MPI_INT64_T, 0, static_cast<MPI_Aint> (at), MPI_SUM, window),
               "MPI_Fetch_and_op");
    flush ();
    return before;
  }

  void set (size_t at, std::span<const int64_t> words) override
  {
    const auto n = static_cast<int> (words.size ());
    const std::lock_guard guard (mutex);
    check_mpi (MPI_Accumulate (words.data (), n, MPI_INT64_T, 0, static_cast<MPI_Aint> (at), n, MPI_INT64_T,
                               MPI_REPLACE, window),
               "MPI_Accumulate");
    flush ();
  }

  void get (size_t at, std::span<int64_t> words) override
  {
    const auto n = static_cast<int> (words.size ());
    const std::lock_guard guard (mutex);
    check_mpi (MPI_Get_accumulate (nullptr, 0, MPI_INT64_T, words.data (), n, MPI_INT64_T, 0,
                                   static_cast<MPI_Aint> (at), n, MPI_INT64_T, MPI_NO_OP, window),
               "MPI_Get_accumulate");
    flush ();
  }

  void put (size_t at, std::span<const std::byte> bytes) override
  {
    const auto n = static_cast<int> (bytes.size ());
    const std::lock_guard guard (mutex);
    check_mpi (MPI_Put (bytes.data (), n, MPI_BYTE, 0, static_cast<MPI_Aint> (at), n, MPI_BYTE, window), "MPI_Put");
    flush ();
  }

  void take (size_t at, std::span<std::byte> bytes) override
  {
    const auto n = static_cast<int> (bytes.size ());
    const std::lock_guard guard (mutex);
    check_mpi (MPI_Get (bytes.data (), n, MPI_BYTE, 0, static_cast<MPI_Aint> (at), n, MPI_BYTE, window), "MPI_Get");
    flush ();
  }

  void leave () override
  {
    stop ();
    MPI_Win_unlock_all (window);
    MPI_Win_free (&window);
    world.end ();
  }

private:
  MPI_Win window;

  void flush () { check_mpi (MPI_Win_flush (0, window), "MPI_Win_flush"); }

  // Networks without hardware support serve the other ranks only while the first rank is in an MPI call.
  bool help ()
  {
    const std::lock_guard guard (mutex);
    int any = 0;
    MPI_Iprobe (MPI_ANY_SOURCE, MPI_ANY_TAG, world, &any, MPI_STATUS_IGNORE);
    return false; // no work is left, so the thread may pause
  }
};

} // namespace

std::unique_ptr<Board> make_window (const RankPlace &place, const World &world, size_t bytes)
{
  const auto size = place.rank == 0 ? static_cast<MPI_Aint> (bytes) : 0;
  void *memory = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  int good = MPI_Win_allocate (size, 1, MPI_INFO_NULL, world, &memory, &window) == MPI_SUCCESS, all = 0;
  check_mpi (MPI_Allreduce (&good, &all, 1, MPI_INT, MPI_MIN, world), "MPI_Allreduce");
  if (!all)
    return nullptr;
  MPI_Win_set_errhandler (window, MPI_ERRORS_RETURN);
  if (size > 0)
    std::fill_n (static_cast<char *> (memory), size, '\0');
  check_mpi (MPI_Win_lock_all (MPI_MODE_NOCHECK, window), "MPI_Win_lock_all");
  MPI_Win_sync (window);
  check_mpi (MPI_Barrier (world), "MPI_Barrier"); // no rank may access it before it is all zero
  return std::make_unique<Window> (place, world, window);
}

} // namespace sino
