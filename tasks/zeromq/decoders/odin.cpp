// SPDX-License-Identifier: LGPL-3.0-or-later
// The live view of odin-data: {"frame_num": 7, "dtype": "uint16", "compression": "none", "shape": [columns, rows]},
// then the pixels. The shape may consist of strings. Compressed pixels have the frames of HDF5's filters.
#include "base/shown.hpp"
#include "tasks/zeromq/decoders/protocols.hpp"

namespace sino::zeromq {

static Packing packing_of_odin (const std::string &compression)
{
  if (compression.empty () || compression == "none" || compression == "unset")
    return Packing::none;
  if (compression == "LZ4")
    return Packing::lz4;
  if (compression == "BSLZ4")
    return Packing::bitshuffle_lz4;
  fail (SINO_ERROR_BAD_FORMAT, "compression %s: compressions are none, LZ4 and BSLZ4",
        in_quotes (compression).c_str ());
}

Decoded decode_odin (const Header &header, Parts rest)
{
  const auto number = header.integer ("frame_num");
  const auto [columns, rows] = header.shape ();
  const auto type = header.word ("dtype");
  auto frame = plain_frame (number, {rows, columns}, samples_of (type == "float" ? "float32" : type), rest);
  frame.packing = packing_of_odin (header.word_if_any ("compression"));
  return frame;
}

} // namespace sino::zeromq
