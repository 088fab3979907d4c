// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs slices from attenuation by the method that suits the scan: a composite of that method's nodes.
#include "base/error.hpp"
#include "filters/back-project/words.hpp"
#include "filters/cone/offset.hpp"
#include "filters/cone/volume.hpp"
#include "filters/fourier-reconstruct/words.hpp"
#include "filters/iterative-reconstruct/words.hpp"
#include "filters/reconstruct/choice.hpp"
#include "filters/reconstruct/device.hpp"
#include "filters/reconstruct/fdk.hpp"
#include "filters/reconstruct/methods.hpp"
#include "filters/slice/axis-range.hpp"
#include "filters/slice/slices.hpp"
#include "glue/composite.hpp"
#include "glue/module.hpp"
#include "kernels/fourier-reconstruct/gridding.hpp"
#include "kernels/fourier-reconstruct/lane-fft.hpp"
#include <algorithm>

namespace sino::reconstruct {
namespace {
using namespace back_project;
using namespace slice;
using namespace ramp_filter;

class Reconstruct final : public Composite
{
public:
  static constexpr Info info{"reconstruct", "Reconstruct slices with the method that suits the scan"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32},
                                       .gives = {Kind::slices},
                                       .halves = "leave out 'half-pack'; precision=half-storage rounds filtered rows"};

  Expansion expand (std::span<const Format *const> inputs, const Site &site) const override
  {
    const Format &in = *inputs[0];
    check (in);
    if (window != Window::none)
      check_not_filtered (in);
    if (in.geometry && !in.geometry->views.empty ())
      return of_any_geometry (in, site);
    check_own (volume, "a parallel beam at right angles to its axis",
               "its volume has a slice for each row, and voxels as wide as columns");
    check_own (offset, "a parallel beam", "put 'stitch-360' before this node, to join the halves of a whole turn");
    if (iterates ())
      return of_iterations (in, site);
    check_own (iteration, "one pass over the projections", "give method=tv or method=cgls");
    if (is_axis_range (slices.axis))
      return of_axes (in);
    if (axis_row >= 0)
      fail (SINO_ERROR_BAD_PROPERTY,
            "axis-row=%d is for a range of axes, such as axis=290:300:0.5: leave it out, or select rows with rows= of "
            "the source",
            axis_row);
    const auto choice = choose (in, site);
    auto chain = with_axis (in);
    if (choice.fourier) {
      add (chain, "interleave", {});
      add (chain, "fourier-reconstruct",
           joined (words_of (slices), filter (Window::sinc), words_of (grid),
                   Settings{same ("precision", holds_halves (site.device) ? "half-storage" : "single")}));
      chain.spare = "method=direct";
    } else {
      add (chain, "ramp-filter", filter (Window::ram_lak));
      if (packs_halves (site.device))
        add (chain, "half-pack", {});
      add (chain, "interleave", {});
      add (chain, "back-project", joined (words_of (slices), words_of (bins)));
    }
    chain.why = choice.why;
    return chain;
  }

private:
  using Settings = std::vector<Expansion::Setting>;

  Method method = Method::automatic;
  SliceSettings slices;
  int axis_row = -1;
  Window window = automatic_window;
  RampSettings ramp;
  fourier_reconstruct::GriddingSettings grid;
  BinSettings bins;
  iterative_reconstruct::IterationSettings iteration;
  cone::VolumeSettings volume;
  cone::OffsetSettings offset;

  // Replaces NaN, because one value would spoil its whole slice.
  static Expansion beginning (const Format &in)
  {
    Expansion chain;
    if (!in.finite)
      add (chain, "fill-holes", {});
    return chain;
  }

  // The same, and finds the axis where neither the scan nor the user gives it.
  Expansion with_axis (const Format &in) const
  {
    auto chain = beginning (in);
    if (slices.axis == SliceSettings{}.axis && in.geometry && !in.geometry->angles.empty () &&
        in.geometry->axis.empty ())
      add (chain, "find-axis", {});
    return chain;
  }

  const char *method_word () const { return std::ranges::find (methods, method, &Nick<Method>::value)->nick; }
  bool iterates () const { return method >= Method::tv; }

