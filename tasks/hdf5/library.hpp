// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5's C library: handles that close themselves, one lock around all calls, its error messages in ours. Tasks write
// with it; reading is done by a separate process (hdf5-file.hpp).
#pragma once
#include "formats/sample.hpp"
#include "tasks/hdf5/protocol.hpp"
#include <hdf5.h>
#include <mutex>
#include <string>
#include <utility>

namespace sino::hdf5 {

// HDF5 may be built without thread safety: hold this lock around every call. It also suppresses HDF5's own error
// output, which thread-safe builds have to suppress in each thread.
std::unique_lock<std::recursive_mutex> lock ();

class Handle
{
public:
  using Close = herr_t (*) (hid_t);

  Handle () = default;
  // Takes the result of a call; throws `what` with HDF5's message if it failed.
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

// Throws `what` with HDF5's message if a call failed.
void check (herr_t result, const std::string &what);

// Access properties for opening files; `metadata`: bytes of the metadata cache of a file.
constexpr size_t usual_metadata = size_t{2} << 20;
Handle access_list (size_t metadata = usual_metadata);

// The type of values in memory.
Handle memory_type (formats::Sample sample);

// The filters in the creation properties of a dataset; `available` is not set.
std::vector<Filter> filters_of (hid_t creation);

} // namespace sino::hdf5
