// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/composite.hpp"
#include "base/error.hpp"

namespace sino {

[[noreturn]] static void refuse ()
{
  fail (SINO_ERROR_FAILED, "stands for several nodes and cannot run alone: put it in a graph");
}

Format Composite::negotiate (std::span<const Format *const>)
{
  refuse ();
}

std::unique_ptr<Worker> Composite::start (const Replica &)
{
  refuse ();
}

} // namespace sino
