// SPDX-License-Identifier: LGPL-3.0-or-later
// Messages between the tasks and the separate process that reads HDF5, through a socket: a word and some bytes. Both
// sides check their input: a damaged file may have corrupted the process.
#pragma once
#include "base/shown.hpp"
#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace sino::hdf5 {

constexpr uint64_t version = 9;

enum class Word : uint32_t {
  // Requests. Each has one answer; `places` has several, the last one empty.
  open,             // version, path, whether it may grow, folder that it and all it leads to must lie in, or none ->
  exists,           // object -> number
  list,             // least and most axes -> Listed ...
  count,            // dataset -> number of values
  numbers,          // dataset, number of values -> doubles
  number_attribute, // dataset, name -> number of values there, double
  text_attribute,   // dataset, name -> number of values there, text
  describe,         // dataset -> Description
  places,           // dataset -> ChunkPlace ...
  box,              // dataset, type of the values, bytes that it may take, corner, extents -> pixels
  // Answers.
  done,
  failed, // error message
};

struct Head {
  uint32_t word = 0, reserved = 0;
  uint64_t bytes = 0;
};

// Memory of the process beside the allowance of a request; resident_bytes includes what it has at its start.
constexpr uint64_t ordinary_bytes = uint64_t{48} << 20, resident_bytes = ordinary_bytes + (uint64_t{16} << 20);
// Memory of a source of a virtual dataset, which HDF5 keeps open, and number of sources that may be open besides those
// of a box.
constexpr uint64_t source_bytes = uint64_t{2} << 20, most_open = 32;
constexpr uint64_t most_request = 1 << 17;
constexpr uint64_t undefined = ~uint64_t{0}; // an invalid address

enum class Layout : uint32_t { contiguous, compact, chunked, external, assembled };

// A chunk, as recorded in the file.
struct ChunkPlace {
  uint64_t corner[3] = {};
  uint64_t address = undefined, bytes = 0; // relative to the end of the user block
  uint32_t skipped = 0, reserved = 0;      // skipped: one bit per filter that was not applied
};
constexpr size_t places_per_answer = 4096;

// Structs that are sent have trivial copies, or give their fields.
struct Filter {
  int32_t id = 0;
  bool available = false;
  std::string name;
  std::vector<uint32_t> values;

  static auto fields (auto &f) { return std::tie (f.id, f.available, f.name, f.values); }
};

// Another file with pixels of a dataset.
struct PixelSource {
  std::string file, dataset;                // names in the dataset; no dataset: a raw file
  std::string path;                         // path of the file; empty if it is missing
  std::string fault;                        // error, or empty
  uint64_t offset = 0, bytes = 0, size = 0; // range of pixels in a raw file, or with Description::in_turn; its size

  static auto fields (auto &s) { return std::tie (s.file, s.dataset, s.path, s.fault, s.offset, s.bytes, s.size); }
};

// A dataset of numbers, or a link that leads nowhere.
struct Listed {
  std::string name;
  std::vector<uint64_t> extent;       // empty: a broken link
  std::array<uint64_t, 2> identity{}; // equal for two names of one dataset

  static auto fields (auto &l) { return std::tie (l.name, l.extent, l.identity); }
};

// Images along the first axis of a dataset.
struct Pages {
  uint64_t begin = 0, end = 0;
};
using PageRuns = std::vector<Pages>;

// A sequence of numbers and texts.
class Parcel
{
public:
  std::string bytes;

  template <class T> void put (const T &value)
  {
    if constexpr (std::is_trivially_copyable_v<T>)
      bytes.append (reinterpret_cast<const char *> (&value), sizeof value);
    else
      std::apply ([this] (const auto &...each) { (this->put (each), ...); }, T::fields (value));
  }
  void put (const std::string &text)
  {
    put<uint64_t> (text.size ());
    bytes += text;
  }
  template <class T> void put (const std::vector<T> &list)
  {
    put<uint64_t> (list.size ());
    for (const auto &value : list)
      put (value);
  }
};

class Unpacker
{
public:
  explicit Unpacker (const std::string &b) : bytes (b) {}

  template <class T> T get ()
  {
    T value;
    take (value);
    return value;
  }
  std::string text () { return get<std::string> (); }
  bool empty () const { return at == bytes.size (); }

private:
  const std::string &bytes;
  size_t at = 0;

  // The place of the next n bytes.
  const char *next (uint64_t n)
  {
    if (bytes.size () - at < n)
      throw std::runtime_error ("an answer of HDF5's process is too short");
    at += n;
    return bytes.data () + at - n;
  }
  template <class T> void take (T &value)
  {
    if constexpr (std::is_trivially_copyable_v<T>)
      std::memcpy (&value, next (sizeof value), sizeof value);
    else
      std::apply ([this] (auto &...each) { (this->take (each), ...); }, T::fields (value));
  }
  void take (std::string &text)
  {
    const auto n = get<uint64_t> ();
    text.assign (next (n), n);
  }
  template <class T> void take (std::vector<T> &list)
  {
    for (auto n = get<uint64_t> (); n > 0; n--)
      list.push_back (get<T> ());
  }
};

struct Description {
  std::string storage;  // path of the file with the dataset; after an external link, another file
  uint32_t sample = 0;  // formats::Sample
  bool swapped = false; // values are in the other byte order than this machine's
  std::vector<uint64_t> extent;
  Layout layout = Layout::contiguous;
  uint64_t fill = 0; // the bytes of a pixel that was never written, in the byte order of this machine
  uint64_t user_block = 0, offset = undefined;
  std::vector<uint64_t> chunk;
  bool bare_edges = false;         // chunks at the edges are not filtered
  uint64_t chunks = 0, stored = 0; // number of written chunks, and their bytes
  std::vector<Filter> filters;
  std::vector<PixelSource> sources;
  uint64_t unit = 0;     // bytes of the largest chunk of all sources
  uint64_t most = 0;     // most sources of one page
  bool in_turn = false;  // source i of n has the images i, i + n ... of a virtual dataset, contiguous, in its values
  PageRuns bare;         // pages that have no source or were not written
  uint64_t resident = 0; // memory that the process holds for the dataset
  bool placed = true;    // HDF5 gives the right positions of chunks
  std::string unknown;   // if the file may grow: why it is not known which pages were written; "": it is known
  std::string pixels;    // pixels of compact storage, as they are in the file

  // The name for messages, with the file if the dataset lies in another one; needs `storage`.
  std::string title (const std::string &path, const std::string &name) const
  {
    return in_quotes (path) + ' ' + shown (name) + (storage == path ? "" : " (in " + in_quotes (storage) + ")");
  }

  static auto fields (auto &d)
  {
    return std::tie (d.storage, d.sample, d.swapped, d.extent, d.layout, d.fill, d.user_block, d.offset, d.chunk,
                     d.bare_edges, d.chunks, d.stored, d.filters, d.sources, d.unit, d.most, d.in_turn, d.bare,
                     d.resident, d.placed, d.unknown, d.pixels);
  }
};

} // namespace sino::hdf5
