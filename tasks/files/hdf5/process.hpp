// SPDX-License-Identifier: LGPL-3.0-or-later
// The process apart in which HDF5's library reads a file (the program sinograph-hdf5): the library does not survive all
// files, its memory has no bound, and a call of it cannot be cancelled. A process can be ended.
#pragma once
#include "tasks/hdf5/protocol.hpp"
#include <functional>
#include <mutex>
#include <sys/types.h>

namespace sino::files {

class Hdf5Process
{
public:
  Hdf5Process ();
  ~Hdf5Process ();
  Hdf5Process (const Hdf5Process &) = delete;
  Hdf5Process &operator= (const Hdf5Process &) = delete;

  // The answer to a request; `title` of what is read, for the message should the process not survive it. Throws what
  // the process says when it fails, and Cancelled. Any thread; requests wait for each other.
  std::string ask (hdf5::Word word, const hdf5::Parcel &request, const std::string &title);
  // An answer of so many bytes, to a place.
  void ask (hdf5::Word word, const hdf5::Parcel &request, const std::string &title, std::byte *to, size_t bytes);
  // Several answers, until an empty one.
  void ask (hdf5::Word word, const hdf5::Parcel &request, const std::string &title,
            const std::function<void (const std::string &)> &answer);

private:
  std::mutex mutex; // a request and its answer belong together
  int socket = -1;
  pid_t child = -1;
  bool usable = true;

  class Exchange;
  void send (const void *from, size_t n, const std::string &title);
  void receive (void *to, size_t n, const std::string &title);
  [[noreturn]] void fail_dead (const std::string &title);
};

} // namespace sino::files
