// SPDX-License-Identifier: LGPL-3.0-or-later
// What only some tasks are, besides what every task is (glue/task.hpp). A task inherits from its facets as well:
//
//   class Read final : public Task, public Reads
//
// All functions of a facet have defaults, so that a task answers only what is special about it.
#pragma once
#include "glue/task.hpp"

namespace sino {

// A facet of a task; one with the defaults where the task does not have it.
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

  // Plan: how it can be read.
  virtual Access access () const { return Access::random; }
  // Plan: bytes that must be read from storage for some rows, chunks and strips counted whole. The default counts what
  // the format says.
  virtual double bytes_read (const Format &output, const Rows &rows) const;
  // Plan: how many requests to its storage a worker has at work at most. Blocks are cut into several where they are
  // large; a whole block needs as many blocks in its pool.
  virtual int requests (int /*threads*/) const { return 1; }
  // Plan: how many projections a block of its output has at most, as where each lies in memory of its own.
  virtual int64_t most_angles (const Format &) const { return std::numeric_limits<int64_t>::max (); }
};

// A task that collects an input (Task::collects) or holds blocks back.
class SINO_VISIBLE Holds
{
public:
  virtual ~Holds ();

  // Plan: rows of the output, counted from the first, that are computed best together. Work items are cut there where
  // they can be.
  virtual int64_t rows_together (const Device &) const { return 1; }
  // Plan: whether the task takes the blocks of its output one by one when it has all inputs. If not, it takes all of
  // them before the first input, and fills them together.
  virtual bool fills_late (const Device &) const { return false; }
  // Plan: whether blocks of the output leave later than blocks of the port come, as they do where the port is
  // collected. Another stream which both are joined with then has to wait.
  virtual bool holds_back (size_t /*port*/) const { return false; }
};

// A task that has to see some rows of a scan before it knows the format of its output. A run negotiates again, from
// this task on, when it has seen them. Plans without a run make no surveys.
class SINO_VISIBLE Surveys
{
public:
  virtual ~Surveys ();

  // After negotiation: bands of rows of the first input that it has to see; none: it knows.
  virtual std::vector<Rows> survey (const Format &) const { return {}; }
  // Survey: makes the worker that sees them, a band or a part of one per work item, in single lanes. It has no output.
  // Several may be at work at a time. Its messages are kept.
  virtual std::unique_ptr<Worker> look (const Replica &) { return nullptr; }
  // Survey: whether that worker leaves out rows that are in none of the bands. Bands in the same chunks of a file are
  // then read together with the rows between them; else one of them has to do where all would read more than the whole
  // scan.
  virtual bool leaves_out_rows () const { return false; }
  // Survey: memory of that worker, as Task::memory () says it of the worker of a run.
  virtual void survey_memory (const Sizing &, Bill &) const {}
  // In place of a survey: why there is none, as a source upstream can be read only once.
  virtual void miss (const std::string &) {}
  // After the survey: what may be wrong in what was found or assumed, and what to do; "": it is sure. Strict runs end
  // there.
  virtual std::string doubt () const { return {}; }
  // After negotiation: whether Task::warnings () say only what was found.
  virtual Messages::Level level_of_warnings () const { return Messages::Level::warning; }
};

// A task that works with the program which embeds the library, or waits for something else outside of the run.
class SINO_VISIBLE Embedded
{
public:
  virtual ~Embedded ();

  // Before negotiation: whether it is a source that learns only from what comes how many projections there are. It then
  // takes all of it before a run looks at formats.
  virtual bool gathers () const { return false; }
  // Before negotiation: takes it. `monitor`: of the run.
  virtual void gather (const Monitor &) {}
  // For a plan that is made before the projections have come: how many there may be. Gives back false where that cannot
  // be said.
  virtual bool suppose (int64_t /*projections*/) { return false; }
  // Before negotiation: whether it wants a program, so that it cannot be a part of a graph that is only run.
  virtual bool needs_program () const { return false; }
  // Before the run begins.
  virtual void announce () {}
  // While passes are built: whether it lends memory for blocks that come to it alone.
  virtual bool lends () const { return false; }
  // During a pass, from other threads than its worker's: memory of `bytes` for a region of its input. The block holds
  // `place`, which bounds how many there are, until the task takes it.
  virtual std::shared_ptr<Buffer> lend (const Region &, size_t /*bytes*/, const std::shared_ptr<Buffer> & /*place*/)
  {
    return nullptr;
  }
  // During a pass: whether its workers wait for something outside of the run.
  virtual bool waits_outside () const { return false; }
  // When the run was cancelled or has failed, from another thread than its workers': wakes workers that wait so, and
  // returns at once. They are not called any more after that.
  virtual void unlock () {}
  // After a run that ended badly, perhaps before anything was started: tells those outside of it who wait for the task.
  virtual void abandon (const std::string & /*why*/) {}
};

// What decides the bytes of a result, by names for people: "graph", "inputs".
using RunKey = std::vector<std::pair<std::string, std::string>>;

// Whether a run keeps journals of what it has finished; goes on with those that are there, if any.
enum class Journals : uint8_t { none, kept, resumed };

// A sink that writes files.
class SINO_VISIBLE Writes
{
public:
  virtual ~Writes ();

  // After negotiation: paths of the files that it will write, which no other sink may write too.
  virtual std::vector<std::string> outputs () const { return {}; }
  // After negotiation: files that it keeps beside its outputs while it works.
  virtual std::vector<std::string> beside () const { return {}; }
  // Plan: whether it takes whole projections only (a page of a file). Work items then hold all rows.
  virtual bool whole_projections () const { return false; }
  // Plan: how many requests to its storage a worker has at work at most.
  virtual int requests (int /*threads*/) const { return 1; }
  // Before it starts: takes what decides the pixels that reach it: JSON text with the nodes upstream, the kind of
  // device and the variants. Files keep it.
  virtual void provenance (const std::string &) {}
  // At the end of a run that found its pixels wrong: nothing of them stays, and no later run goes on with them.
  virtual void distrust () {}

  // --- resume ---
  // After negotiation: whether a later run can go on with what this one has written when it is killed.
  virtual bool resumes () const { return false; }
  // Before it starts: how it keeps its journal. Throws where there is a journal that does not fit, and where there is
  // one at all unless it is resumed.
  virtual void keep_journal (Journals, const RunKey &) {}
  // After keep_journal (): rows of its input that are finished since an earlier run, in their order.
  virtual std::vector<Rows> finished_rows () const { return {}; }
  // After keep_journal (): whether an earlier run had come to its end with all of them.
  virtual bool complete_before () const { return false; }

  // --- several processes that work on one run ---
  // After negotiation: whether each of them can write its part.
  virtual bool shared () const { return resumes (); }
  // In the first process, once it has started: what the others need to know, to write to what it has opened.
  virtual std::string opened () const { return {}; }
  // In another process, before it starts. `rank`: its number, from 1 on.
  virtual void join (const std::string & /*opened*/, int /*rank*/) {}
  // In another process, in place of Task::finish (): what the first one has to know of what was written.
  virtual std::string part_finished () { return {}; }
  // In the first process, before Task::finish ().
  virtual void others_finished (std::span<const std::string> /*parts*/) {}
};

} // namespace sino
