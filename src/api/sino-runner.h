/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-graph.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define SINO_TYPE_RUNNER (sino_runner_get_type ())

/**
 * SinoRunner:
 *
 * Runs graphs: negotiates the formats, plans under the memory limit and executes. It may run several graphs, one after
 * the other.
 */
SINO_PUBLIC
G_DECLARE_FINAL_TYPE (SinoRunner, sino_runner, SINO, RUNNER, GObject)

/**
 * SinoRunner:memory:
 *
 * How much memory the process may use, as text: `512M`, `1.5GiB`, `80%` of what is free. Empty: 80 % of what is free.
 */

/**
 * SinoRunner:threads:
 *
 * Number of CPU threads for kernels, up to 1024; 0: all that the process may use.
 */

/**
 * SinoRunner:confine:
 *
 * A folder that all must lie in which the nodes read and write, once links are followed; a run that would leave it
 * fails before it touches a pixel. Empty: they may use any file. For graphs from elsewhere.
 */

/**
 * SinoRunner:device:
 *
 * Where reconstruction runs: `native`, `cl:0`, `cl:0,cl:1`, `cl` for all OpenCL devices, or `all` for all OpenCL GPUs
 * and `native`. Empty: the first OpenCL GPU, else `native`.
 *
 * Several devices take work items as they become free. The first one of the list decides what a node becomes that
 * stands for others, such as the method of `reconstruct`. Devices that are alike make the same slices as one of them,
 * bit for bit; unlike ones agree to 1e-5 of the largest value.
 */

/**
 * SinoRunner:device-memory:
 *
 * How much memory of each OpenCL device a run may use, as text: `512M`, `1.5GiB`. Empty: what the device has. Where a
 * device works in the host's memory, what it works in counts to both this and [property@Sino.Runner:memory].
 *
 * Where it is little, work items have fewer slices and blocks fewer projections. Results keep their bytes.
 */

/**
 * SinoRunner:slice-share:
 *
 * Share of a device's memory that the slices of a work item of a cone beam get before its projections, from 0.05 to
 * 0.95. Projections, added in groups, take the rest at most, and slices what these leave. Results keep their bytes.
 */

/**
 * SinoRunner:switches:
 *
 * What makes runs fast and is switched off for this one, to see what it brings: names with `=on` or `=off`, and commas.
 * `sinograph bench pipeline --sweep` tries them all.
 *
 * - `read-ahead`: blocks are read before they are wanted, by several requests at a time
 * - `pinned`: what is transferred to and from a device lies in memory that stays in place
 * - `local-tile`: kernels keep what a group shares in local memory; off: kernels that do not come first
 * - `write-combined` (off, if not given): memory that the host only writes is asked for as such
 * - `overlap`: transfers and kernels of all nodes run side by side; off: a device has one queue
 * - `devices=N`: the first N devices of the list take part
 * Results keep their bytes, but where `local-tile=off` leads to another kernel.
 */

/**
 * SinoRunner:trace:
 *
 * A file that says, after a run that went well, when every task was at work: Chrome's trace events, which Perfetto
 * shows with a lane for each task and device. A run fails where there is a file of that name. Empty: none is written.
 */

/**
 * SinoRunner:resume:
 *
 * Whether a run goes on where an earlier one of the same graph was killed, and keeps what it has finished in any case.
 *
 * A journal beside each output, `slices/%05i.tif.journal` or `volume.h5.journal`, says which slices are finished. With
 * this property set a run makes only what is missing, and the files have the same bytes as those of a run that was not
 * disturbed; without a journal it begins anew, and with one of a run that came to its end there is nothing to do. It
 * fails where the graph, the program, the kind of devices, the kernels or a file that is read are others than they
 * were, and where an output cannot be gone on with: one that is compressed, a TIFF of many pages, a stream that can be
 * read only once. Without this property a journal of a run that was killed is an error, with %SINO_ERROR_EXISTS.
 */

/**
 * SinoRunner:report:
 *
 * File for a page of HTML about the run, written when it has ended, also with an error: results, geometry, nodes and
 * their findings, pictures, and the same as JSON. Replaces an earlier report, but no other file. Empty: no page.
 */

/**
 * SinoRunner:strict:
 *
 * Whether a run ends where a node doubts what it has found of the scan before the work begins, as `find-axis` the axis
 * that it found, or took to be in the middle. It fails then with %SINO_ERROR_FAILED before any output is opened, and
 * the message says what to set. Without this property such a doubt is a message.
 */

