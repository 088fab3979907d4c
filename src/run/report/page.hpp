// SPDX-License-Identifier: LGPL-3.0-or-later
// The report of a run as one page of HTML, which needs no other file and no network. It also has its data as JSON.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sino {

// Rows of a table: a name and what it is, for people.
using ReportRows = std::vector<std::pair<std::string, std::string>>;

struct ReportNode {
  std::string name, type;
  ReportRows settings;                                // properties that were set
  std::string remark;                                 // what it found, or the kernel that it used
  std::vector<std::pair<std::string, bool>> messages; // the flag: a warning
};

// Work of a node, or of a part of one.
struct ReportTime {
  std::string node;
  double busy, waiting; // seconds
  std::string counted;
};

struct Report {
  std::string scan, state, when; // state: "done", "failed" or "cancelled"
  std::string error;             // why it failed
  std::vector<std::string> warnings;
  std::vector<ReportRows> results;                           // one for each output
  std::vector<std::pair<std::string, std::string>> pictures; // PNG as base64, and what it shows
  ReportRows geometry, summary, provenance;
  std::vector<ReportNode> nodes;
  std::vector<ReportTime> times;
  std::string line, graph; // the graph as a launch line, and as JSON
  std::string json;        // all of this for programs
};

// The text of src/run/report/report.html; {{name}} stands for a part.
extern const char *const report_template;

std::string page_of (const Report &report);

// Whether a file is such a page. Other files are never replaced by one.
bool is_report (const std::string &path);

} // namespace sino
