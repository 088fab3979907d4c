// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/digest.hpp"
#include "base/pointers.hpp"

namespace sino {

std::string digest_of (std::string_view text)
{
  const CharPtr sum (
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, reinterpret_cast<const guchar *> (text.data ()), text.size ()));
  return std::string (sum.get ()).substr (0, 16);
}

} // namespace sino
