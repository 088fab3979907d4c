// SPDX-License-Identifier: LGPL-3.0-or-later
// An Error that knows which node and property it is about, beside the words of its message.
#pragma once
#include "base/error.hpp"
#include "base/visibility.hpp"

namespace sino {

struct SINO_VISIBLE NamedError : Error {
  std::string node, property; // names; "" where there is none

  NamedError (SinoError c, const std::string &message, std::string n, std::string p = {})
      : Error (c, message), node (std::move (n)), property (std::move (p))
  {
  }
};

// Throws an error again with another message. It keeps the names of the first error; `node`, if given, is the name of
// the node where that has none.
[[noreturn]] inline void throw_again (const Error &error, const std::string &message, const std::string &node = {})
{
  if (const auto *named = dynamic_cast<const NamedError *> (&error))
    throw NamedError (error.code, message, named->node.empty () ? node : named->node, named->property);
  if (!node.empty ())
    throw NamedError (error.code, message, node);
  throw Error (error.code, message);
}

} // namespace sino
