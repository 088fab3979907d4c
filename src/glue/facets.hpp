// SPDX-License-Identifier: LGPL-3.0-or-later
// Questions that only some tasks have to answer, besides those in glue/task.hpp. A task inherits from its facets as
// well:
//
//   class Read final : public Task, public Reads
//
// All functions of a facet have defaults, so a task overrides only what differs.
#pragma once
#include "glue/task.hpp"

namespace sino {

namespace formats {
class Stack;
}

// Returns a facet of a task; if the task does not have it, one with the defaults.
template <class Facet> Facet &facet (Task &task)
{
  static Facet defaults;
  auto *own = dynamic_cast<Facet *> (&task);
  return own ? *own : defaults;
}
template <class Facet> const Facet &facet (const Task &task)
{
  return facet<Facet> (const_cast<Task &> (task));
}

// random: any rows, any time, several times. once: all projections in order, a single time.
enum class Access { random, once };

// A source.
class SINO_VISIBLE Reads
{
public:
  virtual ~Reads ();

  // Plan: whether it can be read several times.
  virtual Access access () const { return Access::random; }
  // Plan: bytes that must be read from storage for some rows, including whole chunks and strips. Default: the bytes of
  // these rows in the format.
  virtual double bytes_read (const Format &output, const Rows &rows) const;
  // Plan: largest number of storage requests that a worker has active at a time. Large blocks are split into several
  // requests; if a request is a whole block, the pool needs as many blocks.
  virtual int requests (int /*threads*/) const { return 1; }
  // Plan: largest number of projections in an output block, for example if each projection lies in separate memory.
  virtual int64_t most_angles (const Format &) const { return std::numeric_limits<int64_t>::max (); }
  // After negotiation: the images that it reads, with all rows and columns of the file, for programs that look at parts
  // of them at any time; null: it has none.
  virtual std::shared_ptr<const formats::Stack> images () const { return nullptr; }
};

// A task that waits for all blocks of an input (Task::collects), or whose output blocks come after later inputs.
class SINO_VISIBLE Holds
{
public:
  virtual ~Holds ();

  // Plan: number of output rows, counted from the first, that should be computed together. Work items are cut at their
  // multiples if possible.
  virtual int64_t rows_together (const Device &) const { return 1; }
  // Plan: whether the output can only be computed as a whole. A pass then has a single work item.
  virtual bool whole_volume () const { return false; }
  // Plan: whether the task takes the blocks of its output one by one after it has all inputs. If not, it takes all
  // output blocks before the first input, and fills them together.
  virtual bool fills_late (const Device &) const { return false; }
  // Plan: if it fills late, the share of its work on this device that it does while blocks of its output leave.
  virtual double share_late (const Device &) const { return 0; }
  // Plan: whether its workers on this device tell consumers how far their blocks are filled (Output::show ()).
  virtual bool shows_filling (const Device &) const { return false; }
  // Plan: whether output blocks come later than input blocks of the port; true if the port is collected. If a task
  // joins both streams, the other one then has to wait.
  virtual bool holds_back (size_t /*port*/) const { return false; }
};

// A task that works on the blocks of its collected input while these are filled (Input::filling ()), in threads that
// have nothing else to do. If the source waits for a detector, less is left to do after the last projection.
class SINO_VISIBLE WorksAhead
{
public:
  virtual ~WorksAhead ();

  // Plan: whether its workers on this device do.
  virtual bool works_ahead (const Device &) const { return false; }
  // Plan: the part of Task::seconds () that can be done ahead.
  virtual double seconds_ahead (const Device &, int /*threads*/) const { return 0; }

  // Sets the number of rows of a work item on which it works ahead; 0: none. Called before Task::memory () and
  // Task::start (), which depend on it.
  virtual void allow_ahead (int64_t /*rows*/) {}
};

// A task that must read some rows of a scan before it knows its output format (a survey). After the survey, the run
// negotiates this task and those after it again. Plans without a run make no surveys.
class SINO_VISIBLE Surveys
{
public:
  virtual ~Surveys ();

  // After negotiation: bands of rows of the first input that it has to see; none: no survey is needed.
  virtual std::vector<Rows> survey (const Format &) const { return {}; }
  // Survey: makes the worker that sees them, in single lanes; a work item has one band or a part of one. The worker has
  // no output. Several workers may run at a time. Their messages are kept.
  virtual std::unique_ptr<Worker> look (const Replica &) { return nullptr; }
  // Survey: whether the worker skips rows that are in none of the bands. Bands in the same chunks of a file are then
  // read together with the rows between them. If false, and all bands together would read more than the whole scan,
  // only one of them is used.
  virtual bool leaves_out_rows () const { return false; }
  // Survey: whether tasks before it may estimate these rows (Estimates).
  virtual bool takes_estimates () const { return false; }
  // Survey: memory of that worker, like Task::memory () for the worker of a run.
  virtual void survey_memory (const Sizing &, Bill &) const {}
  // Called instead of a survey, with the reason why there is none, for example a source that can be read only once.
  virtual void miss (const std::string &) {}
  // After the survey: what may be wrong with a result or an assumption, and how to correct it; "": no doubt. Strict
  // runs fail on a doubt.
  virtual std::string doubt () const { return {}; }
  // After negotiation: level of Task::warnings (); info if these only report results.
  virtual Messages::Level level_of_warnings () const { return Messages::Level::warning; }
};

// A task that can compute a few rows nearly right from fewer rows than demand () gives, for surveys that read a part of
// the scan.
class SINO_VISIBLE Estimates
{
public:
  virtual ~Estimates ();