/**
 * SinoRunner:mpi:
 *
 * Whether the processes that `mpirun` or `srun` has started, each of which runs this program, work on runs together:
 * they share the work items of each run and write into the same files. All of them make the same runs in the same
 * order, one at a time. A run fails with %SINO_ERROR_NOT_FOUND where Sinograph has no MPI, with %SINO_ERROR_BAD_GRAPH
 * where an output or a node cannot be shared, and in all processes where it fails in one. A process that was started
 * alone works alone. MPI is initialised by the first run, and finalised at the end of the process, unless the program
 * has done so, with `MPI_THREAD_MULTIPLE`.
 */

/**
 * SinoRunner:on-device-error:
 *
 * What a run does where one of several devices fails: `continue`, the default, or `stop`. A run that goes on leaves the
 * device out, does again on the others what it had begun, and says so in a message of the node that met the failure and
 * in the statistics. It fails where no device is left, and where a task takes all work items in order or waits for the
 * program. A task that is replicable gets some blocks a second time then.
 */

/**
 * SinoRunner:verify:
 *
 * How many slices are computed again at the end of a run, spread over the volume, and held against those that reached
 * the sinks: on `native` where the run was on other devices, within 5e-5 of the largest value, 2e-3 where a node has
 * another `precision` than usual; and on `native` once more where it was there, without any difference. The run fails
 * where they differ, before files get their final names; nothing of the output stays then, slices with a file each
 * included, and no later run goes on with it. 0, the default: none. The source must be one that can be read again, no
 * node but sinks may be written in C or Python, and a sink must take slices of 32-bit floats.
 */

/**
 * SinoRunner:watchdog:
 *
 * Seconds after which a run fails in which nothing comes on: no block is given or taken, nothing is read or written, no
 * loop of the CPU threads goes on. The error names the tasks at work and how many blocks lie between all of them. What
 * does not return ten seconds later is left behind, as after a cancellation. 0, the default: a run waits for any time.
 * It does not watch passes with tasks that wait for the program, as [class@Sino.AppSource] does.
 * A task of yours whose `process` takes longer for a block needs a larger number.
 */

/**
 * SinoRunner::progress:
 * @self: a runner
 * @fraction: how much of the work is done, from 0 to 1
 * @slices_done: slices that reached their sink
 * @slices_total: slices that are to be made; 0 when the graph makes none
 * @seconds: time since the run began
 *
 * Says about ten times a second, and at the end of a run that went well, how far it is: in the thread that called
 * [method@Sino.Runner.run], or in the main context that was the thread's default at [method@Sino.Runner.run_async].
 */

/**
 * SinoMessageLevel:
 * @SINO_MESSAGE_INFO: what was found or chosen
 * @SINO_MESSAGE_WARNING: what people should look at: dead pixels, clamped values, an axis that was assumed
 *
 * How much a message of a node matters.
 */
typedef enum {
  SINO_MESSAGE_INFO,
  SINO_MESSAGE_WARNING,
} SinoMessageLevel;

/**
 * SinoRunner::message:
 * @self: a runner
 * @node: name of a node
 * @level: how much it matters
 * @text: what it says
 *
 * Says what people should know of a run that goes on, each text once, in the same thread or main context as
 * [signal@Sino.Runner::progress]. The statistics list these texts, too.
 */

/**
 * sino_runner_new:
 *
 * Makes a runner that uses the default device, all CPUs and 80 % of the free memory.
 *
 * Returns: (transfer full): a runner
 */
SINO_PUBLIC
SinoRunner *sino_runner_new (void);

/**
 * sino_runner_check:
 * @self: a runner
 * @graph: a graph
 * @error: return location for an error
 *
 * Negotiates and plans without touching a pixel, and waits for that.
 *
 * Fails as [method@Sino.Runner.run] does before it touches one: with %SINO_ERROR_BAD_GRAPH when the graph is not
 * complete, %SINO_ERROR_BAD_FORMAT when nodes do not fit together, %SINO_ERROR_BAD_FILE when an input cannot be read,
 * %SINO_ERROR_MEMORY when the limit is too small and %SINO_ERROR_DEVICE when a device is missing.
 *
 * Returns: (transfer full): the plan, for people to read
 */
SINO_PUBLIC
gchar *sino_runner_check (SinoRunner *self, SinoGraph *graph, GError **error);

