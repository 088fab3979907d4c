// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the values of metal and of other materials in some slices of a scan, before the run.
#include "base/error.hpp"
#include "filters/find-metal/materials.hpp"
#include "filters/slice/circle.hpp"
#include "glue/facets.hpp"
#include "glue/learned.hpp"
#include "glue/module.hpp"
#include <algorithm>

namespace sino::find_metal {
namespace {

constexpr int64_t looked_at = 16; // slices

struct Findings {
  std::mutex mutex;
  Seen seen;
  int64_t slices = 0; // number of slices that were seen
  std::string missed; // reason why none can be seen
};

class Looker final : public Worker
{
public:
  Looker (const Monitor &m, std::vector<Rows> b, Findings &f) : monitor (m), bands (std::move (b)), findings (f) {}

  void run (std::span<Input *const> inputs, Output *) override
  {
    Seen seen;
    int64_t slices = 0;
    while (const Block in = inputs[0]->pop ())
      for (auto z = in.rows ().begin; z < in.rows ().end; z++)
        if (std::ranges::any_of (bands, [z] (const Rows &band) { return band.contains ({z, z + 1}); })) {
          look (in, z, seen);
          slices++;
        }
    const std::lock_guard guard (findings.mutex);
    findings.seen.values.add (seen.values);
    findings.seen.steps.add (seen.steps);
    findings.slices += slices;
  }

private:
  const Monitor &monitor;
  const std::vector<Rows> bands;
  Findings &findings;

  void look (const Block &in, int64_t z, Seen &seen) const
  {
    const auto &format = in.format ();
    const auto columns = format.extent (Axis::x);
    for (int64_t y = 0; y < format.extent (Axis::y); y++) {
      monitor.check ();
      const auto *line = in.as<float> () + in.rows ().place (z) * in.line () + y * columns;
      const auto inside = slice::in_circle (format, y);
      for (auto x = inside.begin; x < inside.end; x++) {
        seen.values.add (line[x]);
        if (x > inside.begin)
          seen.steps.add (std::abs (line[x] - line[x - 1]));
      }
    }
  }
};

class FindMetal final : public Task, public Surveys
{
public:
  static constexpr Info info{"find-metal", "Find the values of metal and of other materials in slices"};
  static constexpr Signature signature{.takes = {Kind::slices, Element::f32},
                                       .integers = "put 'calculate expression=x' before it"};

  std::string threshold = "auto";
  int classes = 3;

  static constexpr Property properties[] = {
      prop<&FindMetal::threshold> (
          "threshold", "Voxels above this value are metal; auto: 4 times the value of the object, and above its noise"),
      prop<&FindMetal::classes> ("classes", "Number of classes of all other values, such as air, soft tissue and bone",
                                 sino::Range{2, 8}),
  };

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    double given = 0;
    if (threshold != "auto" && (!parse_number (threshold, given) || !(given > 0) || !std::isfinite (given)))
      fail (SINO_ERROR_BAD_PROPERTY, "threshold=%s: give the least value of metal in slices, above 0, or auto",
            threshold.c_str ());
    if (!findings->missed.empty ())
      fail (SINO_ERROR_BAD_GRAPH, "looks at some slices before the run, but %s: write the scan to a file first",
            findings->missed.c_str ());
    said.clear ();
    auto found = std::make_shared<Materials> ();
    if (findings->slices > 0) {
      *found = find_materials (findings->seen, threshold == "auto" ? std::nullopt : std::optional (given), classes);
      said = found->object > 0 ? describe (*found) : "the slices hold no attenuation: nothing is metal";
    }
    format.materials = std::move (found);
    return format;
  }

  std::vector<Rows> survey (const Format &in) const override
  {
    if (findings->slices > 0)
      return {};
    std::vector<Rows> bands;
    const auto all = in.rows (), count = std::min (all, looked_at);
    for (int64_t i = 0; i < count; i++) {
      const auto z = (2 * i + 1) * all / (2 * count);
      bands.push_back ({z, z + 1});
    }
    return bands;
  }
  std::unique_ptr<Worker> look (const Replica &replica) override
  {
    return std::make_unique<Looker> (replica.monitor, survey (*replica.inputs[0]), *findings);
  }
  bool leaves_out_rows () const override { return true; }
  void survey_memory (const Sizing &, Bill &bill) const override
  {
    add_bytes (bill, "histograms", 2 * Histogram::bytes);
  }
  void shared_memory (Bill &bill) const override { add_bytes (bill, "histograms", 2 * Histogram::bytes); }
  void miss (const std::string &why) override { findings->missed = why; }

  std::vector<std::string> warnings () const override
  {
    return said.empty () ? std::vector<std::string> () : std::vector{said};
  }
  Messages::Level level_of_warnings () const override { return Messages::Level::info; }
  bool alters () const override { return false; }
  std::string remark (const Device &, int) const override { return said; }
  std::unique_ptr<Worker> start (const Replica &) override { fail (SINO_ERROR_FAILED, "does not take part in runs"); }

private:
  Learned<Findings> findings;
  std::string said;

  std::string describe (const Materials &found) const
  {
    auto line = text ("voxels above %.4g are metal, ", found.metal) +
                (threshold == "auto" ? text ("%.3g times the object's %.4g", found.metal / found.object, found.object)
                                     : text ("set by threshold=; the object has %.4g", found.object));
    line += "; other materials have";
    for (size_t i = 1; i < found.classes.size (); i++)
      line += text ("%s %.4g", i > 1 ? "," : "", found.classes[i].value);
    return line;
  }
};

SINO_REGISTER (FindMetal)

} // namespace

} // namespace sino::find_metal
