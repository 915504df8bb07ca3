// SPDX-License-Identifier: GPL-3.0-or-later
// The address plan as files.
#include "core/design/addressing/address_files.h"
#include "importers/network/network_formats.h"

namespace hw::importers {

namespace {

class AddressingExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"addressing",
                i18n("loopbacks, subnets, AS numbers, link and management addresses, breakouts; output is a folder, PATH.json or PATH.csv")};
    }
    bool takesPhase() const override { return true; }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        const Snapshot& s = **design;
        const auto parts = ProjectParts::of(s.partTypes);
        if (!parts) return tl::unexpected(parts.error());
        const auto plan = planAddresses(s, progress);
        if (!plan) return tl::unexpected(plan.error());
        if (job.output.extension() == ".json") return writeAddressJson(*plan, s, **parts, job.output, progress);
        if (job.output.extension() == ".csv") return writeAddressCsv(*plan, s, **parts, job.output, progress);
        return exchange::writeFolderWhole(job.output, "addressing.json",
                                          [&](const std::filesystem::path& path) { return writeAddressFolder(*plan, s, **parts, path, progress); });
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> addressingExporter() { return std::make_unique<AddressingExporter>(); }

} // namespace hw::importers