  Expansion of_iterations (const Format &in, const Site &site) const
  {
    const char *const name = method_word ();
    const auto why = text ("method=%s", name);
    if (method > Method::cgls)
      fail (SINO_ERROR_BAD_PROPERTY,
            "method=%s is for cone, fan and tilted beams: give method=cgls, which gets there in fewer iterations, or "
            "method=tv",
            name);
    check_own (bins, why.c_str (), "leave it out, or give method=direct");
    check_own (grid, why.c_str (), "leave it out, or give method=fourier");
    if (window != automatic_window)
      fail (SINO_ERROR_BAD_PROPERTY, "method=%s has no window: leave out window=, and give strength= instead", name);
    if (is_axis_range (slices.axis))
      fail (SINO_ERROR_BAD_PROPERTY,
            "method=%s takes one axis: find it with a range of axes and method=fourier, then give axis=", name);
    const bool tries = iterative_reconstruct::is_strength_range (iteration.strength);
    if (axis_row >= 0 && !tries)
      fail (
          SINO_ERROR_BAD_PROPERTY,
          "axis-row=%d is for a range of axes or strengths, such as strength=0.25:4: leave it out, or select rows with "
          "rows= of the source",
          axis_row);
    auto chain = with_axis (in);
    const auto machine = machine_of (site.device, site.threads, work_of (in));
    add (chain, "interleave", {});
    add (chain, "iterative-reconstruct",
         joined (Settings{same ("method", name)}, words_of (slices), words_of (iteration),
                 Settings{same ("padding-mode", word_of ("padding-mode", ramp)),
                          {"row", std::to_string (axis_row), "axis-row"}}));
    chain.why =
        text ("%s, set by method=%s; fourier would take %s", name, tries ? ", one row with several strengths" : "",
              duration (fourier_seconds (work_of (in), machine)).c_str ());
    return chain;
  }

  // Nodes for one slice for each axis, all of the same row.
  Expansion of_axes (const Format &in) const
  {
    if (method == Method::direct)
      fail (SINO_ERROR_BAD_PROPERTY,
            "method=direct is not for a range of axes, axis=%s: leave it out, or give one axis", slices.axis.c_str ());
    check_fourier (asked_of (bins));
    auto chain = beginning (in);
    add (chain, "interleave", {});
    add (chain, "try-axes",
         joined (words_of (slices), filter (Window::sinc), words_of (grid),
                 Settings{{"row", std::to_string (axis_row), "axis-row"}}));
    chain.why = text ("fourier, one row with %zu axes", axes_of (slices.axis).size ());
    return chain;
  }

  // The method of Feldkamp, Davis and Kress.
  Expansion of_any_geometry (const Format &in, const Site &site) const
  {
    if (in.kind () != Kind::projections)
      fail (SINO_ERROR_BAD_FORMAT,
            "wants projections of a cone or tilted beam, got %s: leave out 'interleave' before this node",
            in.describe ().c_str ());
    SliceSettings own;
    own.axis = slices.axis, own.angle_offset = slices.angle_offset, own.weights = slices.weights;
    const char *others = "a cone or tilted beam";
    check_own (own, others, "the geometry of the source gives it");
    check_own (bins, others, "leave it out");
    if (iterates () || grid.accuracy > fourier_reconstruct::GriddingSettings{}.accuracy)
      check_own (grid, others, "leave it out");
    if (iterates ())
      return of_volume_iterations (in, site);
    check_own (iteration, "one pass over the projections", "give method=tv or method=cgls");
    if (method == Method::fourier)
      fail (SINO_ERROR_BAD_PROPERTY, "method=fourier is not for %s: give method=direct or method=auto", others);

    auto chain = beginning (in);
    add (chain, "cone-weight", words_of (offset));
    if (window != Window::none)
      add (chain, "ramp-filter", filter (Window::ram_lak));
    Settings region;
    for (const auto &setting : words_of (slices))
      if (setting.property == "mask" || setting.property.starts_with ("roi-"))
        region.push_back (setting);
    if (grid.accuracy < fourier_reconstruct::GriddingSettings{}.accuracy)
      region.push_back (same ("accuracy", "exact"));
    add (chain, "cone-back-project", joined (words_of (volume), region));
    chain.why = "direct, for the scan's geometry (Feldkamp, Davis and Kress)";
    return chain;
  }

