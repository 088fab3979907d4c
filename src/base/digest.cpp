// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/digest.hpp"
#include "base/pointers.hpp"

namespace sino {

std::string sha256_of (std::string_view text)
{
  return CharPtr (g_compute_checksum_for_data (G_CHECKSUM_SHA256, reinterpret_cast<const guchar *> (text.data ()),
                                               text.size ()))
      .get ();
}

std::string digest_of (std::string_view text)
{
  return sha256_of (text).substr (0, 16);
}

} // namespace sino
