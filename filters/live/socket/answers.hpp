// SPDX-License-Identifier: LGPL-3.0-or-later
// Lines that clients get, each a JSON object.
#pragma once
#include "base/error.hpp"
#include "filters/live/board.hpp"
#include "filters/live/socket/sent-pictures.hpp"

namespace sino::live {

// Does what is asked for, and says what came of it. Throws Error.
std::string answer_to (const Add &add, Board &board);
std::string answer_to (const Move &move, Board &board);
std::string answer_to (const Remove &remove, Board &board);
std::string answer_to (const List &list, Board &board);
std::string answer_to (const SetAxis &axis, Board &board);
std::string answer_to (const SetContrast &contrast, Board &board);
// Before the bytes of a picture.
std::string picture_line (const SentPicture &picture);
// No newer picture came.
std::string nothing_line (int number);
std::string error_line (const Error &error);
// The run has ended; `why` it failed, or "".
std::string ended_line (const std::string &why);

} // namespace sino::live
