// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/opencl/maker.hpp"
#include "filters/retrieve-phase/opencl/clfft-lines.hpp"
#include "filters/retrieve-phase/opencl/own-lines.hpp"

namespace sino::retrieve_phase {

std::unique_ptr<OpenclRetrieval> make_retrieval (const RetrievalSetup &setup)
{
  if (const auto plan = own_plan (setup.device, setup.setting, setup.plane))
    return std::make_unique<OwnLines> (setup, *plan);
  return std::make_unique<ClfftLines> (setup);
}

void retrieval_memory (const OpenclDevice &device, const families::Setting &setting, const Plane &plane, int64_t images,
                       Bill &bill)
{
  if (const auto plan = own_plan (device, setting, plane))
    OwnLines::memory (plane, *plan, images, bill);
  else
    ClfftLines::memory (device, plane, bill);
}

} // namespace sino::retrieve_phase
