// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/report/page.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include <fstream>
#include <map>

namespace sino {

namespace {

// Text in HTML. Names of files may contain anything, also control characters and bytes that are not UTF-8.
std::string in_html (const std::string &words)
{
  std::string out;
  for (const char c : shown_lines (words))
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  return out;
}

std::string element (const char *name, const std::string &content)
{
  return std::string ("<") + name + ">" + content + "</" + name + ">";
}

// A part of the page; "" if there is nothing in it.
std::string section (const char *title, const std::string &content)
{
  return content.empty () ? "" : "<section>\n<h2>" + in_html (title) + "</h2>\n" + content + "</section>\n";
}

std::string table (const ReportRows &rows)
{
  if (rows.empty ())
    return {};
  return "<table><tbody>\n" +
         join (rows, "",
               [] (const auto &row) {
                 return "<tr><th scope=\"row\">" + in_html (row.first) + "</th><td>" + in_html (row.second) +
                        "</td></tr>\n";
               }) +
         "</tbody></table>\n";
}

std::string warnings_of (const Report &report)
{
  std::string items;
  if (!report.error.empty ())
    items += element ("li", "<span class=\"" + report.state + "\">" + in_html (report.error) + "</span>");
  for (const auto &warning : report.warnings)
    items += element ("li", in_html (warning));
  return items.empty () ? ""
                        : "<section class=\"warnings\">\n<h2>" +
                              std::string (report.error.empty () ? "Warnings" : "What went wrong") + "</h2>\n<ul>" +
                              items + "</ul>\n</section>\n";
}

std::string pictures_of (const Report &report)
{
  return join (report.pictures, "", [] (const auto &picture) {
    return "<figure><img alt=\"" + in_html (picture.second) + "\" src=\"data:image/png;base64," + picture.first +
           "\"><figcaption class=\"muted\">" + in_html (picture.second) + "</figcaption></figure>\n";
  });
}

std::string row_of (const ReportNode &node)
{
  std::string said = node.remark.empty () ? "" : element ("p", in_html (node.remark));
  std::string messages;
  for (const auto &[words, warns] : node.messages)
    messages += element ("li", (warns ? "<strong>warning:</strong> " : "") + in_html (words));
  if (!messages.empty ())
    said += element ("ul", messages);
  const auto settings =
      join (node.settings, "<br>", [] (const auto &s) { return in_html (s.first) + " = " + in_html (s.second); });
  const auto title =
      node.name == node.type ? in_html (node.type) : in_html (node.type) + " (" + in_html (node.name) + ")";
  return "<tr><th scope=\"row\">" + title + "</th>" + element ("td", settings) + element ("td", said) + "</tr>\n";
}

std::string nodes_of (const Report &report)
{
  return "<table><thead><tr><th scope=\"col\">node</th><th scope=\"col\">set</th><th scope=\"col\">found and "
         "reported</th></tr></thead><tbody>\n" +
         join (report.nodes, "", row_of) + "</tbody></table>\n";
}

std::string times_of (const Report &report)
{
  return "<table><thead><tr><th scope=\"col\">node</th><th scope=\"col\" class=\"number\">busy s</th><th scope=\"col\" "
         "class=\"number\">waiting s</th><th scope=\"col\">counted</th></tr></thead><tbody>\n" +
         join (report.times, "",
               [] (const ReportTime &t) {
                 return "<tr><th scope=\"row\">" + in_html (t.node) + "</th>" +
                        text ("<td class=\"number\">%.3f</td><td class=\"number\">%.3f</td>", t.busy, t.waiting) +
                        element ("td", in_html (t.counted)) + "</tr>\n";
               }) +
         "</tbody></table>\n";
}

std::string provenance_of (const Report &report)
{
  return table (report.provenance) + "<h3>As a launch line</h3>\n" + element ("pre", in_html (report.line)) +
         "\n<h3>As a graph</h3>\n" + element ("pre", in_html (report.graph)) + "\n";
}

} // namespace

std::string page_of (const Report &report)
{
  // A script ends at the first "</script", also within a text of JSON.
  auto json = report.json;
  for (size_t at = 0; (at = json.find ('<', at)) != json.npos;)
    json.replace (at, 1, "\\u003c");
  const std::map<std::string, std::string, std::less<>> parts{
      {"scan", in_html (report.scan)},
      {"state", report.state},
      {"when", in_html (report.when)},
      {"warnings", warnings_of (report)},
      {"result", section ("Result", join (report.results, "", table))},
      {"pictures", section ("Pictures", pictures_of (report))},
      {"geometry", section ("Geometry", table (report.geometry))},
      {"nodes", section ("What was done", nodes_of (report))},
      {"time", section ("Time and memory", table (report.summary) + times_of (report))},
      {"provenance", section ("Provenance", provenance_of (report))},
      {"json", json}};
  std::string page;
  const std::string_view whole = report_template;
  for (size_t at = 0; at < whole.size ();) {
    const auto begin = std::min (whole.find ("{{", at), whole.size ()),
               end = std::min (whole.find ("}}", begin), whole.size ());
    page += whole.substr (at, begin - at);
    if (const auto part = parts.find (whole.substr (std::min (begin + 2, end), end - std::min (begin + 2, end)));
        part != parts.end ())
      page += part->second;
    at = std::min (end + 2, whole.size ());
  }
  return page;
}

bool is_report (const std::string &path)
{
  std::string begin (512, '\0');
  std::ifstream file (path, std::ios::binary);
  file.read (begin.data (), std::ssize (begin));
  return begin.find ("<meta name=\"generator\" content=\"sinograph report\">") != begin.npos;
}

} // namespace sino
