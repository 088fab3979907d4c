/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-buffer.h"

G_BEGIN_DECLS

/**
 * SinoFlow:
 * @SINO_FLOW_POINT: values, or lines of columns, are worked on by themselves: each block of the first input becomes one
 *   block of the output with the same rows and angles. Other inputs come as the same block of their streams when these
 *   have the same axes and as many angles, else with all their angles (an average that is subtracted).
 * @SINO_FLOW_ROWS: each row is worked on by itself, with all its angles: sinograms or slices become sinograms or slices
 *   with as many rows. Other inputs as for %SINO_FLOW_POINT.
 * @SINO_FLOW_PROJECTION: each projection is worked on by itself, with all its rows: projections become projections,
 *   as many. Blocks hold whole projections.
 * @SINO_FLOW_ACCUMULATE: what is put out for a row needs all angles of that row (an average, a maximum): `process` is
 *   called for each block of the first input with the same output block, which holds all that is put out for these rows
 *   and is filled with zeros before the first call. The last call has the block that ends with the last angle.
 * @SINO_FLOW_SOURCE: no input; `process` fills blocks. Any block may be asked for at any time, and several times.
 * @SINO_FLOW_SOURCE_ONCE: no input; `process` fills blocks of whole projections, each once and in order, as a detector
 *   delivers them.
 * @SINO_FLOW_SINK: no output; `process` takes the blocks of the input. How the stream is cut into blocks is not known
 *   beforehand, neither is the order in which rows come.
 *
 * How data flow through a task written in C, Python or another language. Only %SINO_FLOW_POINT and %SINO_FLOW_ROWS may
 * have several inputs ([method@Sino.Task.set_inputs]); negotiation fails with %SINO_ERROR_BAD_FORMAT for others.
 */
typedef enum {
  SINO_FLOW_POINT,
  SINO_FLOW_ROWS,
  SINO_FLOW_PROJECTION,
  SINO_FLOW_ACCUMULATE,
  SINO_FLOW_SOURCE,
  SINO_FLOW_SOURCE_ONCE,
  SINO_FLOW_SINK,
} SinoFlow;

#define SINO_TYPE_TASK (sino_task_get_type ())

/**
 * SinoTask:
 *
 * A node of a graph. It is a description with GObject properties; a run works with the properties as they were when it
 * began.
 *
 * The nodes of Sinograph's modules are used by name. To write one in C, Python or another language, derive from this
 * class, call [method@Sino.Task.set_flow] (and [method@Sino.Task.set_inputs]) in the instance's initialiser and
 * implement [vfunc@Sino.Task.negotiate] and [vfunc@Sino.Task.process]. Then add an object to a graph, or register the
 * type by [func@Sino.Registry.register].
 *
 * These functions are called in threads of the run, one call at a time unless the task says otherwise
 * ([method@Sino.Task.set_replicable]). While a run is under way, the properties of such a task must not be changed, and
 * it cannot be part of another run. A function that fails sets an error, which becomes that of the run, after the
 * name of the node; if it fails without one, the error of the run can only say so. In Python it raises an exception: of
 * any but [struct@GLib.Error] the run's error has the type, the text and the traceback. None of these functions may end
 * the process.
 */
SINO_PUBLIC
G_DECLARE_DERIVABLE_TYPE (SinoTask, sino_task, SINO, TASK, GObject)

/**
 * SinoTask::new-picture:
 * @self: a node that shows planes, such as `live`
 * @number: the plane
 * @version: the version of its newest picture
 *
 * Says that [func@Sino.live_pull] has a newer picture of a plane: in the main context that was the default of the
 * thread which made the object. While this is busy, newer pictures take the place of those before, so that at most one
 * call for each plane waits. Other nodes never send it.
 */

/**
 * SinoTaskClass:
 * @parent_class: the parent
 * @negotiate: says what the task puts out
 * @start: prepares for a run
 * @process: works on blocks
 * @finish: ends a run that went well
 * @unlock: wakes @process where it waits
 *
 * The functions that tasks written in C, Python or another language implement.
 */
struct _SinoTaskClass {
  GObjectClass parent_class;

  /**
   * SinoTaskClass::negotiate:
   * @self: a task
   * @inputs: (element-type SinoFormat): the format of each input, %NULL for those that are not connected
   * @error: return location for an error
   *
   * Says from the formats of the inputs what the task puts out, or, for a sink, accepts them by returning that of its
   * first input. It touches no pixel and opens no output; it is called before each run and whenever a graph is checked.
   *
   * A format made by the `with_` methods of an input's format keeps what travels with the stream. Without an
   * implementation the output has the format of the first input.
   *
   * Returns: (transfer full): the format of the output, or %NULL with @error set when the task cannot work on these
   * inputs
   */
  SinoFormat *(*negotiate) (SinoTask *self, GPtrArray *inputs, GError **error);

