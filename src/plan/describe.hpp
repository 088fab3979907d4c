// SPDX-License-Identifier: LGPL-3.0-or-later
// A plan for people to read, and as a graph for Graphviz.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// "the materialised output of 'read'"
std::string stage_title (const PlanInput &in, const Stage &stage);
// The busiest resource of a pass: "the processors", or a stage.
std::string busiest_title (const PlanInput &in, const Pass &pass);
// Bytes that go to the devices of a pass and come back, as if these devices ran the whole pass.
struct Traffic {
  double sent = 0, back = 0;
};
Traffic traffic_of (const PlanInput &in, const Pass &pass);
// Size in bytes of the pieces in which a source reads files; 0 for other stages.
double piece_bytes (const PlanInput &in, const Pass &pass, size_t stage);
// A task's remark about its work in a stage, or "".
std::string remark_of (const PlanInput &in, const Pass &pass, const Stage &stage);
// Rows that a node surveys before the run.
struct Survey {
  const NetNode *node;
  int64_t rows;
};
std::vector<Survey> surveys_of (const PlanInput &in);

std::string describe_plan (const PlanInput &input, const Plan &plan);
std::string dot_plan (const PlanInput &input, const Plan &plan);

} // namespace sino
