// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters that move pixels: each image of the stream alike, with the darks and flats that travel beside it. Images are
// (row, column) of projections, (angle, column) of sinograms and (y, x) of slices.
#pragma once
#include "filters/move-pixels/move.hpp"
#include "glue/property.hpp"
#include "glue/task.hpp"

namespace sino::move_pixels {

// What a move is made for. The rows of sinograms are angles, which no filter mixes; those of the darks and flats that
// travel with sinograms are kept.
struct Shape {
  enum class Rows : uint8_t { moved, angles, kept };
  Element element;
  Extent extent;
  Rows rows;
};

// Whether the geometry goes with the pixels, so that slices stay what they were, or stays, as it is right for the moved
// images.
enum class Follows : uint8_t { automatic, moves, stays };
constexpr Nick<Follows> follows[] = {
    {Follows::automatic, "auto"}, {Follows::moves, "moves"}, {Follows::stays, "stays"}};

class MovingFilter : public Task
{
public:
  Format negotiate (std::span<const Format *const> inputs) final;
  Rows demand (size_t port, const Format &input, const Rows &rows) const final;
  bool takes_lanes () const override { return true; }
  int wanted_lanes (const Device &, int downstream) const final { return takes_lanes () ? downstream : 1; }
  void memory (const Sizing &sizing, Bill &bill) const final;
  void shared_memory (Bill &bill) const override;
  std::unique_ptr<Worker> start (const Replica &replica) override;

protected:
  // Called first: what the properties and formats must not be. Throws Error.
  virtual void check (const Format & /*input*/) {}
  virtual std::shared_ptr<const Move> move (const Shape &shape) const = 0;
  // Format::top of the moved values.
  virtual float moved_top (float top) const { return top; }
  // The places of the axes, which have their extents already, and the geometry.
  virtual void follow (const Format &input, Format &output, Geometry &geometry) const = 0;

private:
  bool projections = false;
  std::shared_ptr<const Move> negotiated;
  size_t reading = 0; // of darks and flats

  std::shared_ptr<const Frames> moved (const std::shared_ptr<const Frames> &frames, const char *what,
                                       const Format &input);
};

} // namespace sino::move_pixels