  // Survey: rows of the first input from which it can estimate `rows` of the output; none: it cannot. Their number does
  // not depend on `rows`.
  virtual Rows estimate_demand (const Rows & /*rows*/) const { return {}; }
  // Sets whether its workers estimate. Called before Task::memory () and Task::start (), which depend on it.
  virtual void let_estimate (bool) {}
};

// A task that works with the embedding program, or waits for something else outside the run.
class SINO_VISIBLE Embedded
{
public:
  virtual ~Embedded ();

  // Before negotiation: whether this is a source that knows its format only after the first projections, or all of
  // them, have come. It then waits for these before negotiation.
  virtual bool gathers () const { return false; }
  // Before negotiation: waits for these projections. `monitor`: of the run.
  virtual void gather (const Monitor &) {}
  // Whether all projections come before negotiation, and none during the run.
  virtual bool gathers_all () const { return false; }
  // For a plan before the projections have come: sets the assumed number of projections. Returns false if the task
  // cannot assume one.
  virtual bool suppose (int64_t /*projections*/) { return false; }
  // Before negotiation: whether it needs an embedding program, so that its graph cannot be run by a command.
  virtual bool needs_program () const { return false; }
  // Before the run begins: informs the task of it.
  virtual void announce () {}
  // While passes are built: whether it lends memory for blocks that only this task takes.
  virtual bool lends () const { return false; }
  // During a pass, from other threads than its worker's: returns memory of `bytes` for a region of its input. The block
  // holds `place`, which limits their number, until the task takes it.
  virtual std::shared_ptr<Buffer> lend (const Region &, size_t /*bytes*/, const std::shared_ptr<Buffer> & /*place*/)
  {
    return nullptr;
  }
  // During a pass: whether its workers wait for something outside the run.
  virtual bool waits_outside () const { return false; }
  // When the run was cancelled or has failed, from another thread: wakes workers that wait outside, and returns at
  // once. The workers are not called again after that.
  virtual void unlock () {}
  // After a failed run, even if nothing was started: informs those outside who wait for the task.
  virtual void abandon (const std::string & /*why*/) {}
};

// Everything that determines the bytes of a result; each item has a name for users: "graph", "inputs".
using RunKey = std::vector<std::pair<std::string, std::string>>;

// Whether a run keeps journals of its finished work; resumed: it also continues existing ones.
enum class Journals : uint8_t { none, kept, resumed };

// A sink that writes files.
class SINO_VISIBLE Writes
{
public:
  virtual ~Writes ();

  // After negotiation: paths of the files that it will write; no other sink may write them.
  virtual std::vector<std::string> outputs () const { return {}; }
  // After negotiation: files beside its outputs that it writes while it works, for example a journal.
  virtual std::vector<std::string> beside () const { return {}; }
  // After the survey: what the report of a run says about its outputs, by names for people: "voxel size", "0.05 mm".
  virtual std::vector<std::pair<std::string, std::string>> about () const { return {}; }
  // Plan: whether it takes only whole projections (a page of a file). Work items then hold all rows.
  virtual bool whole_projections () const { return false; }
  // Plan: largest number of storage requests that a worker has active at a time.
  virtual int requests (int /*threads*/) const { return 1; }
  // Before it starts: takes the provenance, JSON text with everything that decides its pixels: nodes upstream, kind of
  // device, variants. Files record it.
  virtual void provenance (const std::string &) {}
  // At the end of a run whose verification failed: removes the written pixels, so that no later run continues with
  // them.
  virtual void distrust () {}

  // --- resume ---
  // After negotiation: whether a later run can continue the outputs of this one if it is killed.
  virtual bool resumes () const { return false; }
  // Before it starts: sets the use of its journal. Throws if there is a journal that does not fit, or any journal
  // unless the run resumes it.
  virtual void keep_journal (Journals, const RunKey &) {}
  // After keep_journal (): rows of its input that an earlier run has finished, in order.
  virtual std::vector<Rows> finished_rows () const { return {}; }
  // After keep_journal (): whether an earlier run was complete.
  virtual bool complete_before () const { return false; }

  // --- several processes in one run ---
  // After negotiation: whether each process can write its part.
  virtual bool shared () const { return resumes (); }
  // In the first process, after the start: data that the others need to write to the opened output.
  virtual std::string opened () const { return {}; }
  // In another process, before the start. `rank`: its number, from 1.
  virtual void join (const std::string & /*opened*/, int /*rank*/) {}
  // In another process, instead of Task::finish (): report for the first process about the written part.
  virtual std::string part_finished () { return {}; }
  // In the first process, before Task::finish (): takes the reports.
  virtual void others_finished (std::span<const std::string> /*parts*/) {}
};

} // namespace sino
