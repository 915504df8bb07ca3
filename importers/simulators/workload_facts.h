// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"
#include "simulation/training/aicb_text.h"

namespace hw::importers {

/// What a workload of AICB or SimAI contains, and what of it SimAI or this product plays otherwise than it reads.
void tellOfWorkload(const AicbWorkload& workload, const std::string& file, exchange::ImportPlan& plan);

} // namespace hw::importers
