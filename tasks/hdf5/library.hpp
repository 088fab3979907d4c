// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5's C library: handles that close themselves, one lock around all its calls, its messages in ours. Tasks write
// with it; what is read goes through a process apart (hdf5-file.hpp).
#pragma once
#include "formats/sample.hpp"
#include <hdf5.h>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace sino::hdf5 {

// The library may not be built for threads: hold this around every call. It silences HDF5's own printing as well, which
// a library that is built for threads does for each thread.
std::unique_lock<std::recursive_mutex> lock ();

class Handle
{
public:
  using Close = herr_t (*) (hid_t);

  Handle () = default;
  // Takes what a call gave; throws `what`, and HDF5's own message, when it failed.
  Handle (hid_t given, Close c, const std::string &what);
  Handle (Handle &&other) noexcept : id (std::exchange (other.id, -1)), close (other.close) {}
  Handle &operator= (Handle &&other) noexcept
  {
    std::swap (id, other.id);
    std::swap (close, other.close);
    return *this;
  }
  ~Handle ();

  operator hid_t () const { return id; }

private:
  hid_t id = -1;
  Close close = nullptr;
};

// Throws `what` and HDF5's own message when a call failed.
void check (herr_t result, const std::string &what);

// Files are opened with it: the library keeps so many bytes of what it knows of one.
Handle access_list (size_t metadata = size_t{2} << 20);

// The type of values in memory.
Handle memory_type (formats::Sample sample);

} // namespace sino::hdf5
