// SPDX-License-Identifier: LGPL-3.0-or-later
// Sends requests to the first rank, which has the memory and answers: for networks over which Open MPI makes no window,
// for example plain Ethernet with some of its versions.
#include "ranks/mpi/boards.hpp"
#include <cstring>
#include <vector>

namespace sino {

namespace {

enum class Wish : int64_t { add, write, read };

struct Request {
  Wish wish;
  uint64_t at, bytes;
  int64_t number; // number to add
};

constexpr int request_tag = 1, answer_tag = 2;

class Messages final : public MpiBoard
{
public:
  Messages (const RankPlace &p, const World &w, size_t bytes) : MpiBoard (p, w)
  {
    if (place.rank > 0)
      return;
    memory.resize (bytes);
    start ([this] { return answer (); });
  }

  ~Messages () override { stop (); }

  int64_t add (size_t at, int64_t number) override
  {
    int64_t before = 0;
    ask ({.wish = Wish::add, .at = at, .bytes = sizeof before, .number = number}, {},
         std::as_writable_bytes (std::span (&before, 1)));
    return before;
  }
  void set (size_t at, std::span<const int64_t> words) override { put (at, std::as_bytes (words)); }
  void get (size_t at, std::span<int64_t> words) override { take (at, std::as_writable_bytes (words)); }
  void put (size_t at, std::span<const std::byte> bytes) override
  {
    ask ({.wish = Wish::write, .at = at, .bytes = bytes.size (), .number = 0}, bytes, {});
  }
  void take (size_t at, std::span<std::byte> bytes) override
  {
    ask ({.wish = Wish::read, .at = at, .bytes = bytes.size (), .number = 0}, {}, bytes);
  }

  // Until all ranks are here, the others may still send requests.
  void leave () override
  {
    MPI_Request all = MPI_REQUEST_NULL;
    {
      const std::lock_guard guard (mutex);
      check_mpi (MPI_Ibarrier (world, &all), "MPI_Ibarrier");
    }
    for (int all_here = 0; !all_here; pause ()) {
      const std::lock_guard guard (mutex);
      check_mpi (MPI_Test (&all, &all_here, MPI_STATUS_IGNORE), "MPI_Test");
    }
    stop ();
    world.end ();
  }

private:
  std::mutex of_memory;
  std::vector<std::byte> memory;

  // Executes a request in the memory.
  void grant (const Request &request, std::span<const std::byte> from, std::span<std::byte> to)
  {
    const std::lock_guard guard (of_memory);
    auto *place_of_it = memory.data () + request.at;
    if (request.wish == Wish::write)
      std::memcpy (place_of_it, from.data (), from.size ());
    else
      std::memcpy (to.data (), place_of_it, to.size ());
    if (request.wish == Wish::add) {
      int64_t sum = 0;
      std::memcpy (&sum, place_of_it, sizeof sum);
      sum += request.number;
      std::memcpy (place_of_it, &sum, sizeof sum);
    }
  }

  void ask (const Request &request, std::span<const std::byte> from, std::span<std::byte> to)
  {
    if (place.rank == 0)
      return grant (request, from, to);
    std::vector<std::byte> message (sizeof request + from.size ());
    std::memcpy (message.data (), &request, sizeof request);
    if (!from.empty ())
      std::memcpy (message.data () + sizeof request, from.data (), from.size ());
    const std::lock_guard guard (mutex);
    check_mpi (MPI_Send (message.data (), static_cast<int> (message.size ()), MPI_BYTE, 0, request_tag, world),
               "MPI_Send");
    check_mpi (MPI_Recv (to.data (), static_cast<int> (to.size ()), MPI_BYTE, 0, answer_tag, world, MPI_STATUS_IGNORE),
               "MPI_Recv");
  }

  // Answers one request; false if there is none.
  bool answer ()
  {
    const std::lock_guard guard (mutex);
    int any = 0, size = 0;
    MPI_Status status;
    if (MPI_Iprobe (MPI_ANY_SOURCE, request_tag, world, &any, &status) != MPI_SUCCESS || !any)
      return false;
    MPI_Get_count (&status, MPI_BYTE, &size);
    std::vector<std::byte> message (static_cast<size_t> (size));
    MPI_Recv (message.data (), size, MPI_BYTE, status.MPI_SOURCE, request_tag, world, MPI_STATUS_IGNORE);
    Request request{};
    std::memcpy (&request, message.data (), sizeof request);
    std::vector<std::byte> to (request.wish == Wish::write ? 0 : request.bytes);
    grant (request, std::span (message).subspan (sizeof request), to);
    MPI_Send (to.data (), static_cast<int> (to.size ()), MPI_BYTE, status.MPI_SOURCE, answer_tag, world);
    return true;
  }
};

} // namespace

std::unique_ptr<Board> make_messages (const RankPlace &place, const World &world, size_t bytes)
{
  return std::make_unique<Messages> (place, world, bytes);
}

} // namespace sino
