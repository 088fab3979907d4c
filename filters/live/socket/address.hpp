// SPDX-License-Identifier: LGPL-3.0-or-later
// Addresses in words, "tcp://localhost:5601" or "unix:/tmp/live".
#pragma once
#include "base/files/listener.hpp"

namespace sino::live {

// Throws Error.
SocketPlace parse_address (const std::string &word);

} // namespace sino::live
