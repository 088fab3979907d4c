// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/companions.hpp"
#include "base/error.hpp"
#include "files/frames.hpp"
#include "files/hdf5-stack.hpp"
#include <numbers>

namespace sino::files {

namespace {

// Numbers from beside the dataset in degrees, whatever unit they are stored in.
std::vector<double> degrees (const Input &input, const char *name)
{
  if (!input.file)
    return {};
  const auto guard = hdf5::lock ();
  auto values = hdf5::read_numbers (*input.file, input.sibling (name));
  if (values.empty ())
    return {};
  const hdf5::Handle dataset (H5Dopen2 (*input.file, input.sibling (name).c_str (), H5P_DEFAULT), H5Dclose, name);
  if (hdf5::read_text_attribute (dataset, "units").starts_with ("rad"))
    for (auto &value : values)
      value *= 180 / std::numbers::pi;
  return values;
}

// When frames that were taken at some angles came between the projections, in projections of the scan; empty when the
// angles do not say.
std::vector<double> times (const std::vector<double> &taken, const std::vector<double> &theta, int64_t frames)
{
  const auto n = theta.size ();
  const bool rising = std::is_sorted (theta.begin (), theta.end ()),
             falling = std::is_sorted (theta.rbegin (), theta.rend ());
  if (std::ssize (taken) != frames || n < 2 || rising == falling)
    return {};
  std::vector<double> list;
  for (const auto angle : taken) {
    size_t i = 0; // theta[i] is the first one at or after the angle
    while (i < n && (rising ? theta[i] < angle : theta[i] > angle))
      i++;
    if (i == 0)
      list.push_back (-0.5);
    else if (i == n || angle == theta[n - 1])
      list.push_back (static_cast<double> (n) - 0.5);
    else
      list.push_back (static_cast<double> (i) - (theta[i] - angle) / (theta[i] - theta[i - 1]));
  }
  return list;
}

class Finder
{
public:
  const Request &request;
  const Input &input;
  const ScanSize &size;
  const std::vector<int64_t> &rows, &columns;
  size_t &resident;

  // Frames from a path, or from beside the dataset when that is empty; null when there are none.
  std::shared_ptr<Frames> find (const char *property, const std::string &path, const char *name) const
  {
    if (!path.empty ())
      return cut (open_input (path, "", {std::string ("/exchange/") + name, "/exchange/data"}), property);
    if (!input.file)
      return nullptr;
    const auto guard = hdf5::lock ();
    const auto sibling = input.sibling (name);
    if (!hdf5::exists (*input.file, sibling))
      return nullptr;
    return cut ({open_hdf5_stack (*input.file, input.path, sibling), input.file, input.path, sibling}, property);
  }

private:
  std::shared_ptr<Frames> cut (const Input &frames, const char *property) const
  {
    const auto &stack = *frames.stack;
    resident += stack.resident ();
    if (stack.lines != size.rows || stack.columns != size.columns)
      fail (SINO_ERROR_BAD_FILE,
            "the %s in %s have %" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT
            " columns, the projections in %s have %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
            ": set %s= to frames of the same detector area",
            property[0] == 'd' ? "darks" : "flats", frames.title ().c_str (), stack.lines, stack.columns,
            input.title ().c_str (), size.rows, size.columns, property);
    return std::make_shared<StackFrames> (frames.stack, rows, columns);
  }
};

// Positions in projections of the scan become positions in projections of the stream.
void place (Frames &frames, std::vector<double> positions, const Range &projections)
{
  for (auto &position : positions)
    position = (position - static_cast<double> (projections.first)) / static_cast<double> (projections.step);
  frames.positions = std::move (positions);
}

} // namespace

std::vector<double> theta (const Input &input)
{
  return degrees (input, "theta");
}

Companions find_companions (const Request &request, const Input &input, const ScanSize &size, const Range &projections,
                            const std::vector<int64_t> &rows, const std::vector<int64_t> &columns, size_t &resident)
{
  const Finder finder{request, input, size, rows, columns, resident};
  const auto darks = finder.find ("darks", request.darks, "data_dark");
  auto flats = finder.find ("flats", request.flats, "data_white");
  if (darks && request.darks.empty ())
    place (*darks, times (degrees (input, "theta_dark"), theta (input), darks->count), projections);
  if (flats && request.flats.empty ())
    place (*flats, times (degrees (input, "theta_white"), theta (input), flats->count), projections);
  if (!request.flats_after.empty ()) {
    const auto after = finder.find ("flats-after", request.flats_after, "data_white");
    const auto before = flats;
    const auto end = static_cast<double> (size.projections) - 0.5;
    if (before && before->element != after->element)
      fail (SINO_ERROR_BAD_FILE, "flats-after=%s holds %s values and the flats before are %s: they must be the same",
            request.flats_after.c_str (), name_of (after->element), name_of (before->element));
    std::vector<double> positions (static_cast<size_t> (before ? before->count : 0), -0.5);
    positions.insert (positions.end (), static_cast<size_t> (after->count), end);
    if (before)
      flats = std::make_shared<JoinedFrames> (before, after);
    else
      flats = after;
    place (*flats, positions, projections);
  }
  Companions companions;
  companions.darks = darks;
  companions.flats = flats;
  return companions;
}

Geometry stored_geometry (const Input &input, int64_t projections)
{
  Geometry geometry;
  if (!input.file)
    return geometry;
  const auto guard = hdf5::lock ();
  geometry.axis = hdf5::read_numbers (*input.file, input.sibling ("rotation_axis"));
  if (geometry.axis.size () > 1 && std::ssize (geometry.axis) != projections)
    fail (SINO_ERROR_BAD_FILE,
          "%s has %zu values for %" G_GINT64_FORMAT " projections: one, or one for each, is needed",
          input.sibling ("rotation_axis").c_str (), geometry.axis.size (), projections);
  const hdf5::Handle dataset (H5Dopen2 (*input.file, input.dataset.c_str (), H5P_DEFAULT), H5Dclose, "HDF5");
  const auto pixel_size = hdf5::read_attribute (dataset, "pixel_size");
  if (pixel_size.size () == 1)
    geometry.pixel_size = pixel_size[0];
  return geometry;
}

} // namespace sino::files
