// SPDX-License-Identifier: LGPL-3.0-or-later
// Addresses in words, "tcp://localhost:5601" or "unix:/tmp/live", and sockets that listen there.
#pragma once
#include "base/pointers.hpp"
#include <gio/gio.h>
#include <string>

namespace sino::live {

struct Address {
  std::string host; // "": all of this machine
  int port = 0;
  std::string path; // of a Unix socket; "": TCP
};

// Throws Error.
Address parse_address (const std::string &word);

// A socket that listens, and ends with this object.
class Listener : NoCopy
{
public:
  explicit Listener (const std::string &word);
  ~Listener ();
  GSocket *socket () const { return listening.get (); }

private:
  std::string path; // of a file to remove
  ObjectPtr<GSocket> listening;
};

} // namespace sino::live
