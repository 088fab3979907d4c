// SPDX-License-Identifier: LGPL-3.0-or-later
// The files of the page, which are compiled in.
#pragma once
#include "monitor/http/request.hpp"
#include <optional>

namespace sino::monitor {

// The page itself, which names the other files in `place`, the folder of all addresses. It has the state as JSON, which
// then needs no request of its own.
Answer first_page (const std::string &place, const std::string &state);

// The file of a request, "/page/VERSION/NAME"; none: it is for something else.
std::optional<Answer> static_file (const Request &request);

} // namespace sino::monitor
