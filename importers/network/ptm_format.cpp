// SPDX-License-Identifier: GPL-3.0-or-later
// topology.dot of the Prescriptive Topology Manager, which compares LLDP neighbors with it.
#include "core/foundation/files/atomic_file.h"
#include "importers/network/network_formats.h"
#include "importers/network/wiring.h"

#include <fmt/format.h>

namespace hw::importers {

namespace {

/// A quoted identifier of DOT.
std::string dotText(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

class PtmExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"ptm", i18n("topology.dot of the Prescriptive Topology Manager: expected LLDP neighbor of each port")};
    }
    bool oneFile() const override { return true; }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override { return {namingOption()}; }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        const auto naming = namingOf(job, PortNaming::Cumulus);
        if (!naming) return tl::unexpected(naming.error());
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        const auto wiring = Wiring::of(*design, job.network, *naming);
        if (!wiring) return tl::unexpected(wiring.error());
        const Wiring& w = **wiring;
        if (const auto checked = checkHostNames(w.s(), w.devices); !checked) return checked;
        std::string text = fmt::format("graph {} {{\n  LLDP=\"\"\n  hostnametype=\"hostname\"\n", dotText(w.s().setting("project.name", "design")));
        for (const auto& link : w.links)
            text += fmt::format("  {}:{} -- {}:{}\n", dotText(w.deviceName(link.upper)), dotText(w.names.of(link.upper)),
                                dotText(w.deviceName(link.lower)), dotText(w.names.of(link.lower)));
        return writeFile(job.output, text + "}\n");
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> ptmExporter() { return std::make_unique<PtmExporter>(); }

void addNetworkFormats(exchange::Formats& formats)
{
    formats.add(addressingExporter());
    formats.add(sonicExporter());
    formats.add(avdExporter());
    formats.add(containerlabExporter());
    formats.add(ptmExporter());
}

} // namespace hw::importers
