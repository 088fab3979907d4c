// SPDX-License-Identifier: LGPL-3.0-or-later
// Where the page is: a port of this machine, or a Unix socket of this user.
#pragma once
#include "base/files/listener.hpp"

namespace sino::monitor {

// "": any free port; "8080", "localhost:8080" or "unix:PATH". Throws Error for others, and for addresses that other
// machines reach.
SocketPlace parse_address (const std::string &word);

// How to open the page from another computer.
std::string ssh_line (const SocketPlace &place, int port);

} // namespace sino::monitor
