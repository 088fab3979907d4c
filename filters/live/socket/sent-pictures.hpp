// SPDX-License-Identifier: LGPL-3.0-or-later
// Pictures on their way to clients. Clients that want the same share it, and there are few at a time, so that slow
// clients take no more memory than was planned.
#pragma once
#include "device/bill.hpp"
#include "filters/live/board.hpp"
#include "filters/live/socket/requests.hpp"

namespace sino::live {

struct SentPicture {
  int number; // of the plane
  LivePicture picture;
  bool grey;
  Contrast contrast;
  GreyRange range;            // values that are black and white
  std::vector<uint8_t> greys; // empty: the values of the picture are sent

  std::span<const std::byte> bytes () const;
};

class SentPictures
{
public:
  // `values`: of the largest picture.
  static void memory (size_t values, Bill &bill);

  explicit SentPictures (Board &b) : board (b) {}

  // The picture that a client wants; null: there is no newer one, too many are on their way, or the run has failed.
  // Throws if there is no such plane.
  std::shared_ptr<const SentPicture> get (const Pull &pull);

private:
  Board &board;
  std::vector<std::weak_ptr<const SentPicture>> under_way;

  std::optional<LivePicture> newest (const Pull &pull);
};

} // namespace sino::live
