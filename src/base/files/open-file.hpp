// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <unistd.h>
#include <utility>

namespace sino {

// Owns a descriptor of the operating system; -1: none, and errno tells why if it comes from open ().
class OpenFile
{
public:
  explicit OpenFile (int n = -1) : number (n) {}
  OpenFile (OpenFile &&other) noexcept : number (other.release ()) {}
  OpenFile &operator= (OpenFile &&other) noexcept
  {
    std::swap (number, other.number);
    return *this;
  }
  ~OpenFile ()
  {
    if (number >= 0)
      close (number);
  }

  operator int () const { return number; }
  int release () { return std::exchange (number, -1); }

private:
  int number;
};

} // namespace sino
