// SPDX-License-Identifier: LGPL-3.0-or-later
#include "ranks/cluster.hpp"
#include "base/error.hpp"
#include "base/files/scratch-file.hpp"
#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <thread>

namespace sino {

namespace {

// Layout of the board: words first, then texts, each after a word with its length in bytes.
constexpr size_t word_bytes = sizeof (int64_t);
constexpr size_t most_passes = 64, most_once = 64, share_words = 8;
constexpr size_t said_room = size_t{8} << 10, told_room = size_t{256} << 10, path_room = 4224, why_room = 8192;
constexpr size_t most_why = 4096; // bytes of the reason; the rest is for names

constexpr size_t at_stage = 0, at_failed = 8, at_claims = 16, at_heard = 24, at_code = 32;
constexpr size_t at_passes = 64;
constexpr size_t at_once = at_passes + most_passes * word_bytes;
constexpr size_t at_why = at_once + most_once * word_bytes;
constexpr size_t at_told = at_why + why_room;
constexpr size_t at_paths = at_told + told_room;
constexpr size_t at_posted = at_paths + most_once * path_room;

// Address of a rank's words: the stage that it has reached, and its share of the work.
size_t at_stage_of (int rank)
{
  return at_posted + static_cast<size_t> (rank) * word_bytes;
}

size_t at_share (int ranks, int rank)
{
  return at_stage_of (ranks) + static_cast<size_t> (rank) * share_words * word_bytes;
}

size_t at_said (int ranks, int rank)
{
  return at_share (ranks, ranks) + static_cast<size_t> (rank) * said_room;
}

constexpr int64_t gone = INT64_MAX; // stage of a rank that leaves

// Longest time that ranks wait after a failure for others to leave; then they end them.
constexpr auto most_patience = std::chrono::seconds (10);

// Waits of increasing length, so that a thousand ranks do not keep the first one busy.
class Pause
{
public:
  void wait ()
  {
    std::this_thread::sleep_for (time);
    time = std::min (time * 2, longest);
  }

private:
  static constexpr std::chrono::microseconds longest{20000};
  std::chrono::microseconds time{50};
};

} // namespace

Cluster::Cluster (std::unique_ptr<Board> b) : board (std::move (b))
{
  board->before_end = [this] { leave (1); };
}

size_t Cluster::bytes (int ranks)
{
  return at_said (ranks, ranks);
}

int64_t Cluster::word (size_t at)
{
  int64_t value = 0;
  board->get (at, {&value, 1});
  return value;
}

void Cluster::set_word (size_t at, int64_t value)
{
  board->set (at, {&value, 1});
}

void Cluster::put_text (size_t at, size_t room, const std::string &text)
{
  if (text.size () + word_bytes > room)
    sino::fail (SINO_ERROR_FAILED, "%zu bytes are more than ranks can exchange: use shorter paths", text.size ());
  board->put (at + word_bytes, std::as_bytes (std::span (text)));
  set_word (at, static_cast<int64_t> (text.size ()));
}

std::string Cluster::text_at (size_t at)
{
  std::string text (static_cast<size_t> (word (at)), '\0');
  board->take (at + word_bytes, std::as_writable_bytes (std::span (text)));
  return text;
}

template <class Ready> void Cluster::wait (const Monitor &monitor, Ready ready)
{
  for (Pause pause; !ready (); pause.wait ()) {
    monitor.step (); // counts as progress: the other ranks have their own watchdogs
    check ();
  }
}

std::string Cluster::agree (const std::string &mine, const Monitor &monitor, const Join &join)
{
  const int ranks = place ().ranks;
  stage++;
  if (!mine.empty () || join)
    put_text (at_said (ranks, place ().rank), said_room, mine);
  set_word (at_stage_of (place ().rank), stage);
  if (leads ()) {
    std::vector<int64_t> posted (static_cast<size_t> (ranks));
    wait (monitor, [&] {
      board->get (at_posted, posted);
      return std::ranges::all_of (posted, [this] (int64_t each) { return each >= stage; });
    });
    check ();
    if (std::ranges::find (posted, gone) != posted.end ())
      sino::fail (SINO_ERROR_FAILED, "another rank has left the run");
    std::vector<std::string> said;
    for (int rank = 0; join && rank < ranks; rank++)
      said.push_back (text_at (at_said (ranks, rank)));
    auto result = join ? join (said) : std::string ();
    put_text (at_told, told_room, result);
    set_word (at_stage, stage);
    return result;
  }
  wait (monitor, [&] { return word (at_stage) >= stage; });
  return text_at (at_told);
}

std::string Cluster::told (const std::string &by_first, const Monitor &monitor)
{
  return agree ({}, monitor, [&] (const auto &) { return by_first; });
}

void Cluster::take_turn ()
{
  if (failed)
    sino::fail (SINO_ERROR_FAILED,
                "an earlier run of these ranks has failed, and they cannot work together any more: start them again");
  if (at_work.exchange (true))
    sino::fail (SINO_ERROR_FAILED, "ranks work on one run at a time, and another run is active");
}

void Cluster::begin (const Monitor &monitor)
{
  const std::vector<int64_t> zeros (most_passes + most_once);
  // No other rank works while the first rank joins the messages, so it can reset the counters.
  agree ({}, monitor, [&] (const auto &) {
    board->set (at_passes, zeros);
    return std::string ();
  });
  tell ({});
  drop_made ();
}

static size_t at_pass (int pass)
{
  if (pass < 0 || static_cast<size_t> (pass) >= most_passes)
    sino::fail (SINO_ERROR_BAD_GRAPH, "the plan has more than %zu passes, which is too many for several ranks",
                most_passes);
  return at_passes + static_cast<size_t> (pass) * word_bytes;
}

int64_t Cluster::next (int pass)
{
  return board->add (at_pass (pass), 1);
}

int64_t Cluster::taken (int pass)
{
  return word (at_pass (pass));
}

Bytes Cluster::once (size_t number, const std::string &path, const Monitor &monitor,
                     const std::function<Bytes ()> &make)
{
  if (number >= most_once || path.size () + 256 > path_room)
    return make (); // all ranks take the same branch
  const auto at = at_once + number * word_bytes, at_path = at_paths + number * path_room;
  const int64_t ready = INT64_MIN / 2, nobody = 0; // far enough from zero that counting up never reaches zero
  while (board->add (at, 1) != nobody) {
    int64_t found = 0; // read now, because the next moment another rank may try again
    wait (monitor, [&] { return (found = word (at)) <= nobody; });
    if (found == nobody) // the rank that made it has lost its device
      continue;
    const ScratchFile file (text_at (at_path));
    Bytes bytes (file.size ());
    file.read (bytes.data (), bytes.size (), 0);
    return bytes;
  }
  try {
    auto bytes = make ();
    auto file = std::make_unique<Temporary> (path);
    ScratchFile (file->path ()).write (bytes.data (), bytes.size (), 0);
    put_text (at_path, path_room, file->path ());
    set_word (at, ready);
    const std::lock_guard guard (mutex);
    made.push_back (std::move (file));
    return bytes;
  } catch (...) {
    set_word (at, nobody);
    throw;
  }
}

void Cluster::drop_made ()
{
  const std::lock_guard guard (mutex);
  made.clear ();
}

void Cluster::tell (const Share &share)
{
  const int64_t words[share_words] = {share.items,
                                      share.rows,
                                      share.bytes,
                                      share.slices,
                                      std::bit_cast<int64_t> (share.updates),
                                      std::bit_cast<int64_t> (share.voxels)};
  board->set (at_share (place ().ranks, place ().rank), words);
}

std::vector<Share> Cluster::shares ()
{
  std::vector<int64_t> words (static_cast<size_t> (place ().ranks) * share_words);
  board->get (at_share (place ().ranks, 0), words);
  std::vector<Share> all;
  for (size_t w = 0; w < words.size (); w += share_words)
    all.push_back ({words[w], words[w + 1], words[w + 2], words[w + 3], std::bit_cast<double> (words[w + 4]),
                    std::bit_cast<double> (words[w + 5])});
  return all;
}

// --- failures ---

void Cluster::fail (SinoError code, const std::string &why) noexcept
{
  if (failed.exchange (true))
    return;
  try {
    if (leads ())
      set_word (at_heard, 1);
    if (board->add (at_claims, 1) > 0)
      return; // follows from a failure that another rank has reported already
    put_text (at_why, why_room,
              text ("rank %d (%s): ", place ().rank, place ().host.c_str ()) + why.substr (0, most_why));
    set_word (at_code, code);
    set_word (at_failed, place ().rank + 1);
  } catch (...) { // the network has failed; the other ranks notice this themselves
  }
}

void Cluster::check ()
{
  const auto who = word (at_failed);
  if (who == 0 || who == place ().rank + 1)
    return;
  const auto why = text_at (at_why);
  const auto code = static_cast<SinoError> (word (at_code));
  if (leads ())
    set_word (at_heard, 1);
  failed = true;
  throw Error (code, why);
}

void Cluster::leave (int status) noexcept
{
  if (left.exchange (true))
    return;
  try {
    drop_made ();
    set_word (at_stage_of (place ().rank), gone);
    std::vector<int64_t> posted (static_cast<size_t> (place ().ranks));
    const auto all_gone = [&] {
      board->get (at_posted, posted);
      return std::ranges::all_of (posted, [] (int64_t each) { return each == gone; });
    };
    bool over = all_gone ();
    std::optional<std::chrono::steady_clock::time_point> end; // set once a rank has failed
    for (Pause pause; !over && (!end || std::chrono::steady_clock::now () < *end); over = all_gone ()) {
      pause.wait ();
      if (!end && word (at_failed) != 0)
        end = std::chrono::steady_clock::now () + most_patience;
    }
    told_ = word (at_heard) != 0; // final, because the first rank has finished, too
    if (over)
      return board->leave ();
  } catch (...) { // the other ranks cannot be waited for
  }
  board->abort (status);
}

} // namespace sino
