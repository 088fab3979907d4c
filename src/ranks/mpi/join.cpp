// SPDX-License-Identifier: LGPL-3.0-or-later
// Joins the other processes that mpirun or srun has started (MPI 3.1).
#include "base/visibility.hpp"
#include "ranks/mpi/boards.hpp"
#include <cstdio>

namespace sino {

void check_mpi (int code, const char *what)
{
  if (code == MPI_SUCCESS)
    return;
  char why[MPI_MAX_ERROR_STRING] = "";
  int size = 0;
  MPI_Error_string (code, why, &size);
  fail (SINO_ERROR_FAILED, "%s failed: %.*s", what, size, why);
}

void World::end ()
{
  MPI_Comm_free (&comm_);
  if (owns_mpi)
    MPI_Finalize ();
}

void MpiBoard::start (std::function<bool ()> serve)
{
  helper = std::thread ([this, serve = std::move (serve)] {
    while (!over)
      if (!serve ())
        pause ();
  });
}

void MpiBoard::stop () noexcept
{
  over = true;
  if (helper.joinable ())
    helper.join ();
}

namespace {

RankPlace find_place (MPI_Comm comm)
{
  RankPlace place;
  check_mpi (MPI_Comm_rank (comm, &place.rank), "MPI_Comm_rank");
  check_mpi (MPI_Comm_size (comm, &place.ranks), "MPI_Comm_size");
  MPI_Comm here = MPI_COMM_NULL;
  check_mpi (MPI_Comm_split_type (comm, MPI_COMM_TYPE_SHARED, place.rank, MPI_INFO_NULL, &here), "MPI_Comm_split_type");
  check_mpi (MPI_Comm_rank (here, &place.rank_here), "MPI_Comm_rank");
  check_mpi (MPI_Comm_size (here, &place.ranks_here), "MPI_Comm_size");
  MPI_Comm_free (&here);
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int size = 0;
  check_mpi (MPI_Get_processor_name (name, &size), "MPI_Get_processor_name");
  place.host.assign (name, static_cast<size_t> (size));
  return place;
}

// If the program finalises MPI, MPI first calls the delete function of attributes of MPI_COMM_SELF (MPI 3.1, 8.7.1).
void leave_before_end (Board &board)
{
  const auto leave = [] (MPI_Comm, int, void *kept, void *) {
    static_cast<Board *> (kept)->before_end ();
    return MPI_SUCCESS;
  };
  int key = MPI_KEYVAL_INVALID;
  check_mpi (MPI_Comm_create_keyval (MPI_COMM_NULL_COPY_FN, leave, &key, nullptr), "MPI_Comm_create_keyval");
  check_mpi (MPI_Comm_set_attr (MPI_COMM_SELF, key, &board), "MPI_Comm_set_attr");
}

// If MPI is initialised here, one thread at a time calls it, which all networks support.
Board *join_world (size_t (*bytes) (int ranks))
{
  int before = 0, level = MPI_THREAD_SINGLE;
  MPI_Initialized (&before);
  if (before)
    check_mpi (MPI_Query_thread (&level), "MPI_Query_thread");
  else
    check_mpi (MPI_Init_thread (nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "MPI_Init_thread");
  if (level < (before ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED))
    fail (SINO_ERROR_FAILED, before ? "the program has not requested MPI_THREAD_MULTIPLE, which is needed if other "
                                      "threads call MPI at the same time"
                                    : "it does not support calls of several threads, one at a time");
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi (MPI_Comm_dup (MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
  MPI_Comm_set_errhandler (comm, MPI_ERRORS_RETURN);
  const World world (comm, !before);
  const auto place = find_place (comm);
  const auto size = bytes (place.ranks);
  const char *by = g_getenv ("SINOGRAPH_MPI"); // tests set it to choose the kind of board
  auto board = by && std::string_view (by) == "messages" ? nullptr : make_window (place, world, size);
  if (!board)
    board = make_messages (place, world, size);
  if (before)
    leave_before_end (*board);
  return board.release ();
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
