// SPDX-License-Identifier: LGPL-3.0-or-later
// The stream of Concert and uca-net (KIT): {"frame-number": "7", "timestamp": "...", "dtype": "uint16",
// "shape": [rows, columns], "mirror": false, "rotate": 0}, then the pixels. Numbers may be strings.
#include "tasks/zeromq/decoders/protocols.hpp"

namespace sino::zeromq {

Decoded decode_concert (const Header &header, Parts rest)
{
  if (header.is_true ("mirror") || (header.has ("rotate") && header.integer_or_word ("rotate") != 0))
    fail (SINO_ERROR_BAD_FORMAT, "frames that are to be mirrored or rotated: use 'flip' and 'rotate', and send them as "
                                 "they are");
  const auto number = header.integer_or_word ("frame-number");
  const auto samples = samples_of (header.word ("dtype"));
  return plain_frame (number, header.shape (), samples, rest);
}

} // namespace sino::zeromq
