// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/foreign-worker.hpp"
#include "glue/boundary.hpp"
#include "glue/foreign-traits.hpp"
#include "stream/copy.hpp"
#include "stream/objects.hpp"
#include <cstring>

namespace sino {

static ObjectPtr<SinoFormat> format_object (const Format *format)
{
  return ObjectPtr<SinoFormat> (format ? make_object (std::make_shared<const Format> (*format)) : nullptr);
}

void check_call (const char *function, bool good, GError *error)
{
  if (error)
    throw_error (ErrorPtr (error));
  if (!good)
    fail (SINO_ERROR_FAILED,
          "'%s' failed without saying why: it must return true on success; a Python exception other than GLib.Error "
          "leaves its traceback above",
          function);
}

ForeignWorker::ForeignWorker (SinoTask *t, SinoFlow f, std::vector<bool> b, const Replica &replica)
    : task (t), flow (f), beside (std::move (b)), output_format (format_object (replica.output))
{
  for (const auto *format : replica.inputs)
    input_formats.push_back (format_object (format));
}

ForeignWorker::ForeignWorker (SinoTask *t, SinoFlow f, const std::shared_ptr<const Format> &output)
    : task (t), flow (f), output_format (make_object (output))
{
}

void ForeignWorker::run (std::span<Input *const> inputs, Output *output)
{
  switch (flow) {
  case SINO_FLOW_POINT:
  case SINO_FLOW_ROWS:
    return run_blocks (inputs, *output);
  case SINO_FLOW_PROJECTION:
    return run_projections (*inputs[0], *output);
  case SINO_FLOW_ACCUMULATE:
    return run_accumulate (*inputs[0], *output);
  case SINO_FLOW_SOURCE:
  case SINO_FLOW_SOURCE_ONCE:
    return run_source (*output);
  case SINO_FLOW_SINK:
    return run_sink (*inputs[0]);
  }
}

void ForeignWorker::run_source (Output &output)
{
  while (Block out = output.next ()) {
    process_lanes ({}, out);
    if (foreign_traits (task).ended)
      fail (
          SINO_ERROR_FAILED,
          "the stream ended after %lld of %lld projections: a task whose stream may end early must call set_open_ended",
          static_cast<long long> (out.angles ().begin), static_cast<long long> (out.format ().angles ()));
    output.push (std::move (out));
  }
}

void ForeignWorker::run_sink (Input &input)
{
  while (const Block in = input.pop ())
    process ({dense (in)}, nullptr);
}

namespace {

// All blocks of an input in a work item, copied: original blocks would keep pool memory that the rest of the work item
// needs.
class Whole
{
public:
  Whole () = default;
  explicit Whole (Input &input)
  {
    while (const Block block = input.pop ()) {
      if (parts.empty () || !(parts.back ().rows () == block.rows ()))
        parts.push_back (make_block (block.format_pointer (), {}, {block.rows (), {0, block.format ().angles ()}}));
      copy_common (block, parts.back ());
    }
  }

  // Some of the rows, with all angles.
  Block crop (const Rows &rows)
  {
    if (parts.empty () || parts[0].rows () == rows)
      return parts.empty () ? Block () : parts[0];
    if (!cropped || !(cropped.rows () == rows)) {
      cropped = {};
      cropped = make_block (parts[0].format_pointer (), {}, {rows, parts[0].angles ()});
      for (const auto &part : parts)
        copy_common (part, cropped);
    }
    return cropped;
  }

private:
  std::vector<Block> parts; // one for each band of rows
  Block cropped;            // the last result of crop ()
};

} // namespace

void ForeignWorker::run_blocks (std::span<Input *const> inputs, Output &output)
{
  std::vector<Block> blocks (inputs.size ());
  std::vector<Whole> wholes (inputs.size ());
  for (size_t port = 0; port < inputs.size (); port++)
    if (inputs[port] && beside[port])
      wholes[port] = Whole (*inputs[port]);
  while (const Block first = inputs[0]->pop ()) {
    blocks[0] = dense (first);
    for (size_t port = 1; port < inputs.size (); port++) {
      if (!inputs[port] || beside[port]) {
        blocks[port] = wholes[port].crop (first.rows ());
        continue;
      }
      const Block block = inputs[port]->pop ();
      if (!block || !(block.region () == first.region ()))
        fail (SINO_ERROR_FAILED, "the blocks of its inputs do not match");
      blocks[port] = dense (block);
    }
    Block out = output.next ();
    process_lanes (blocks, out);
    output.push (std::move (out));
  }
  for (size_t port = 1; port < inputs.size (); port++)
    if (inputs[port] && !beside[port] && inputs[port]->pop ())
      fail (SINO_ERROR_FAILED, "the blocks of its inputs do not match");
}

// The task fills whole projections, although the work item may need only some of their rows.
void ForeignWorker::run_projections (Input &input, Output &output)
{
  while (const Block in = input.pop ()) {
    Block out = output.next ();
    const Rows all (0, out.format ().rows ());
    if (out.rows () == all)
      process ({in}, &out);
    else {
      Block whole = make_block (out.format_pointer (), {}, {all, out.angles ()});
      process ({in}, &whole);
      copy_common (whole, out);
    }
    output.push (std::move (out));
  }
}

void ForeignWorker::run_accumulate (Input &input, Output &output)
{
  const auto format = contents (output_format.get ());
  std::vector<Block> results; // one for each band of rows
  while (const Block in = input.pop ()) {
    if (results.empty () || !(results.back ().rows () == in.rows ()))
      results.push_back (make_block (format, {}, {in.rows (), {0, format->angles ()}}));
    process ({dense (in)}, &results.back ());
  }
  while (Block out = output.next ()) {
    if (out.lanes () > 1)
      std::memset (out.data (), 0, out.bytes ());
    for (const auto &result : results)
      copy_common (result, out);
    output.push (std::move (out));
  }
}

void ForeignWorker::process_lanes (const std::vector<Block> &inputs, Block &output) const
{
  if (output.lanes () == 1)
    return process (inputs, &output);
  Block result = make_block (output.format_pointer (), {}, output.region ());
  process (inputs, &result);
  std::memset (output.data (), 0, output.bytes ());
  copy_common (result, output);
}

void ForeignWorker::process (const std::vector<Block> &inputs, Block *output) const
{
  using BufferPtr = ObjectPtr<SinoBuffer>;
  std::vector<BufferPtr> buffers;
  const std::unique_ptr<GPtrArray, Deleter<g_ptr_array_unref>> array (g_ptr_array_new ());
  for (size_t port = 0; port < inputs.size (); port++) {
    buffers.emplace_back (inputs[port] ? make_object (input_formats[port].get (), inputs[port], false) : nullptr);
    g_ptr_array_add (array.get (), buffers.back ().get ());
  }
  BufferPtr out (output ? make_object (output_format.get (), *output, true) : nullptr);

  const auto *klass = SINO_TASK_GET_CLASS (task);
  if (!klass->process)
    fail (SINO_ERROR_FAILED, "type %s does not implement 'process'", G_OBJECT_TYPE_NAME (task));
  GError *error = nullptr;
  const bool good = klass->process (task, array.get (), out.get (), &error);
  for (const auto &buffer : buffers)
    if (buffer)
      detach (buffer.get ());
  if (out)
    detach (out.get ());
  check_call ("process", good, error);
}

} // namespace sino