  Expansion of_volume_iterations (const Format &in, const Site &site) const
  {
    const char *const name = method_word ();
    const auto why = text ("method=%s", name);
    check_own (offset, why.c_str (), "leave it out");
    SliceSettings own = slices;
    own.mask = false; // what is outside the circle is 0 anyway
    check_own (own, why.c_str (), "it takes all columns and rows of slices, and the geometry of the source");
    if (window != automatic_window)
      fail (SINO_ERROR_BAD_PROPERTY, "method=%s has no window: leave out window=, and give strength= instead", name);
    auto chain = beginning (in);
    add (chain, "iterative-cone-reconstruct",
         joined (Settings{same ("method", name)}, words_of (iteration), words_of (volume)));
    chain.why = text ("%s, set by method=%s, for the scan's geometry; ", name, name) + fdk_text (in, site);
    return chain;
  }

  std::string fdk_text (const Format &in, const Site &site) const
  {
    try {
      return "direct (Feldkamp, Davis and Kress) would take " + duration (fdk_seconds (in, volume, site));
    } catch (const Error &error) {
      return std::string ("direct cannot reconstruct this scan: ") + error.what ();
    }
  }

  // "NAME=WORD" of the first property that differs from its default, or "".
  template <class Group> static std::string asked_of (const Group &values)
  {
    const Group usual;
    for (const auto &property : Group::properties)
      if (auto word = property.word (property, &values); word != property.word (property, &usual))
        return std::string (property.name) + "=" + word;
    return {};
  }

  // Throws if properties that have no effect for this scan differ from their defaults.
  template <class Group> static void check_own (const Group &values, const char *scan, const char *instead)
  {
    if (const auto asked = asked_of (values); !asked.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "%s is not for %s: %s", asked.c_str (), scan, instead);
  }

  static void check (const Format &in)
  {
    if (in.values == Meaning::counts || in.values == Meaning::transmission)
      fail (SINO_ERROR_BAD_FORMAT, "wants attenuation, got %s: %s", name_of (in.values),
            in.values == Meaning::counts ? "put 'flat-field' before it"
                                         : "put 'minus-log' before it, or leave out absorption=false of 'flat-field'");
  }

  // --- the method ---

  Work work_of (const Format &in) const
  {
    const auto columns = in.extent (Axis::column);
    return {.columns = columns,
            .projections = in.angles (),
            .slices = in.rows (),
            .pixels = slices.region (columns).pixels (),
            .kernel_width = fourier_reconstruct::width_for (grid.accuracy)};
  }

  Choice choose (const Format &in, const Site &site) const
  {
    const auto work = work_of (in);
    const auto machine = machine_of (site.device, site.threads, work);
    const double direct = direct_seconds (work, machine), gridding = fourier_seconds (work, machine);
    if (method == Method::automatic) {
      if (const auto why = unfit (in, machine, site.device); !why.empty ())
        return {false, text ("direct, about %s: ", duration (direct).c_str ()) + why};
      return compared (gridding < direct, "", direct, gridding);
    }
    if (method == Method::fourier)
      check_fourier (only_direct (site.device));
    return compared (method == Method::fourier, ", set by method=", direct, gridding);
  }

  // Whether values are stored as half. OpenCL devices never add in half, so `half` means `half-storage` there.
  bool holds_halves (const Device &device) const
  {
    return bins.precision == Rounding::half_storage ||
           (bins.precision == Rounding::half && device.kind == Device::Kind::opencl);
  }

  // Whether `half-pack` converts the input: on OpenCL devices only; on CPUs back-project rounds.
  bool packs_halves (const Device &device) const
  {
    return device.kind == Device::Kind::opencl && holds_halves (device);
  }

