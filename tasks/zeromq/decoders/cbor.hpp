// SPDX-License-Identifier: LGPL-3.0-or-later
// Goes through the items of CBOR (RFC 8949) in place, without copies and without a tree, so that no message can make it
// allocate.
#pragma once
#include "tasks/zeromq/decoders/decoded.hpp"
#include <functional>
#include <string_view>

namespace sino::zeromq {

struct CborItem {
  enum class Type : uint8_t { integer, negative, real, word, bytes, array, map, tag, other, stop };
  static constexpr uint64_t open = UINT64_MAX; // number of elements of an array or map that ends with `stop`

  Type type = Type::other;
  uint64_t value = 0; // integer or tag, or number of elements
  double real = 0;
  Bytes bytes; // of a word or of bytes
};

// A message without the tag by which it may say that it is CBOR, bytes d9 d9 f7 (RFC 8949, section 3.4.6).
Bytes without_own_tag (Bytes message);

class CborReader
{
public:
  explicit CborReader (Bytes all) : rest (all) {}

  // The next item; an error if the message ends before.
  CborItem next ();
  // Functions that throw if the next item is another one.
  uint64_t integer (const char *what, uint64_t most);
  double number (const char *what);
  std::string_view word (const char *what);
  // Calls `each` for every key of a map, which must read the value; or for every element of an array.
  void map (const char *what, const std::function<void (std::string_view key)> &each);
  void array (const char *what, const std::function<void (size_t place)> &each);
  // Passes over an item with all that it contains.
  void skip ();

  bool at_end () const { return rest.empty (); }

private:
  Bytes rest;
  int depth = 0;

  bool at_stop () const;
  template <class Each> void elements (uint64_t number, Each each);
};

} // namespace sino::zeromq
