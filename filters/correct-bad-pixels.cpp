// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces dead, stuck and hot pixels by the values of good neighbours, in projections, darks and flats alike.
#include "base/error.hpp"
#include "filters/bad-pixels/finder.hpp"
#include "filters/bad-pixels/mask-file.hpp"
#include "filters/bad-pixels/mended.hpp"
#include "filters/move-pixels/filter.hpp"
#include "formats/open.hpp"
#include "glue/module.hpp"

namespace sino::correct_bad_pixels {
namespace {
using namespace bad_pixels;
using move_pixels::Move;
using move_pixels::MovingFilter;

enum class Find : uint8_t { automatic, yes, no };

class CorrectBadPixels final : public MovingFilter
{
public:
  static constexpr Info info{"correct-bad-pixels", "Replace bad pixels of the detector by values of good neighbours"};
  static constexpr Signature signature{.takes = {Kind::projections, any_element}};

  std::string mask;
  detector_image::Of of = detector_image::Of::automatic;
  Find find = Find::automatic;
  double threshold = 0.5;
  int reach = 8;

  static constexpr Nick<Find> finds[] = {{Find::automatic, "auto"}, {Find::yes, "yes"}, {Find::no, "no"}};
  static constexpr Property properties[] = {
      prop<&CorrectBadPixels::mask> (
          "mask",
          "File with one image that is 0 where a pixel is good; the path may name a dataset, as in mask.h5:/mask"),
      prop<&CorrectBadPixels::of> ("of", detector_image::of_blurb, detector_image::of_nicks),
      prop<&CorrectBadPixels::find> ("find", "Whether to find bad pixels with the flats; auto: if no mask is given",
                                     finds),
      prop<&CorrectBadPixels::threshold> (
          "threshold",
          "Least deviation of a bad pixel's flat minus dark from the level around it, as a fraction of that level",
          Range{0.01, 10}),
      prop<&CorrectBadPixels::reach> ("reach", "Distance in pixels to each side within which good pixels are searched",
                                      Range{1, 256}),
  };

  bool takes_lanes () const override { return false; }
  std::vector<FileStamp> files () const override
  {
    auto path = mask;
    formats::take_dataset (path);
    return find_stamps ({path});
  }
  void shared_memory (Bill &bill) const override;
  std::unique_ptr<Worker> start (const Replica &replica) override;

  bool keeps_noise () const override { return true; }

protected:
  void check (const Format &input) override;
  std::shared_ptr<const Move> move (const move_pixels::Shape &shape) const override
  {
    return std::make_shared<Mended> (shape.element, shape.extent, map, reach);
  }
  // The geometry does not change: pixels stay where they are.
  void follow (const Format &, Format &, Geometry &) const override {}

private:
  std::shared_ptr<Map> map;
  Companions companions; // darks and flats in which bad pixels are still to be searched; none: no search
  bool told = false;

  void refuse_unmendable () const;
  void tell (const Replica &replica);
};

void CorrectBadPixels::check (const Format &input)
{
  const bool finds_them = find == Find::yes || (find == Find::automatic && mask.empty ());
  if (mask.empty () && !finds_them)
    fail (SINO_ERROR_BAD_PROPERTY, "find=no without mask= leaves no way to find bad pixels: give mask= too");
  if (finds_them && (!input.companions.flats || input.companions.flats->count == 0))
    fail (SINO_ERROR_BAD_FORMAT, "the stream has no flats to find bad pixels with: put this node before 'flat-field', "
                                 "give flats= to 'read', or give mask= to this node");
  const auto width = input.axes[2].extent, height = input.axes[1].extent;
  map = std::make_shared<Map> (mask.empty ()
                                   ? Map{width, height, std::vector<uint8_t> (static_cast<size_t> (width * height))}
                                   : read_mask (mask, of, input));
  companions = finds_them ? input.companions : Companions{};
  told = false;
  refuse_unmendable ();
}

void CorrectBadPixels::shared_memory (Bill &bill) const
{
  MovingFilter::shared_memory (bill);
  add_bytes (bill, "the map of bad pixels", map->bad.size ());
  if (companions.any ())
    add_bytes (bill, "flats to find bad pixels with", finding_bytes (companions));
}

std::unique_ptr<Worker> CorrectBadPixels::start (const Replica &replica)
{
  if (companions.any ()) {
    find_bad (*map, companions, threshold, {replica.cpu, replica.messages, {&replica.monitor, &replica.counters}});
    companions = {};
    refuse_unmendable ();
  }
  if (!told)
    tell (replica);
  return MovingFilter::start (replica);
}

void CorrectBadPixels::refuse_unmendable () const
{
  for (int64_t row = 0; row < map->height; row++)
    for (int64_t column = 0; column < map->width; column++)
      if (map->is_bad (column, row) && !map->is_mendable (column, row, reach))
        fail (SINO_ERROR_BAD_PROPERTY,
              "the bad pixel at row %" G_GINT64_FORMAT ", column %" G_GINT64_FORMAT
              " has no good pixel within reach=%d to any side: give a larger reach=",
              row, column, reach);
}

void CorrectBadPixels::tell (const Replica &replica)
{
  told = true;
  const auto bad = map->count (), all = map->width * map->height;
  replica.counters.add ("bad-pixels", bad);
  if (100 * bad >= all)
    replica.messages.add (text ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                                " detector pixels (%.2g %%) are bad, and are replaced by values of others",
                                bad, all, 100 * static_cast<double> (bad) / static_cast<double> (all)));
}

} // namespace

SINO_REGISTER (CorrectBadPixels)

} // namespace sino::correct_bad_pixels
