// SPDX-License-Identifier: LGPL-3.0-or-later
// sinograph-hdf5: answers requests about one HDF5 file through the socket at its standard input. HDF5's library crashes
// on some damaged files; then only this process ends, and the run reports it.
#include "base/error.hpp"
#include "base/shown.hpp"
#include "tasks/hdf5/bitshuffle.hpp"
#include "tasks/hdf5/dataset.hpp"
#include "tasks/hdf5/limits.hpp"
#include "tasks/hdf5/objects.hpp"
#include "tasks/hdf5/opening.hpp"
#include "tasks/hdf5/other-files.hpp"
#include "tasks/hdf5/places.hpp"
#include "tasks/hdf5/sources.hpp"
#include <cerrno>
#include <map>
#include <unistd.h>

namespace sino::hdf5 {

namespace {

constexpr int channel = 0;
// Sources of large virtual datasets take tens of kilobytes each.
constexpr uint64_t description_bytes = uint64_t{512} << 20;
// Bytes in HDF5's count for its metadata cache: size of chunk indices on the disk. The old kind of index takes seven
// times that in memory.
constexpr size_t metadata_bytes = size_t{4} << 20;

bool receive (void *to, size_t n)
{
  for (auto *p = static_cast<char *> (to); n > 0;) {
    const auto got = read (channel, p, n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    p += got;
    n -= static_cast<size_t> (got);
  }
  return true;
}

void send (const void *from, size_t n)
{
  for (auto *p = static_cast<const char *> (from); n > 0;) {
    const auto put = write (channel, p, n);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      _exit (0); // the other side has closed the socket
    p += put;
    n -= static_cast<size_t> (put);
  }
}

void answer (Word word, const std::string &bytes)
{
  const Head head{static_cast<uint32_t> (word), 0, bytes.size ()};
  send (&head, sizeof head);
  send (bytes.data (), bytes.size ());
}

class Server
{
public:
  // Returns the answer to a request.
  std::string serve (Word word, Unpacker &in)
  {
    Parcel out;
    if (word == Word::open)
      open (in);
    else if (word == Word::exists)
      out.put<uint64_t> (exists (file, in.text ()));
    else if (word == Word::list) {
      allow (description_bytes, walk_seconds);
      const auto least = in.get<uint64_t> (), most = in.get<uint64_t> ();
      list (file, least, most, out);
    } else if (word == Word::count)
      out.put (count_numbers (file, in.text ()));
    else if (word == Word::numbers) {
      const auto name = in.text ();
      out.put (read_numbers (file, name, in.get<uint64_t> ()));
    } else if (word == Word::number_attribute || word == Word::text_attribute) {
      const auto object = in.text (), name = in.text ();
      attribute (file, object, name, word == Word::text_attribute, out);
    } else if (word == Word::describe) {
      const auto name = in.text ();
      allow (description_bytes, describe_seconds);
      auto facts = describe (dataset (name), file, path, name, made[name]);
      facts.resident = settle ();
      out.put (facts);
    } else if (word == Word::places)
      places (in.text ());
    else if (word == Word::box)
      return box (in);
    else
      fail (SINO_ERROR_FAILED, "no such request");
    return out.bytes;
  }

private:
  Handle file, open_one; // open_one: the dataset of the last request
  std::string path, open_name;
  std::map<std::string, Sources> made; // sources of datasets, by the dataset's name
  uint64_t touched = 0;                // number of sources that may be open

  void open (Unpacker &in)
  {
    if (in.get<uint64_t> () != version)
      fail (SINO_ERROR_FAILED, "the program sinograph-hdf5 and the module have different versions: install both again");
    path = in.text ();
    set_growing (in.get<bool> ());
    keep_within (in.text ());
    check_within (path);
    file = open_to_read (path, "cannot open " + in_quotes (path) + " as HDF5, it may be truncated", metadata_bytes);
  }

  hid_t dataset (const std::string &name)
  {
    if (name != open_name) {
      open_one = open_dataset (file, name);
      open_name = name;
    }
    return open_one;
  }

  void places (const std::string &name)
  {
    Parcel some;
    find_places (dataset (name), [&] (const ChunkPlace &place) {
      some.put (place);
      if (some.bytes.size () == places_per_answer * sizeof (ChunkPlace)) {
        answer (Word::done, some.bytes);
        some.bytes.clear ();
      }
    });
    if (!some.bytes.empty ())
      answer (Word::done, some.bytes);
  }

  std::string box (Unpacker &in)
  {
    const auto name = in.text ();
    const auto sample =
        static_cast<Sample> (std::min (in.get<uint32_t> (), static_cast<uint32_t> (formats::last_sample)));
    const auto &sources = made[name];
    // HDF5 keeps each source open until the dataset is closed.
    if (name == open_name && (touched += sources.most) > sources.most + most_open) {
      open_name.clear ();
      open_one = {};
      touched = sources.most;
    }
    const auto room = in.get<uint64_t> ();
    allow (room, read_seconds (room));
    const auto corner = in.get<std::array<uint64_t, 3>> (), extent = in.get<std::array<uint64_t, 3>> ();
    return read_box (dataset (name), sample, corner, extent, sources.gaps);
  }
};

void serve ()
{
  Server server;
  const auto guard = lock ();
  for (Head head; receive (&head, sizeof head);) {
    if (head.bytes > most_request)
      return;
    std::string request (head.bytes, '\0');
    if (!receive (request.data (), request.size ()))
      return;
    const auto word = static_cast<Word> (head.word);
    allow (0, word == Word::places ? walk_seconds : look_seconds);
    take_refusal ();
    try {
      Unpacker in (request);
      answer (Word::done, server.serve (word, in));
    } catch (const std::bad_alloc &) {
      answer (Word::failed, "it needs more memory than an intact file");
    } catch (const std::exception &e) {
      const auto refusal = take_refusal ();
      answer (Word::failed, refusal.empty () ? e.what () : refusal);
    }
  }
}

} // namespace

} // namespace sino::hdf5

int main ()
{
  H5open ();
  sino::hdf5::add_bitshuffle ();
  sino::hdf5::confine (sino::hdf5::channel);
  sino::hdf5::serve ();
  _exit (0); // skips HDF5's cleanup, which may fail after a damaged file
}
