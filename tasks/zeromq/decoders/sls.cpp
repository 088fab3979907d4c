// SPDX-License-Identifier: LGPL-3.0-or-later
// Receivers of slsDetectorPackage, JSON of versions 3 to 5: {"jsonversion": 4, "bitmode": 16, "shape": [columns, rows],
// "frameIndex": 7, "data": 1, "completeImage": 1, ...}, then the pixels. A header without data ends an acquisition.
#include "tasks/zeromq/decoders/protocols.hpp"

namespace sino::zeromq {

Decoded decode_sls (const Header &header, Parts rest)
{
  if (const auto version = header.integer ("jsonversion", 1000); version < 3 || version > 5)
    fail (SINO_ERROR_BAD_FORMAT, "jsonversion %lld: 3 to 5 can be read", static_cast<long long> (version));
  if (header.integer ("data", 1) == 0) {
    Decoded end;
    end.what = Decoded::What::end;
    return end;
  }
  const auto bits = header.integer ("bitmode", 64);
  if (bits != 8 && bits != 16 && bits != 32)
    fail (SINO_ERROR_BAD_FORMAT, "bitmode %lld: 8, 16 and 32 bits can be read", static_cast<long long> (bits));
  const auto number = header.integer ("frameIndex");
  const auto [columns, rows] = header.shape ();
  auto frame = plain_frame (number, {rows, columns}, samples_of (bits == 8 ? "<u1" : bits == 16 ? "<u2" : "<u4"), rest);
  if (header.integer ("completeImage", 1) == 0)
    frame.what = Decoded::What::broken;
  return frame;
}

} // namespace sino::zeromq