  // The first property that asks for something that gridding does not have, or "".
  std::string only_direct (const Device &device) const
  {
    auto others = bins;
    if (holds_halves (device))
      others.precision = Rounding::single;
    return asked_of (others);
  }

  // Why only `direct` can reconstruct this scan, or "".
  std::string unfit (const Format &in, const Machine &machine, const Device &device) const
  {
    const auto columns = in.extent (Axis::column);
    if (const auto asked = only_direct (device); !asked.empty ())
      return asked + " is set, which fourier does not have";
    if (columns > most_columns)
      return text ("fourier takes at most %d columns", static_cast<int> (most_columns));
    if (in.geometry && !in.geometry->angles.empty ()) {
      if (fourier_reconstruct::least_padding (columns, slices.rays (in)) > 2 * fourier_reconstruct::longest_fft)
        return "the axis is too far from the detector for fourier";
    }
    if (machine.gpu.cycles == 0 && machine.vector_bytes < 16)
      return "this CPU does not have the vector instructions for fourier";
    return {};
  }

  void check_fourier (const std::string &asked) const
  {
    if (!asked.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "%s does not have %s: leave it out, or give %s",
            is_axis_range (slices.axis) ? "a range of axes" : "method=fourier", asked.c_str (),
            is_axis_range (slices.axis) ? "one axis" : "method=direct or method=auto");
  }

  // --- its nodes ---

  // A property of a part with the same name as the property of this node that sets it.
  static Expansion::Setting same (const char *property, std::string word)
  {
    return {property, std::move (word), property};
  }

  static Settings joined (Settings all, const auto &...more)
  {
    (all.insert (all.end (), more.begin (), more.end ()), ...);
    return all;
  }

  // Properties of a structure, which the part has under the same names.
  template <class Group> static Settings words_of (const Group &values)
  {
    Settings settings;
    for (const auto &property : Group::properties)
      settings.push_back (same (property.name, property.word (property, &values)));
    return settings;
  }

  template <class Group> static std::string word_of (std::string_view name, const Group &values)
  {
    const auto found =
        std::ranges::find_if (Group::properties, [&] (const auto &property) { return property.name == name; });
    return found->word (*found, &values);
  }

  Settings filter (Window usual) const
  {
    const auto taken = window == automatic_window ? usual : window;
    const auto nick = std::ranges::find (window_nicks, taken, &Nick<Window>::value);
    return joined ({same ("window", nick->nick)}, words_of (ramp));
  }

  static void add (Expansion &chain, const char *type, Settings settings)
  {
    chain.output = chain.parts.size ();
    if (chain.output == 0)
      chain.feeds = {{0, 0}};
    else
      chain.wires.push_back ({chain.output - 1, chain.output});
    chain.parts.push_back ({type, type, std::move (settings), {}});
  }

public:
  static constexpr auto properties = sino::joined (
      std::array{
          prop<&Reconstruct::method> (
              "method",
              "Method: direct (filtered back-projection), fourier (gridding in Fourier space), auto (the one of "
              "these that is estimated to be faster and has the requested properties), or, for few or noisy "
              "projections, tv or cgls (iterations: iterative-reconstruct), and for cone, fan and tilted beams tv, "
              "cgls, "
              "iterated-fdk, os-sart or sirt (iterative-cone-reconstruct)",
              methods),
          prop<&Reconstruct::window> (
              "window",
              "Window of the ramp filter; auto: ram-lak for direct, whose interpolation smooths, and sinc for "
              "fourier, which smooths as much; none: rows are not filtered",
              windows.nicks),
          prop<&Reconstruct::axis_row> (
              "axis-row",
              "For a range of axes or strengths: number of the detector row in the scan to reconstruct; -1: the middle "
              "one",
              Range{-1, 2147483647})},
      group<&Reconstruct::slices> (), group<&Reconstruct::ramp> (), group<&Reconstruct::bins> (),
      group<&Reconstruct::grid> (), group<&Reconstruct::iteration> (), group<&Reconstruct::volume> (),
      group<&Reconstruct::offset> ());
};

SINO_REGISTER (Reconstruct)

} // namespace

} // namespace sino::reconstruct
