// SPDX-License-Identifier: LGPL-3.0-or-later
// H5Dget_chunk_info () walks through the chunks from the first one at each call, which takes hours for a million
// chunks. H5Ddebug () needs only one walk. It prints a line for each chunk, for every kind of chunk index:
//
//     0x00000000       60       4016 [1, 0, 0]
//
// These are the filters that were not applied, the number of bytes, the address, and the corner. The output is
// redirected to a function that parses these lines.
#include "tasks/hdf5/places.hpp"
#include "tasks/hdf5/library.hpp"
#include <charconv>
#include <cstdio>
#include <utility>

namespace sino::hdf5 {

namespace {

class Lines : NoCopy
{
public:
  Lines (size_t a, const std::function<void (const ChunkPlace &)> &f) : axes (a), found (f)
  {
    cookie_io_functions_t calls{};
    calls.write = write;
    const auto opened = fopencookie (this, "w", calls);
    if (!opened)
      throw std::bad_alloc ();
    std::fflush (stdout);
    before = std::exchange (stdout, opened);
  }
  ~Lines () { std::fclose (std::exchange (stdout, before)); }

private:
  const size_t axes;
  const std::function<void (const ChunkPlace &)> &found;
  std::FILE *before;
  std::string line;

  static ssize_t write (void *self, const char *text, size_t n)
  {
    auto &lines = *static_cast<Lines *> (self);
    for (size_t i = 0; i < n; i++)
      if (text[i] == '\n') {
        lines.take ();
        lines.line.clear ();
      } else
        lines.line += text[i];
    return static_cast<ssize_t> (n);
  }

  // Parses a line; other lines describe the index itself.
  void take () const
  {
    const char *at = line.data (), *const end = at + line.size ();
    const auto number = [&] (auto &value, int base, const char *before_it) {
      while (at < end && (*at == ' ' || *at == '[' || *at == ','))
        at++;
      for (; *before_it; before_it++)
        if (at == end || *at++ != *before_it)
          return false;
      const auto [stop, error] = std::from_chars (at, end, value, base);
      at = stop;
      return error == std::errc ();
    };
    ChunkPlace place;
    if (!number (place.skipped, 16, "0x") || !number (place.bytes, 10, "") || !number (place.address, 10, ""))
      return;
    for (auto i = 3 - axes; i < 3; i++) // a zero follows, for the axis of a pixel's bytes
      if (!number (place.corner[i], 10, ""))
        return;
    found (place);
  }
};

} // namespace

void find_places (hid_t dataset, const std::function<void (const ChunkPlace &)> &found)
{
  {
    const Handle space (H5Dget_space (dataset), H5Sclose, "HDF5");
    const auto axes = H5Sget_simple_extent_ndims (space);
    if (axes != 2 && axes != 3)
      return;
    const Lines lines (static_cast<size_t> (axes), found);
    H5Ddebug (dataset);
    std::fflush (stdout);
  }
  H5Eclear2 (H5E_DEFAULT);
}

} // namespace sino::hdf5
