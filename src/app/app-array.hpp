// SPDX-License-Identifier: LGPL-3.0-or-later
// A source that gives an array of the program that embeds the library. It is no node of the registry, because a launch
// line cannot hold an array.
#pragma once
#include "glue/binding.hpp"
#include "glue/facets.hpp"
#include "glue/frames/extras.hpp"
#include "glue/shapes.hpp"

namespace sino::app {

// Values of a whole stream. They do not change as long as a run has them.
struct Array {
  std::shared_ptr<const Format> format;
  std::shared_ptr<const std::byte> memory;
};

class AppArray final : public Source, public Embedded
{
public:
  static constexpr Info info{"app-array", "Take an array of the program that runs the graph"};
  static constexpr Signature signature{.gives = {image_kinds, any_element}};

  // --- for the program; called on its own object ---
  // Throws if the size of `memory` is not that of the format, the geometry is of another number of projections, or the
  // format is not of projections, sinograms or slices. Removes the darks and flats of the array before.
  void set (const std::shared_ptr<const Format> &format, std::shared_ptr<const std::byte> memory, size_t bytes);
  // Add frames that were taken before projection `before`. They throw if the size does not fit.
  void add_darks (std::shared_ptr<const std::byte> memory, size_t bytes, int64_t before);
  void add_flats (std::shared_ptr<const std::byte> memory, size_t bytes, int64_t before);

  // --- the run ---
  bool needs_program () const override { return true; }
  Format negotiate (std::span<const Format *const> inputs) override;
  double bytes_read (const Format &, const Rows &) const override { return 0; }
  std::unique_ptr<Worker> start (const Replica &replica) override;

private:
  // State that an object of the program shares with its copies in runs.
  struct Given {
    std::mutex mutex; // protects `array`
    Array array;
    Extras darks, flats;
  };

  std::shared_ptr<Given> given = std::make_shared<Given> ();
  Array array; // the one of this run, after negotiate ()

  Array get () const;
  Chunk frames (std::shared_ptr<const std::byte> memory, size_t bytes) const;
};

} // namespace sino::app
