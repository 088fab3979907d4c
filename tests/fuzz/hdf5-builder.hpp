// SPDX-License-Identifier: LGPL-3.0-or-later
// Files of HDF5 made of an input: what the library can write of odd shapes, layouts, links and attributes, under the
// names that scans have.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sino::fuzz {

// Decisions, one after the other; zeros where the input has ended.
class Choices
{
public:
  explicit Choices (std::span<const uint8_t> b) : bytes (b) {}

  uint8_t byte ();
  // A number below `n`.
  size_t below (size_t n) { return byte () % n; }
  bool chance () { return byte () & 1; }
  bool empty () const { return bytes.empty (); }
  template <class T, size_t n> const T &one_of (const T (&list)[n]) { return list[below (n)]; }

private:
  std::span<const uint8_t> bytes;
};

struct BuiltFile {
  bool complete; // else the library did not survive to write it
  bool lies;     // bytes of it were changed afterwards
};

BuiltFile build_hdf5 (Choices &choices, const std::string &path);

} // namespace sino::fuzz
