// SPDX-License-Identifier: LGPL-3.0-or-later
// A separate process (the program sinograph-hdf5) that reads a file with HDF5's library. The library crashes on some
// files, uses unlimited memory, and its calls cannot be cancelled; a process can be ended.
#pragma once
#include "base/files/open-file.hpp"
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

  // Returns the answer to a request. `title`: object that is read, for the message if the process crashes. Throws
  // errors of the process, and Cancelled. Any thread; requests are handled one after the other.
  std::string ask (hdf5::Word word, const hdf5::Parcel &request, const std::string &title);
  // Like the function above, for an answer of `bytes` bytes, which is written to `to`.
  void ask (hdf5::Word word, const hdf5::Parcel &request, const std::string &title, std::byte *to, size_t bytes);
  // Like the function above, for several answers: calls `answer` for each, until one is empty.
  void ask (hdf5::Word word, const hdf5::Parcel &request, const std::string &title,
            const std::function<void (const std::string &)> &answer);

private:
  std::mutex mutex; // a request and its answer belong together
  OpenFile socket;
  pid_t child = -1;
  bool usable = true;

  class Exchange;
  void send (const void *from, size_t n, const std::string &title);
  void receive (void *to, size_t n, const std::string &title);
  [[noreturn]] void fail_dead (const std::string &title);
};

} // namespace sino::files