  /**
   * SinoTaskClass::start:
   * @self: a task
   * @error: return location for an error
   *
   * Prepares for the blocks of a run; optional. A run that passes over the scan several times calls it before each
   * pass, and a task that is replicable is started for each device.
   *
   * Returns: whether it went well; %FALSE with @error set ends the run
   */
  gboolean (*start) (SinoTask *self, GError **error);

  /**
   * SinoTaskClass::process:
   * @self: a task
   * @inputs: (element-type SinoBuffer): a block of each input, %NULL for those that are not connected; empty for a
   * source
   * @output: (nullable): the block to fill, its values undefined unless the task accumulates; %NULL for a sink
   * @error: return location for an error
   *
   * Works on one block of each input; what comes together is said by [enum@Sino.Flow].
   *
   * Returns: whether it went well; %FALSE with @error set ends the run
   */
  gboolean (*process) (SinoTask *self, GPtrArray *inputs, SinoBuffer *output, GError **error);

  /**
   * SinoTaskClass::finish:
   * @self: a task
   * @error: return location for an error
   *
   * Ends a run that went well, as by closing a file; optional. It is not called when the run fails or is cancelled.
   *
   * Returns: whether it went well; %FALSE with @error set makes the run fail
   */
  gboolean (*finish) (SinoTask *self, GError **error);

  /**
   * SinoTaskClass::unlock:
   * @self: a task
   *
   * Wakes [vfunc@Sino.Task.process] where it waits for something that is not part of the run, such as a camera;
   * optional.
   *
   * Called once when a run is cancelled or fails, by another thread than those that call `process`, perhaps while none
   * does. It returns at once, and `process` soon after it, with any result. Whatever it set is cleared in
   * [vfunc@Sino.Task.start]. A task that waits without this function holds up the end of the run for ten seconds, and
   * is then left behind with its thread.
   */
  void (*unlock) (SinoTask *self);

  /*< private >*/
  gpointer padding[11];
};

/**
 * sino_task_set_flow:
 * @self: a task written in C, Python or another language
 * @flow: how data flow
 *
 * Says how data flow through the task; to be called when the object is made: once it is connected in a graph the call
 * is refused. Without this call a task is a point filter.
 */
SINO_PUBLIC
void sino_task_set_flow (SinoTask *self, SinoFlow flow);

/**
 * sino_task_get_flow:
 * @self: a task written in C, Python or another language
 *
 * Says how data flow through the task.
 *
 * Returns: the flow
 */
SINO_PUBLIC
SinoFlow sino_task_get_flow (SinoTask *self);

/**
 * sino_task_set_inputs:
 * @self: a task written in C, Python or another language
 * @required: (array zero-terminated=1): names of the inputs that must be connected, at least one
 * @optional: (array zero-terminated=1) (nullable): names of the inputs after these that may be connected
 *
 * Names the inputs of the task; to be called when the object is made: once it is connected in a graph the call is
 * refused. Without this call a task that is not a source has one input, `data`.
 */
SINO_PUBLIC
void sino_task_set_inputs (SinoTask *self, const gchar *const *required, const gchar *const *optional);

/**
 * sino_task_set_replicable:
 * @self: a task written in C, Python or another language
 * @replicable: whether calls may overlap
 *
 * Says that [vfunc@Sino.Task.process] may be called by several threads at once; to be called when the object is made:
 * once it is connected in a graph the call is refused. Without this call calls are made one after the other. A task
 * that accumulates needs no such state of its own: its output block belongs to the call.
 */
SINO_PUBLIC
void sino_task_set_replicable (SinoTask *self, gboolean replicable);

/**
 * sino_task_set_live:
 * @self: a task written in C, Python or another language
 * @properties: (array zero-terminated=1) (nullable): names of properties
 *
 * Says which properties may be changed while a run goes on ([method@Sino.Runner.set_live]); to be called when the
 * object is made: once it is connected in a graph the call is refused. Other threads than those of `process` set them.
 */
SINO_PUBLIC
void sino_task_set_live (SinoTask *self, const gchar *const *properties);

/**
 * sino_task_set_open_ended:
 * @self: a task written in C, Python or another language whose flow is %SINO_FLOW_SOURCE_ONCE
 * @open_ended: whether its stream may end early
 *
 * Says that there may be fewer projections than the format says which [vfunc@Sino.Task.negotiate] gives; to be called
 * when the object is made: once it is connected in a graph the call is refused.
 *
 * A run then takes all projections first, one per block, until [method@Sino.Task.end_of_stream] is called, and the rest
 * of the graph sees a scan with exactly those that came, as if a file had held them.
 */
SINO_PUBLIC
void sino_task_set_open_ended (SinoTask *self, gboolean open_ended);

/**
 * sino_task_end_of_stream:
 * @self: a task written in C, Python or another language whose flow is %SINO_FLOW_SOURCE_ONCE
 *
 * Says, in a call of [vfunc@Sino.Task.process], that there are no more projections: what the call fills is not used,
 * and `process` is not called again. The run fails unless the task is open-ended.
 */
SINO_PUBLIC
void sino_task_end_of_stream (SinoTask *self);

G_END_DECLS
