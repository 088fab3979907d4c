// SPDX-License-Identifier: LGPL-3.0-or-later
// Sockets that listen for clients, over TCP or at a path.
#pragma once
#include "base/pointers.hpp"
#include <gio/gio.h>
#include <string>

namespace sino {

struct SocketPlace {
  std::string host; // "": all addresses of this machine
  int port = 0;     // 0: any free one
  std::string path; // of a Unix socket; "": TCP
};

// Throws if a socket cannot have this path. `word`: the whole address, for messages: "address=unix:/tmp/live".
SINO_VISIBLE void check_socket_path (const std::string &word, const std::string &path);

// A socket that listens, and ends with this object.
class SINO_VISIBLE Listener : NoCopy
{
public:
  // Who may connect to a Unix socket: all whom the permissions of its file allow, or only its owner.
  enum class For { all, owner };

  // `word`: the address, for messages. Throws Error.
  Listener (const SocketPlace &place, const std::string &word, For whom = For::all);
  ~Listener ();

  GSocket *socket () const { return listening.get (); }
  int port () const; // 0 for a Unix socket

private:
  std::string path; // of a file to remove
  const int owner;  // process
  ObjectPtr<GSocket> listening;
};

} // namespace sino
