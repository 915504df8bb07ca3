// SPDX-License-Identifier: GPL-3.0-or-later
// The planned cabling for the NDT plugin of UFM, which compares it with what the subnet manager sees.
#include "core/foundation/files/csv.h"
#include "importers/fabricfiles/ib_fabric.h"
#include "importers/fabricfiles/ib_files.h"

#include <fmt/format.h>

namespace hw::importers {

namespace {

class UfmNdtExporter final : public IbExporter {
public:
    exchange::FormatInfo info() const override { return {"ufm-ndt", TextId("planned InfiniBand links for the UFM NDT plugin; .csv")}; }

private:
    Result<std::string> textOf(const exchange::ExportJob&, const Snapshot& s, const IbFabric& fabric) const override
    {
        std::string text = "#StartDevice,StartPort,EndDevice,EndPort,LinkType\n"; // line feeds alone: the plugin refuses others
        s.links.forEach([&](LinkId id) {
            if (!fabric.has(id)) return;
            const auto near = fabric.end(s.links.to[id]), far = fabric.end(s.links.from[id]); // from the switch, or the upper one
            appendCsv(text, near.node);
            text += fmt::format(",Port {},", near.port);
            appendCsv(text, far.node);
            text += fmt::format(",Port {},Data\n", far.port);
        });
        return text;
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> ufmNdtExporter() { return std::make_unique<UfmNdtExporter>(); }

} // namespace hw::importers
