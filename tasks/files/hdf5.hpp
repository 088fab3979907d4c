// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5's C library: handles that close themselves, one lock around all its calls, its messages in ours.
#pragma once
#include "stream/element.hpp"
#include <functional>
#include <hdf5.h>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sino::files::hdf5 {

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

// An existing file, opened to read. Throws when it is missing, no HDF5 file, or truncated.
Handle open_file (const std::string &path);

// The path of the file that an object lies in, which is another one behind an external link.
std::string file_path (hid_t object);

// Bytes that the library holds at most for an open file.
constexpr size_t open_file_bytes = size_t{3} << 20;
Handle access_list ();

// The type of an element in memory.
Handle memory_type (Element element);

// How many values a dataset has, 0 when it is missing; all of them as doubles.
int64_t count_numbers (hid_t file, const std::string &dataset);
std::vector<double> read_numbers (hid_t file, const std::string &dataset);

// An attribute of an object, which `title` names. Nothing, or "", when it is missing; throws when it is a list.
std::optional<double> read_number_attribute (hid_t object, const char *name, const std::string &title);
std::string read_text_attribute (hid_t object, const char *name, const std::string &title);

// Whether the path leads to an object, each group on the way included. Throws when a link leads nowhere.
bool exists (hid_t file, const std::string &path);

} // namespace sino::files::hdf5
