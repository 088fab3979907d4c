// SPDX-License-Identifier: LGPL-3.0-or-later
// H5Dget_chunk_info () walks to the n-th chunk anew each time, which takes hours for a million of them. One walk over
// all is what H5Ddebug () does: it prints a line for each chunk, whatever index the dataset has,
//
//     0x00000000       60       4016 [1, 0, 0]
//
// the filters that were left out, bytes, address and corner. This process can have that line as a call.
#include "hdf5/dataset.hpp"
#include <charconv>
#include <cstdio>

namespace sino::files::apart {

namespace {

class Lines
{
public:
  explicit Lines (const std::function<void (const Place &)> &f) : found (f)
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
  Lines (const Lines &) = delete;
  Lines &operator= (const Lines &) = delete;

private:
  const std::function<void (const Place &)> &found;
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

  // Other lines tell of the index itself.
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
    Place place;
    if (!number (place.skipped, 16, "0x") || !number (place.bytes, 10, "") || !number (place.address, 10, ""))
      return;
    size_t axes = 0;
    while (axes < 3 && number (place.corner[axes], 10, ""))
      axes++;
    if (axes == 2)
      place = {{0, place.corner[0], place.corner[1]}, place.address, place.bytes, place.skipped};
    found (place);
  }
};

} // namespace

void find_places (hid_t dataset, const std::function<void (const Place &)> &found)
{
  {
    const Lines lines (found);
    H5Ddebug (dataset);
    std::fflush (stdout);
  }
  H5Eclear2 (H5E_DEFAULT);
}

} // namespace sino::files::apart
