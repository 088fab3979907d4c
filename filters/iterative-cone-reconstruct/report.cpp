// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-cone-reconstruct/report.hpp"
#include "base/text.hpp"
#include <cmath>

namespace sino::iterative_cone_reconstruct {

Report::Report (const Replica &replica, const Problem &p, const char *m, FoundNoise n, double s)
    : messages (replica.messages), counters (replica.counters), problem (p), method (m), noise (n), scale (s)
{
}

void Report::step (const Outcome &outcome)
{
  counters.add ("iterations", 1);
  if (!due.now ())
    return;
  messages.add (text ("%s, iteration %d of %d, which ", method, outcome.iterations, problem.solving.iterations) +
                    words (outcome),
                Messages::Level::info);
}

void Report::tell (const Outcome &outcome) const
{
  auto line = text ("%s, %d iterations, the last ", method, outcome.iterations) + words (outcome) +
              text (", which is %.3g (%s)", noise.deviation / scale, noise.source);
  if (problem.solving.method == Method::tv)
    line += text ("; strength %g", problem.solving.strength);
  messages.add (std::move (line), Messages::Level::info);
}

std::string Report::words (const Outcome &outcome) const
{
  const auto &scene = problem.scene;
  const double values = static_cast<double> (problem.views ()) * static_cast<double> (scene.columns * scene.rows);
  return text ("%s %.1e; projections differ from the volume by %.2f times their noise",
               problem.solving.method == Method::cgls ? "left of the gradient" : "changed it by", outcome.change,
               noise.deviation > 0 ? std::sqrt (outcome.residual / values) / noise.deviation : 0);
}

} // namespace sino::iterative_cone_reconstruct
