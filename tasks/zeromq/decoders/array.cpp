// SPDX-License-Identifier: LGPL-3.0-or-later
// "array-1.0" of the Paul Scherrer Institute (mflow, std-daq, std_detector_buffer):
// {"htype": "array-1.0", "shape": [rows, columns], "type": "uint16", "frame": 7}, then the pixels.
#include "base/shown.hpp"
#include "tasks/zeromq/decoders/protocols.hpp"

namespace sino::zeromq {

static Packing packing_of (const std::string &encoding)
{
  if (encoding.empty () || encoding == "raw" || encoding == "none" || encoding == "<" || encoding == ">")
    return Packing::none;
  if (encoding == "lz4" || encoding == "lz4<")
    return Packing::lz4;
  if (encoding == "bslz4" || (encoding.starts_with ("bs") && encoding.ends_with ("-lz4<")))
    return Packing::bitshuffle_lz4;
  fail (SINO_ERROR_BAD_FORMAT, "encoding %s: encodings are raw, lz4 and bslz4", in_quotes (encoding).c_str ());
}

Decoded decode_array (const Header &header, Parts rest)
{
  const auto number = header.integer ("frame");
  auto samples = samples_of (header.word ("type"));
  samples.swapped = swaps (header, samples.swapped);
  auto frame = plain_frame (number, header.shape (), samples, rest);
  frame.packing = packing_of (header.word_if_any ("encoding"));
  frame.kind = kind_of (header);
  return frame;
}

} // namespace sino::zeromq
