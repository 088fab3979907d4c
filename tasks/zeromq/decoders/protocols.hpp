// SPDX-License-Identifier: LGPL-3.0-or-later
// A decoder for each protocol.
#pragma once
#include "tasks/zeromq/decoders/decoded.hpp"
#include "tasks/zeromq/decoders/header.hpp"

namespace sino::zeromq {

// What the header of a protocol says; `rest`: the parts behind it.
Decoded decode_array (const Header &header, Parts rest);
Decoded decode_concert (const Header &header, Parts rest);
Decoded decode_odin (const Header &header, Parts rest);
Decoded decode_recastx (const Header &header, Parts rest);
Decoded decode_sls (const Header &header, Parts rest);
Decoded decode_eiger (Parts message);
// The number of an image that is damaged behind it.
std::optional<int64_t> number_of_eiger (Parts message);

} // namespace sino::zeromq
