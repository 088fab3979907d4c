// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/foreign.hpp"
#include "glue/boundary.hpp"
#include "glue/foreign-worker.hpp"
#include "glue/gathered-worker.hpp"
#include "glue/registry.hpp"
#include "stream/objects.hpp"
#include <cmath>

namespace sino {

ForeignTask::ForeignTask (SinoTask *t)
    : task (static_cast<SinoTask *> (g_object_ref (t))), traits (foreign_traits (t)), beside (traits.inputs.size ())
{
  foreign_traits (t).settled = true;
}

ForeignTask::~ForeignTask ()
{
  auto &shared = foreign_traits (task.get ());
  if (gathering) {
    const std::lock_guard guard (shared.open_end->mutex);
    shared.open_end->gathered.reset ();
  }
  if (running)
    shared.running.clear ();
}

bool ForeignTask::is_source () const
{
  return traits.flow == SINO_FLOW_SOURCE || traits.flow == SINO_FLOW_SOURCE_ONCE;
}

std::span<const Port> ForeignTask::inputs () const
{
  return is_source () ? std::span<const Port> () : traits.inputs;
}

bool ForeignTask::has_output () const
{
  return traits.flow != SINO_FLOW_SINK;
}

// --- negotiate ---

// Calls an optional function of the class: start or finish.
static void call (SinoTask *task, const char *name, gboolean (*function) (SinoTask *, GError **))
{
  if (!function)
    return;
  GError *error = nullptr;
  const bool good = function (task, &error);
  check_call (name, good, error);
}

static Format call_negotiate (SinoTask *task, std::span<const Format *const> inputs)
{
  const auto *klass = SINO_TASK_GET_CLASS (task);
  if (!klass->negotiate) {
    if (inputs.empty ())
      fail (SINO_ERROR_FAILED, "type %s is a source that does not implement 'negotiate'", G_OBJECT_TYPE_NAME (task));
    return *inputs[0];
  }
  std::vector<ObjectPtr<SinoFormat>> formats;
  const std::unique_ptr<GPtrArray, Deleter<g_ptr_array_unref>> array (g_ptr_array_new ());
  for (const auto *input : inputs) {
    formats.emplace_back (input ? make_object (std::make_shared<const Format> (*input)) : nullptr);
    g_ptr_array_add (array.get (), formats.back ().get ());
  }
  GError *error = nullptr;
  const ObjectPtr<SinoFormat> output (klass->negotiate (task, array.get (), &error));
  if (error)
    throw_error (ErrorPtr (error));
  if (!output)
    fail (SINO_ERROR_FAILED, "'negotiate' gave no format and did not say why; a Python exception other than GLib.Error "
                             "leaves its traceback above");
  return *contents (output.get ());
}

// Whether darks and flats that fit `input` cover the same pixels in `output`.
static bool same_pixels (const Format &input, const Format &output)
{
  return std::ranges::all_of (input.axes,
                              [&] (const Dim &dim) { return output.has (dim.axis) && output.dim (dim.axis) == dim; });
}

Format ForeignTask::call_alone (std::span<const Format *const> inputs) const
{
  auto &flag = foreign_traits (task.get ()).negotiating;
  if (flag.test_and_set ()) // another run may negotiate in the background, and may hang there
    fail (SINO_ERROR_FAILED, "this object is part of another active run: use another object");
  const AtEnd call ([&flag] { flag.clear (); });
  return call_negotiate (task.get (), inputs);
}

// Limits the output to the projections that have come, for a stream which may end early.
static void restrict_to (const Gathered &gathered, Format &output)
{
  if (output.kind () != Kind::projections || gathered.count () > output.angles () ||
      !(gathered.shape () == frame_shape (output)))
    fail (SINO_ERROR_BAD_FORMAT, "'negotiate' gave %s after %lld projections had arrived", output.describe ().c_str (),
          static_cast<long long> (gathered.count ()));
  output.dim (Axis::angle).extent = gathered.count ();
  if (output.geometry && gathered.count () > 0)
    output.geometry = gathered.choose (*output.geometry);
}

Format ForeignTask::negotiate (std::span<const Format *const> inputs)
{
  check_inputs ();
  Format output = call_alone (inputs);
  if (gathers ()) {
    const std::lock_guard guard (traits.open_end->mutex);
    gathered = traits.open_end->gathered;
  }
  if (gathered)
    restrict_to (*gathered, output);
  check (inputs.empty () ? nullptr : inputs[0], output);
  rows = output.rows ();
  row_bytes = 0;
  sinograms = output.kind () == Kind::sinograms;
  for (size_t port = 0; port < inputs.size (); port++) {
    if (!inputs[port])
      continue;
    const auto &input = *inputs[port];
    sinograms = sinograms || input.kind () == Kind::sinograms;
    beside[port] = port > 0 && (input.kind () != inputs[0]->kind () || input.angles () != inputs[0]->angles ());
    if (port > 0 && input.rows () != inputs[0]->rows ())
      fail (SINO_ERROR_BAD_FORMAT, "input '%s' is %s, which has other rows than '%s', %s", traits.inputs[port].name,
            input.describe ().c_str (), traits.inputs[0].name, inputs[0]->describe ().c_str ());
    if (beside[port]) { // kept whole; if blocks are cut along rows, parts are copied again
      const bool cut = input.kind () != Kind::projections || inputs[0]->kind () != Kind::projections;
      row_bytes += input.bytes () / static_cast<double> (rows) * (cut ? 2 : 1);
    }
  }
  if (traits.flow == SINO_FLOW_ACCUMULATE)
    row_bytes += output.bytes () / static_cast<double> (rows);
  if (!inputs.empty () && has_output ()) {
    input_angle_bytes = inputs[0]->bytes () / static_cast<double> (inputs[0]->angles ());
    angle_bytes = output.bytes () / static_cast<double> (output.angles ());
    if (!same_pixels (*inputs[0], output))
      output.companions = {};
    output.mark_changed (Registry::get ().name_of (G_OBJECT_TYPE (task.get ())));
  }
  return output;
}

// Throws if a task with several inputs has a flow that is defined only for one input.
void ForeignTask::check_inputs () const
{
  if (is_source () || traits.inputs.size () == 1 || traits.flow == SINO_FLOW_POINT || traits.flow == SINO_FLOW_ROWS)
    return;
  const char *what = traits.flow == SINO_FLOW_PROJECTION   ? "a filter of whole projections"
                     : traits.flow == SINO_FLOW_ACCUMULATE ? "a task that accumulates"
                                                           : "a sink";
  fail (
      SINO_ERROR_BAD_FORMAT,
      "%s has one input, but %zu were named ('%s', '%s'%s): join the streams before it, in a task whose flow is point "
      "or rows",
      what, traits.inputs.size (), traits.inputs[0].name, traits.inputs[1].name,
      traits.inputs.size () > 2 ? ", ..." : "");
}

// Checks that the declared flow can convert one format to the other.
void ForeignTask::check (const Format *input, const Format &output) const
{
  const auto want = [&] (bool good, const char *rule) {
    if (!good)
      fail (SINO_ERROR_BAD_FORMAT, "%s: it takes %s and gives %s", rule,
            input ? input->describe ().c_str () : "nothing", output.describe ().c_str ());
  };
  const auto by_rows = [] (const Format &f) { return f.kind () == Kind::sinograms || f.kind () == Kind::slices; };
  switch (traits.flow) {
  case SINO_FLOW_POINT:
    want (input->kind () == output.kind () && input->rows () == output.rows () && input->angles () == output.angles (),
          "a point filter must keep axes, rows and angles");
    break;
  case SINO_FLOW_ROWS:
    want (by_rows (*input) && by_rows (output) && input->rows () == output.rows (),
          "a filter that works by rows wants sinograms or slices (put 'interleave' before it) and must give as many "
          "rows");
    break;
  case SINO_FLOW_PROJECTION:
    want (input->kind () == Kind::projections && output.kind () == Kind::projections &&
              input->angles () == output.angles (),
          "a filter of whole projections wants projections and must give as many");
    break;
  case SINO_FLOW_ACCUMULATE:
    want (input->rows () == output.rows (), "an accumulated output must have as many rows as the input");
    break;
  case SINO_FLOW_SOURCE_ONCE:
    want (output.kind () == Kind::projections, "a source that can be read only once must give projections");
    break;
  case SINO_FLOW_SOURCE:
  case SINO_FLOW_SINK:
    break;
  }
}

// --- plan ---

Rows ForeignTask::demand (size_t, const Format &input, const Rows &wanted) const
{
  return traits.flow == SINO_FLOW_PROJECTION ? Rows (0, input.rows ()) : wanted;
}

bool ForeignTask::collects (size_t port) const
{
  return traits.flow == SINO_FLOW_ACCUMULATE || beside[port];
}

Access ForeignTask::access () const
{
  return traits.flow == SINO_FLOW_SOURCE_ONCE && !gathered ? Access::once : Access::random;
}

int ForeignTask::wanted_lanes (const Device &, int downstream) const
{
  return traits.flow == SINO_FLOW_POINT ? downstream : 1;
}

void ForeignTask::memory (const Sizing &sizing, Bill &bill) const
{
  const auto whole = [] (double bytes) { return static_cast<size_t> (std::ceil (bytes)); };
  add_bytes (bill, "rows that are copied", whole (row_bytes * static_cast<double> (sizing.item_rows)));
  if (sinograms) {
    add_bytes (bill, "output without lanes", sizing.output_block);
    for (const size_t block : sizing.input_block)
      add_bytes (bill, "input without lanes", block);
  }
  if (traits.flow == SINO_FLOW_PROJECTION && sizing.item_rows < rows)
    add_bytes (bill, "whole projections",
               whole (static_cast<double> (sizing.input_block[0]) / input_angle_bytes * angle_bytes));
}

bool ForeignTask::serial () const
{
  return !gathered && (!traits.replicable || traits.flow == SINO_FLOW_SOURCE_ONCE);
}

// --- run ---

// Reserves the object for this run.
void ForeignTask::take ()
{
  auto &shared = foreign_traits (task.get ());
  if (!running && shared.running.test_and_set ())
    fail (SINO_ERROR_FAILED, "this object is part of another active run: use another object");
  running = true;
  shared.ended = false;
  call (task.get (), "start", SINO_TASK_GET_CLASS (task.get ())->start);
}

void ForeignTask::gather (const Monitor &monitor)
{
  constexpr int64_t in_memory = 256 << 20;
  take ();
  monitor.check (); // 'unlock' may have been called before 'start' returned
  gathering = true;
  auto &shared = foreign_traits (task.get ());
  const auto format = std::make_shared<const Format> (call_alone ({}));
  check (nullptr, *format);
  const ForeignWorker worker (task.get (), traits.flow, format);
  auto all = std::make_shared<Gathered> (in_memory);
  for (int64_t i = 0; i < format->angles (); i++) {
    Block block = make_block (format, {}, {{0, format->rows ()}, {i, i + 1}});
    worker.fill (block);
    monitor.check ();
    if (shared.ended)
      break;
    all->add ({.memory = {block.buffer (), block.data ()}, .shape = frame_shape (*format), .count = 1, .number = i});
  }
  if (all->count () == 0)
    fail (SINO_ERROR_FAILED, "the stream ended before its first projection");
  const std::lock_guard guard (shared.open_end->mutex);
  shared.open_end->gathered = std::move (all);
}

std::unique_ptr<Worker> ForeignTask::start (const Replica &replica)
{
  if (gathered) // the worker outputs projections that gather () has taken, so the object is not used
    return std::make_unique<GatheredWorker> (gathered, replica);
  take ();
  return std::make_unique<ForeignWorker> (task.get (), traits.flow, beside, replica);
}

void ForeignTask::unlock ()
{
  if (const auto function = SINO_TASK_GET_CLASS (task.get ())->unlock; function && running)
    function (task.get ());
}

bool ForeignTask::waits_outside () const
{
  return SINO_TASK_GET_CLASS (task.get ())->unlock != nullptr;
}

void ForeignTask::finish ()
{
  call (task.get (), "finish", SINO_TASK_GET_CLASS (task.get ())->finish);
}

} // namespace sino
