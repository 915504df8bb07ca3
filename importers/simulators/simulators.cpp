// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/simulators.h"

namespace hw::importers {

void addSimulatorFormats(exchange::Formats& formats)
{
    formats.add(epanetImporter());
    formats.add(simaiImporter());
    formats.add(chakraImporter());
    formats.add(astraExporter());
    formats.add(simaiExporter());
    formats.add(htsimExporter());
    formats.add(simgridExporter());
    formats.add(epanetExporter());
    formats.add(openfoamExporter());
}

} // namespace hw::importers
