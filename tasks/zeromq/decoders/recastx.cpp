// SPDX-License-Identifier: LGPL-3.0-or-later
// RECASTX: {"frame": 7, "shape": [rows, columns], "image_attributes": {"scan_index": 2}}, then pixels of u16. The index
// is 0 for darks, 1 for flats and 2 for projections.
#include "tasks/zeromq/decoders/protocols.hpp"

namespace sino::zeromq {

Decoded decode_recastx (const Header &header, Parts rest)
{
  const auto number = header.integer ("frame");
  auto frame = plain_frame (number, header.shape (), samples_of ("<u2"), rest);
  frame.kind = kind_of (header);
  if (frame.kind == FrameKind::unknown)
    fail (SINO_ERROR_BAD_FORMAT, "the header has no 'scan_index' in 'image_attributes'");
  return frame;
}

} // namespace sino::zeromq