/**
 * sino_runner_plan:
 * @self: a runner
 * @graph: a graph
 * @error: return location for an error
 *
 * Negotiates and plans as [method@Sino.Runner.check] does, and gives the plan as data of type `a{sv}`, which
 * `sinograph plan --json` writes. Fails as that does. The plan:
 *
 * - `devices` (`aa{sv}`): for each `id`, `name`, `kind` (`s`, "native" or "opencl") and `memory` (`d`, bytes that it
 * has besides the host's), `memory-limit` (`d`, bytes that the run may take there, 0: as many as of the host's),
 * `memory-asked` (`d`, the limit that was set for the run, 0: none)
 * - `threads` (`x`): CPU threads for kernels
 * - `memory` (`a{sv}`): bytes `base` (before the run), `peak` (at most, base included) and `limit` (`d`), and `bill`
 * (`aa{sv}`): what is taken before the passes and for all of them
 * - `choices` (`aa{sv}`): for each `node` that stands for others, its `title`, `why` it stands for these, and the
 * `device` for which it was chosen if devices are unlike (`s`)
 * - `surveys` (`aa{sv}`): for each `node` (`s`) that looks at its input before the run, its `title` (`s`) and how many
 * `rows` (`x`)
 * - `passes` (`aa{sv}`), one after the other
 * - `materialised` (`aa{sv}`): for each stream that is kept between passes the `node` (`s`) that gives it, its `title`,
 * `where` ("memory" or "scratch file") and `bytes` (`d`)
 *
 * A pass has:
 *
 * - `number`, `work-items` and `item-rows` (`x`): how many work items of how many rows
 * - `peak` (`d`): bytes at most on all devices together, without the base
 * - `bytes-read`, `bytes-needed` (`d`): from storage, and of the rows that are needed at least once; `repeats` (`d`):
 * how often rows are read or computed on average; `bytes-written` (`d`): of the streams that go to storage, before
 * files convert or compress them
 * - what follows, as its first devices run it; `beside` (`aa{sv}`) has the same for devices that are unlike them:
 * - `devices` (`as`), `batch` (`x`, projections per block), `memory` and `device-memory` (`d`, bytes at most, and what
 * each device works in at most)
 * - `bytes-sent`, `bytes-back` (`d`): that go to these devices and come from there, if they do all; where a device
 * works in the host's memory, they stay in place
 * - `expected` (`a{sv}`): `seconds` that the pass will take (`d`), which are `busy` of what is `busiest` (`s`), `ends`
 * while the first work item comes and the last one goes, and `fresh` for fresh memory; `left` (`d`), seconds after the
 * last projection of a source that waits for them, 0 if there is none; `bottleneck` (`s`), the slowest stage, and its
 * `bottleneck-seconds`; and what work items of `plain-rows` (`x`) would take, `plain-seconds`
 * - `bill` (`aa{sv}`): what the pass itself takes
 * - `stages` (`aa{sv}`), producers before consumers
 *
 * A stage has:
 *
 * - `node`, `title` and `role` (`s`): "task"; "load" or "save" of a materialised stream
 * - `inputs` (`ai`): the stage that feeds each input, -1 where there is none
 * - `format` (`a{sv}`): of its output, or of what a sink takes: `text`, `kind`, `element` (`s`) and `axes` (`aa{sv}`):
 * `axis` (`s`), `extent`, `first` and `step` (`x`, its place in the scan)
 * - of its output, which a sink has not: `lanes`, `block-bytes`, `pool-blocks` (`x`, blocks in flight), `memory` (`s`:
 * "host", "shared" or "device") and `held` (`b`, whether a join makes it wait)
 * - `rows-ahead` (`x`): rows of the input on which it works while projections come
 * - `requests` (`x`): to storage at a time; `piece-bytes` (`d`): that a source reads files in
 * - `takes-lanes` (`b`): whether it takes rows in lanes as they come, or they are taken apart for it
 * - `remark` (`s`): what runs, where the task tells; `bill` (`aa{sv}`): what it takes
 * - `seconds` (`d`) if no other stage runs; `time-ratio` (`d`) if one is kept: of its kernels, measured / predicted
 *
 * An item of a `bill` has `name` (`s`), `bytes` (`d`), which are those of `pieces` (`x`) times `piece-bytes` (`d`); in
 * `memory` the `node` that it belongs to and its `title`, if any, and in passes and stages `device` and `memory` (`s`:
 * "host", or "device" for its own). Host bytes of `memory` and of the largest pass add up to the peak.
 *
 * Returns: (transfer full): the plan
 */
SINO_PUBLIC
GVariant *sino_runner_plan (SinoRunner *self, SinoGraph *graph, GError **error);

/**
 * sino_runner_run:
 * @self: a runner
 * @graph: a graph
 * @cancellable: (nullable): ends the run when it is cancelled, from any thread
 * @error: return location for an error
 *
 * Runs a graph and waits for its end.
 *
 * Fails with the first error of a node, whose message begins with the name of the node, with %G_IO_ERROR_CANCELLED
 * when it was cancelled, in negotiation or later, and with %SINO_ERROR_FAILED when this runner is running already.
 *
 * A call of a node that does not return within ten seconds after the cancellation, as where a file system stalls, is
 * left behind with its thread: the message says which. The thread keeps what it needs of the graph until the call
 * returns, and does nothing more then.
 *
 * Returns: whether the run went well
 */
SINO_PUBLIC
gboolean sino_runner_run (SinoRunner *self, SinoGraph *graph, GCancellable *cancellable, GError **error);

