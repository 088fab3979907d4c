// SPDX-License-Identifier: LGPL-3.0-or-later
// Base of filters that move pixels, in the images of a stream and in its darks and flats. Images are (row, column) of
// projections, (angle, column) of sinograms and (y, x) of slices.
#pragma once
#include "filters/move-pixels/move.hpp"
#include "glue/property.hpp"
#include "glue/task.hpp"

namespace sino::move_pixels {

// Input of a move. Rows of sinograms are angles, which no filter mixes; rows of darks and flats that belong to
// sinograms are kept.
struct Shape {
  enum class Rows : uint8_t { moved, angles, kept };
  Element element;
  Extent extent;
  Rows rows;
};

// Whether the geometry follows the pixels, so that slices do not change, or stays, because it already describes the
// moved images.
enum class Follows : uint8_t { automatic, moves, stays };
constexpr Nick<Follows> follows[] = {
    {Follows::automatic, "auto"}, {Follows::moves, "moves"}, {Follows::stays, "stays"}};

class MovingFilter : public Task
{
public:
  static constexpr Signature signature{.takes = {image_kinds, any_element}}; // those that give others state their own

  Format negotiate (std::span<const Format *const> inputs) final;
  Rows demand (size_t port, const Format &input, const Rows &rows) const final;
  bool takes_lanes () const override { return true; }
  int wanted_lanes (const Device &, int downstream) const final { return takes_lanes () ? downstream : 1; }
  void memory (const Sizing &sizing, Bill &bill) const final;
  void shared_memory (Bill &bill) const override;
  std::unique_ptr<Worker> start (const Replica &replica) override;

protected:
  // For nodes with OpenCL kernels (opencl-families.hpp): tells kernels () what they depend on.
  virtual void settle (const families::Problem &) {}
  // Called first. Throws Error if properties and format do not fit.
  virtual void check (const Format & /*input*/) {}
  virtual std::shared_ptr<const Move> move (const Shape &shape) const = 0;
  // Format::top after the move.
  virtual float moved_top (float top) const { return top; }
  // The name of the node if the numbers of the axes do not tell where the detector has a pixel that was moved.
  virtual const char *hides_places () const { return nullptr; }
  // Updates the positions of the axes, whose extents are already set, and the geometry.
  virtual void follow (const Format &input, Format &output, Geometry &geometry) const = 0;

private:
  bool projections = false;
  int64_t images = 0; // of the stream
  std::shared_ptr<const Move> negotiated;
  size_t reading = 0; // bytes for reading darks and flats

  std::shared_ptr<const Frames> moved (const std::shared_ptr<const Frames> &frames, const char *what,
                                       const Format &input);
};

} // namespace sino::move_pixels
