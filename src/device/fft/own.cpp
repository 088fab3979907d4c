// SPDX-License-Identifier: LGPL-3.0-or-later
// The project's own transforms behind the C entry of backend.h.
#include "device/fft/backend.hpp"
#include "device/fft/chirp.hpp"
#include <map>
#include <memory>
#include <mutex>
#include <variant>

namespace sino {

namespace {

using OwnPlan = std::variant<FftPlan, Chirp>;
using SharedPlan = std::shared_ptr<const OwnPlan>;

// Plans that are in use are shared. Tests change the instruction set, so that it counts as well.
SharedPlan plan_of (int64_t length)
{
  // Never destroyed: threads that a run has left may work while the process leaves.
  using Plans = std::map<std::pair<int64_t, decltype (FftKernel::transform)>, std::weak_ptr<const OwnPlan>>;
  static auto &mutex = *new std::mutex;
  static auto &plans = *new Plans;
  const auto kernel = fft_kernel ();
  const std::lock_guard guard (mutex);
  auto &known = plans[{length, kernel.transform}];
  auto plan = known.lock ();
  if (!plan) {
    plan = FftPlan::covers (length) ? std::make_shared<const OwnPlan> (std::in_place_type<FftPlan>, length, kernel)
                                    : std::make_shared<const OwnPlan> (std::in_place_type<Chirp>, length, kernel);
    known = plan;
  }
  return plan;
}

void transform (const void *plan, const float *from, float *to, float *work, bool back)
{
  const auto &own = **static_cast<const SharedPlan *> (plan);
  if (const auto *direct = std::get_if<FftPlan> (&own))
    direct->kernel.transform (*direct, from, to, work, back);
  else
    std::get<Chirp> (own).transform (from, to, work, back);
}

constexpr SinoFftBackend own_transforms{
    .plan = [] (int64_t length) -> void * { return new SharedPlan (plan_of (length)); },
    .drop = [] (void *plan) { delete static_cast<SharedPlan *> (plan); },
    .plan_bytes =
        [] (int64_t length) {
          return FftPlan::covers (length) ? FftPlan::most_bytes (length) : Chirp::most_bytes (length);
        },
    .work_values = [] (int64_t length) { return FftPlan::covers (length) ? length : Chirp::work_values (length); },
    .forward = [] (const void *plan, const float *from, float *to,
                   float *work) { transform (plan, from, to, work, false); },
    .backward = [] (const void *plan, const float *from, float *to,
                    float *work) { transform (plan, from, to, work, true); }};

} // namespace

const SinoFftBackend &fft_backend ()
{
  return own_transforms;
}

} // namespace sino
