// SPDX-License-Identifier: LGPL-3.0-or-later
// The header of a message: a small object of JSON.
#pragma once
#include "base/json/cursor.hpp"
#include "tasks/zeromq/decoders/decoded.hpp"
#include <array>

namespace sino::zeromq {

class Header
{
public:
  // Throws if it is not JSON, larger or deeper than headers are, or not an object.
  explicit Header (Bytes json);

  bool has (const char *name) const { return find (name) != nullptr; }
  // Functions that read a member throw if there is none, or if it is not what is wanted.
  int64_t integer (const char *name, int64_t most = most_number) const;
  // An integer that may be written as a string.
  int64_t integer_or_word (const char *name) const;
  double number (const char *name) const;
  std::string word (const char *name) const;
  // A member that need not be there; "" and false are its defaults.
  std::string word_if_any (const char *name) const;
  bool is_true (const char *name) const;
  // Two numbers, which may be written as strings.
  std::array<int64_t, 2> shape () const;
  // The member of an object in the header; nothing if there is none.
  std::optional<int64_t> inner (const char *object, const char *name, int64_t most) const;

  // {"end": true}, which ends the scan in every protocol with JSON.
  bool is_end () const { return is_true ("end"); }

private:
  JsonDocument document;
  std::vector<std::pair<std::string, JsonCursor>> members;

  const JsonCursor *find (const char *name) const;
  const JsonCursor &get (const char *name) const;
};

// The type that NumPy names, as "uint16" or ">u2".
formats::Samples samples_of (const std::string &numpy);

// A frame whose pixels are the next part, not packed.
Decoded plain_frame (int64_t number, std::array<int64_t, 2> shape, const formats::Samples &samples, Parts rest);

// Values of "endianness" are little and big.
bool swaps (const Header &header, bool otherwise);

// The kind of a frame by image_attributes.scan_index, as RECASTX has it.
FrameKind kind_of (const Header &header);

} // namespace sino::zeromq
