// SPDX-License-Identifier: LGPL-3.0-or-later
// Messages with frames as senders make them, for tests of decoders.
#pragma once
#include "tasks/hdf5/bitshuffle.hpp"
#include "tasks/zeromq/decoders/decode.hpp"
#include <cstring>
#include <glib.h>
#include <lz4.h>
#include <vector>

namespace sino::test::messages {

using namespace sino::zeromq;

using Sent = std::vector<std::string>;

inline std::vector<zeromq::Bytes> parts_of (const Sent &message)
{
  std::vector<zeromq::Bytes> parts;
  for (const auto &part : message)
    parts.push_back (std::as_bytes (std::span (part)));
  return parts;
}

inline Decoded read (Protocol protocol, const Sent &message, const std::string &angle = {})
{
  return decode (protocol, parts_of (message), angle);
}

inline std::optional<Protocol> recognised (const Sent &message)
{
  return protocol_of (parts_of (message));
}

inline std::optional<Decoded> number_and_kind (Protocol protocol, const Sent &message)
{
  return unreadable (protocol, parts_of (message));
}

template <class T> std::string packed (const std::vector<T> &values)
{
  return {reinterpret_cast<const char *> (values.data ()), values.size () * sizeof (T)};
}

template <class T> std::vector<T> unpacked (const Decoded &frame)
{
  std::vector<T> values (static_cast<size_t> (frame.rows * frame.columns));
  g_assert_cmpuint (sino::size_of (frame.samples.element ()), ==, sizeof (T));
  unpack (frame, reinterpret_cast<std::byte *> (values.data ()));
  return values;
}

inline const std::vector<uint16_t> six{1, 2, 300, 4, 5, 65535};
inline const std::string pixels = packed (six);

// --- CBOR ---

inline std::string head (unsigned major, uint64_t value)
{
  const auto first = major << 5;
  if (value < 24)
    return {static_cast<char> (first | value)};
  const unsigned size = value < 256 ? 0 : value < 65536 ? 1 : value < 4294967296 ? 2 : 3;
  std::string all{static_cast<char> (first | (24 + size))};
  for (int shift = (8 << size) - 8; shift >= 0; shift -= 8)
    all += static_cast<char> (value >> shift);
  return all;
}

inline std::string number (uint64_t value)
{
  return head (0, value);
}
inline std::string word (const std::string &text)
{
  return head (3, text.size ()) + text;
}
inline std::string bytes (const std::string &content)
{
  return head (2, content.size ()) + content;
}
inline std::string tag (uint64_t name, const std::string &item)
{
  return head (6, name) + item;
}
inline std::string array (const std::vector<std::string> &items)
{
  auto all = head (4, items.size ());
  for (const auto &item : items)
    all += item;
  return all;
}
inline std::string map (const std::vector<std::pair<std::string, std::string>> &members)
{
  auto all = head (5, members.size ());
  for (const auto &[key, value] : members)
    all += word (key) + value;
  return all;
}
inline std::string real (double value)
{
  uint64_t bits = 0;
  std::memcpy (&bits, &value, sizeof bits);
  std::string all{'\xfb'};
  for (int shift = 56; shift >= 0; shift -= 8)
    all += static_cast<char> (bits >> shift);
  return all;
}

// Messages of Dectris begin with the tag of CBOR.
inline const std::string own_tag = "\xd9\xd9\xf7";

inline std::string image (const std::string &content, uint64_t rows = 2, uint64_t columns = 3, uint64_t type = 69)
{
  return map ({{"type", word ("image")},
               {"series_id", number (1)},
               {"image_id", number (7)},
               {"start_time", array ({number (1), number (50000000)})},
               {"data", map ({{"threshold_1",
                               tag (40, array ({array ({number (rows), number (columns)}), tag (type, content)}))}})}});
}

inline std::string bitshuffled ()
{
  std::string out (hdf5::bitshuffle_most (pixels.size (), 2), '\0');
  std::vector<std::byte> scratch (hdf5::bitshuffle_scratch (2));
  out.resize (hdf5::bitshuffle_pack (reinterpret_cast<const std::byte *> (pixels.data ()), pixels.size (), 2,
                                     reinterpret_cast<std::byte *> (out.data ()), scratch.data ()));
  return out;
}

inline std::string big_endian (uint64_t value, int size)
{
  std::string all;
  for (int shift = 8 * size - 8; shift >= 0; shift -= 8)
    all += static_cast<char> (value >> shift);
  return all;
}

// As HDF5's filter frames it, in one block.
inline std::string lz4 (const std::string &content)
{
  std::string block (static_cast<size_t> (LZ4_compressBound (static_cast<int> (content.size ()))), '\0');
  block.resize (static_cast<size_t> (LZ4_compress_default (
      content.data (), block.data (), static_cast<int> (content.size ()), static_cast<int> (block.size ()))));
  return big_endian (content.size (), 8) + big_endian (content.size (), 4) + big_endian (block.size (), 4) + block;
}

struct Good {
  Protocol protocol;
  Sent message;
};

inline std::vector<Good> good_messages ()
{
  return {
      {Protocol::array,
       {R"({"htype": "array-1.0", "shape": [2, 3], "type": "uint16", "frame": 7, "encoding": "raw", "source": "eiger",
            "tags": {"run": {"id": [1, 2]}}, "endianness": "little", "image_attributes": {"scan_index": 2}})",
        pixels}},
      {Protocol::array,
       {R"({"htype": "array-1.0", "type": "uint16", "shape": [2, 3], "frame": 7, "encoding": "bs16-lz4<"})",
        bitshuffled ()}},
      {Protocol::concert,
       {R"({"frame-number": "7", "timestamp": "1716899999.25", "dtype": "uint16", "shape": [2, 3], "mirror": false,
            "rotate": 0})",
        pixels}},
      {Protocol::recastx, {R"({"frame": 7, "shape": [2, 3], "image_attributes": {"scan_index": 2}})", pixels}},
      {Protocol::sls,
       {R"({"jsonversion": 4, "bitmode": 16, "fileIndex": 0, "detshape": [1, 1], "shape": [3, 2], "size": 12,
            "acqIndex": 8, "frameIndex": 7, "progress": 12.5, "fname": "/data/run", "data": 1, "completeImage": 1,
            "frameNumber": 8, "expLength": 0, "timestamp": 123456789, "addJsonHeader": {"a": "b"}})",
        pixels, ""}},
      {Protocol::odin,
       {R"({"frame_num": 7, "acquisition_id": "", "dtype": "uint16", "dsize": 12, "dataset": "data",
            "compression": "none", "shape": ["3", "2"]})",
        pixels}},
      {Protocol::odin, {R"({"frame_num": 7, "dtype": "uint16", "compression": "LZ4", "shape": [3, 2]})", lz4 (pixels)}},
      {Protocol::eiger, {image (bytes (pixels))}},
      {Protocol::eiger, {own_tag + image (bytes (pixels))}},
      {Protocol::eiger, {image (tag (56500, array ({word ("bslz4"), number (2), bytes (bitshuffled ())})))}},
      {Protocol::eiger, {image (tag (56500, array ({word ("lz4"), number (0), bytes (lz4 (pixels))})))}},
  };
}

} // namespace sino::test::messages
