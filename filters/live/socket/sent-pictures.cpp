// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/socket/sent-pictures.hpp"
#include "base/error.hpp"
#include <utility>

namespace sino::live {

static constexpr size_t most_under_way = most_planes;

std::span<const std::byte> SentPicture::bytes () const
{
  return grey ? std::as_bytes (std::span (greys)) : picture.block.all ();
}

void SentPictures::memory (size_t values, Bill &bill)
{
  add_bytes (bill, "pictures for clients", values * sizeof (float), most_under_way + 1); // and one that becomes grey
}

std::optional<LivePicture> SentPictures::newest (const Pull &pull)
{
  try {
    return board.pull (pull.number, pull.newer_than, std::chrono::microseconds (0), [] { return false; });
  } catch (const Error &e) {
    if (e.code != SINO_ERROR_FAILED) // the run, whose end is told otherwise
      throw;
    return {};
  }
}

std::shared_ptr<const SentPicture> SentPictures::get (const Pull &pull)
{
  const auto version = board.version_of (pull.number);
  const auto contrast = pull.contrast.value_or (pull.grey ? board.contrast () : Contrast ());
  std::erase_if (under_way, [] (const auto &sent) { return sent.expired (); });
  for (const auto &each : under_way)
    if (auto sent = each.lock (); sent && sent->number == pull.number && sent->picture.version == version &&
                                  version > pull.newer_than && sent->grey == pull.grey && sent->contrast == contrast)
      return sent;
  if (under_way.size () >= most_under_way)
    return nullptr;
  auto picture = newest (pull);
  if (!picture)
    return nullptr;
  const auto fresh = std::make_shared<SentPicture> (SentPicture{.number = pull.number,
                                                                .picture = std::move (*picture),
                                                                .grey = pull.grey,
                                                                .contrast = contrast,
                                                                .range = {},
                                                                .greys = {}});
  if (pull.grey) {
    const auto &block = std::as_const (fresh->picture.block);
    const auto values = block.all<float> ();
    fresh->range = range_of (contrast, values);
    fresh->greys.resize (values.size ());
    to_grey (fresh->range, values, fresh->greys.data ());
    fresh->picture.block = Block (block.format_pointer (), {}, block.region (), nullptr); // its values are not needed
  }
  under_way.push_back (fresh);
  return fresh;
}

} // namespace sino::live