/**
 * sino_runner_run_async:
 * @self: a runner
 * @graph: a graph
 * @cancellable: (nullable): ends the run when it is cancelled, from any thread
 * @callback: (scope async): called at the end, in the main context that is the default of this thread
 * @user_data: for @callback
 *
 * Runs a graph in the background, as it is now: nodes and edges that are changed after this, properties of Sinograph's
 * nodes, but for live ones, and those of the runner have no effect on this run. (Objects written in C or Python are not
 * copied; see [class@Sino.Task].)
 *
 * This returns at once. Negotiation, which opens files, is done in the background, too; what it finds is reported by
 * [method@Sino.Runner.run_finish].
 */
SINO_PUBLIC
void sino_runner_run_async (SinoRunner *self, SinoGraph *graph, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);

/**
 * sino_runner_run_finish:
 * @self: a runner
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends a call of [method@Sino.Runner.run_async].
 *
 * Fails as [method@Sino.Runner.run] does.
 *
 * Returns: whether the run went well
 */
SINO_PUBLIC
gboolean sino_runner_run_finish (SinoRunner *self, GAsyncResult *result, GError **error);

/**
 * sino_runner_set_live:
 * @self: a runner
 * @node: name of a node
 * @property: name of one of its live properties
 * @word: the value as text, as in a launch line
 * @error: return location for an error
 *
 * Changes a property while a run goes on, from any thread; the node sees it with the next block. `sinograph inspect
 * NODE` says which properties are live; tasks written in C or Python name theirs ([method@Sino.Task.set_live]).
 *
 * Fails with %SINO_ERROR_FAILED when no run is under way, %SINO_ERROR_BAD_GRAPH when it has no such node, and with
 * %SINO_ERROR_BAD_PROPERTY when the node has no such property, it is taken when a run begins, or the value is not
 * valid.
 *
 * Returns: whether the property was changed
 */
SINO_PUBLIC
gboolean sino_runner_set_live (SinoRunner *self, const gchar *node, const gchar *property, const gchar *word,
                               GError **error);

/**
 * sino_runner_get_statistics:
 * @self: a runner
 *
 * Tells about the run that is under way, from any thread, or else about the last one that was executed; of type
 * `a{sv}`:
 *
 * - `running` (`b`): whether it is under way
 * - `bottleneck` (`s`): the node that was at work longest so far; empty before any was
 * - `frames-done`, `frames-total` (`x`): projections that have come from outside the run (a program, a detector), and
 * of the scan; 0 where none have to come, or as long as their number is unknown
 * - `seconds` (`d`): how long it took
 * - `updates` (`d`): voxel updates, which are voxels times projections
 * - `voxels` (`d`): that were reconstructed
 * - `joules` (`d`): what the counters of CPUs and GPUs went on by, other processes included; absent where
 *   there is no counter that could be read
 * - `energy-delay` (`d`): joules times seconds; absent as these
 * - `voxels-per-second-per-watt` (`d`); absent as these, and without a reconstruction
 * - `energy` (`a{sd}`): joules by part, "CPU" (all packages) and ids of GPUs; those that were measured
 * - `energy-not-measured` (`a{ss}`): why the other parts were not
 * - `peak-memory` (`d`): bytes that were resident in the process at most
 * - `resident-memory` (`d`): bytes that are resident now
 * - `planned-memory` (`d`): bytes that the plan allowed for
 * - `memory-limit` (`d`): bytes that the process may use
 * - `tasks` (`aa{sv}`): for each node `node` (`s`), `blocks-in`, `blocks-out` (`x`), `busy`, `waiting` (`d`, seconds of
 * all its workers together), `begin`, `end` (`d`, seconds since the run began until its first block came in and its
 * last went out), `bytes-in`, `bytes-out` (`x`), `blocks-per-second`, `bytes-per-second` (`d`, from its begin on, of
 * what comes in or goes out, whichever is more), `queued`, `queue-capacity` (`x`, blocks that wait for it now, and
 * those that may), what it counted: `counters` (`a{sx}`), and what people should know: `messages` (`as`)
 *
 * - `devices` (`aa{sv}`): for each device `device` (`s`, its id) and what it did: `items`, `rows` (`x`) of work items;
 * `failure` (`s`): why it was left out; absent where it was not
 * - `ranks` (`aa{sv}`), in the first of several ranks (#SinoRunner:mpi): for each what it did: `items`, `rows` (`x`) of
 * work items, and `slices` (`x`) that its sinks took
 *
 * Returns: (transfer full) (nullable): the statistics, or %NULL when nothing was executed yet
 */
SINO_PUBLIC
GVariant *sino_runner_get_statistics (SinoRunner *self);

G_END_DECLS
