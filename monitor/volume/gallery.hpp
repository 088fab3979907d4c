// SPDX-License-Identifier: LGPL-3.0-or-later
// Answers the page's requests for volumes: pictures of slices, statistics, values and profiles.
#pragma once
#include "monitor/http/request.hpp"
#include "monitor/volume/picture.hpp"
#include "monitor/volume/shelf.hpp"
#include <optional>

namespace sino::monitor {

class Gallery
{
public:
  explicit Gallery (std::vector<Volume> v) : volumes (std::move (v)) {}

  // None: the request is for something else.
  std::optional<Answer> answer (const Request &request, const Monitor &wanted);
  // The volumes, for the state.
  GVariant *describe () const;

private:
  const std::vector<Volume> volumes;
  Shelf shelf;

  struct Slice;
  Slice slice_of (const Request &request) const;
  std::shared_ptr<const Plane> whole (const Slice &slice, size_t volume, const formats::Reading &reading);
  Plane part (const Slice &slice, size_t volume, const formats::Reading &reading);
  // The part of the first volume, less that of the second where there are two.
  Plane shown (const Slice &slice, const formats::Reading &reading);
  Answer picture (const Request &request, const formats::Reading &reading);
  Answer figures (const Request &request, const formats::Reading &reading);
  Answer value (const Request &request, const formats::Reading &reading);
  Answer profile (const Request &request, const formats::Reading &reading);
};

// A picture with its headers. `began`: when the work for it began.
Answer answer_of (Picture picture, int64_t version, std::chrono::steady_clock::time_point began);

} // namespace sino::monitor
