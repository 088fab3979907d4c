// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads messages with frames: a pure function from the parts of a message to what it says. Messages come from anywhere,
// so whatever does not fit is an error.
#pragma once
#include "tasks/zeromq/decoders/decoded.hpp"

namespace sino::zeromq {

// The protocol of a message. Throws if it is none that is known, and gives nothing for a message that several protocols
// have in common, the end.
std::optional<Protocol> protocol_of (Parts message);

// What a message says. `angle`: name of the header's number with the angle of the frame in degrees; "": none. Throws
// SINO_ERROR_BAD_FORMAT, and what is thrown says what is wrong with the message.
Decoded decode (Protocol protocol, Parts message, const std::string &angle = {});

// The number and kind of a frame for which decode () throws; nothing if they cannot be read.
std::optional<Decoded> unreadable (Protocol protocol, Parts message);

// Unpacks and converts the pixels of a frame to the element type of the stream, samples.element (). Throws if they are
// damaged.
void unpack (const Decoded &frame, std::byte *to);

} // namespace sino::zeromq
