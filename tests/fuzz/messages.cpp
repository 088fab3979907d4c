// SPDX-License-Identifier: LGPL-3.0-or-later
// Messages with frames. The first byte says which protocol they are read with, and a zero byte ends the header.
#include "tasks/zeromq/decoders/decode.hpp"
#include "tests/fuzz/support.hpp"
#include "tests/fuzz/target.hpp"
#include <algorithm>
#include <vector>

using namespace sino;
using namespace sino::zeromq;

static void read (Protocol protocol, Parts message)
{
  constexpr size_t small = 1 << 20; // bytes of frames that are worth to be unpacked
  const auto said = decode (protocol, message, "angle");
  if (said.what != Decoded::What::frame || said.unpacked () > small)
    return;
  std::vector<std::byte> to (static_cast<size_t> (said.rows * said.columns) * size_of (said.samples.element ()));
  unpack (said, to.data ());
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size == 0)
    return 0;
  const auto protocol = static_cast<Protocol> (data[0] % 7);
  const auto content = std::as_bytes (std::span (data, size)).subspan (1);
  const auto end = std::ranges::find (content, std::byte{0});
  const auto header = content.first (static_cast<size_t> (end - content.begin ()));
  std::vector<zeromq::Bytes> parts{protocol == Protocol::eiger ? content : header};
  if (end != content.end ())
    parts.push_back (content.subspan (header.size () + 1));
  fuzz::message_of ([&] { protocol_of (parts); });
  fuzz::message_of ([&] { read (protocol, parts); });
  unreadable (protocol, parts); // throws never
  return 0;
}
