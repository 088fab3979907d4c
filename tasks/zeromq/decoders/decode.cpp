// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/zeromq/decoders/decode.hpp"
#include "base/error.hpp"
#include "tasks/zeromq/decoders/cbor.hpp"
#include "tasks/zeromq/decoders/protocols.hpp"

namespace sino::zeromq {

namespace {

// A map of CBOR begins with one of these bytes, JSON with a brace.
bool is_cbor_map (Bytes first)
{
  first = without_own_tag (first);
  return !first.empty () && (static_cast<unsigned> (first[0]) & 0xe0) == 0xa0;
}

Decoded decode_json (Protocol protocol, const Header &header, Parts rest)
{
  switch (protocol) {
  case Protocol::concert:
    return decode_concert (header, rest);
  case Protocol::recastx:
    return decode_recastx (header, rest);
  case Protocol::sls:
    return decode_sls (header, rest);
  case Protocol::odin:
    return decode_odin (header, rest);
  default:
    return decode_array (header, rest);
  }
}

Decoded decode_whole (Protocol protocol, Parts message, const std::string &angle)
{
  if (message.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "an empty message");
  if (protocol == Protocol::eiger)
    return decode_eiger (message);
  const Header header (message[0]);
  Decoded decoded;
  if (header.is_end ()) {
    decoded.what = Decoded::What::end;
    return decoded;
  }
  decoded = decode_json (protocol, header, message.subspan (1));
  if (!angle.empty () && decoded.what == Decoded::What::frame)
    decoded.angle = header.number (angle.c_str ());
  return decoded;
}

const char *name_of_number (Protocol protocol)
{
  switch (protocol) {
  case Protocol::concert:
    return "frame-number";
  case Protocol::sls:
    return "frameIndex";
  case Protocol::odin:
    return "frame_num";
  default:
    return "frame";
  }
}

// Errors of what reads JSON have the code of bad graphs.
template <class Body> auto as_message (Body body)
{
  try {
    return body ();
  } catch (const Error &e) {
    throw Error (SINO_ERROR_BAD_FORMAT, e.what ());
  }
}

} // namespace

std::optional<Protocol> protocol_of (Parts message)
{
  return as_message ([&] () -> std::optional<Protocol> {
    if (message.empty ())
      fail (SINO_ERROR_BAD_FORMAT, "an empty message");
    if (is_cbor_map (message[0]))
      return Protocol::eiger;
    const Header header (message[0]);
    if (header.is_end ())
      return {};
    constexpr std::pair<const char *, Protocol> signs[] = {{"htype", Protocol::array},
                                                           {"frame-number", Protocol::concert},
                                                           {"jsonversion", Protocol::sls},
                                                           {"frame_num", Protocol::odin},
                                                           {"image_attributes", Protocol::recastx}};
    for (const auto &[member, protocol] : signs)
      if (header.has (member) && (protocol != Protocol::array || header.word (member) == name_of (Protocol::array)))
        return protocol;
    fail (SINO_ERROR_BAD_FORMAT, "a header of no protocol that is known");
  });
}

Decoded decode (Protocol protocol, Parts message, const std::string &angle)
{
  return as_message ([&] {
    auto decoded = decode_whole (protocol, message, angle);
    if (decoded.what == Decoded::What::frame)
      check_size (decoded);
    return decoded;
  });
}

std::optional<Decoded> unreadable (Protocol protocol, Parts message)
{
  Decoded frame;
  frame.what = Decoded::What::unreadable;
  if (message.empty ())
    return {};
  try {
    if (protocol == Protocol::eiger) {
      const auto number = number_of_eiger (message);
      frame.number = number.value_or (0);
      return number ? std::optional (frame) : std::nullopt;
    }
    const Header header (message[0]);
    frame.number = header.integer_or_word (name_of_number (protocol));
    frame.kind = kind_of (header);
    const bool kindless = protocol == Protocol::recastx && frame.kind == FrameKind::unknown;
    return kindless ? std::nullopt : std::optional (frame);
  } catch (const Error &) {
    return {};
  }
}

} // namespace sino::zeromq
