// SPDX-License-Identifier: GPL-3.0-or-later
// Names of nodes by GUID, for opensm, ibnetdiscover and iblinkinfo (--node-name-map). GUIDs are those that captures have taught the design.
#include "importers/fabricfiles/ib_fabric.h"
#include "importers/fabricfiles/ib_files.h"

#include <map>

#include <fmt/format.h>

namespace hw::importers {

namespace {

class NodeNamesExporter final : public IbExporter {
public:
    exchange::FormatInfo info() const override { return {"ib-node-names", TextId("node-name-map for opensm: design names by GUID")}; }

private:
    Result<std::string> textOf(const exchange::ExportJob& job, const Snapshot& s, const IbFabric& fabric) const override
    {
        std::map<DeviceId, std::vector<std::string>> guids;
        s.hardwareIds.forEach([&](HardwareIdId id) {
            if (const std::string& value = s.hardwareIds.value[id]; value.starts_with("0x")) guids[s.hardwareIds.device[id]].push_back(value);
        });
        std::string text, missing;
        std::size_t known = 0, lacking = 0;
        for (const auto* devices : {&fabric.switches(), &fabric.hosts()})
            for (const DeviceId id : *devices) {
                const auto found = guids.find(id);
                if (found == guids.end()) {
                    missing += fmt::format("# {}\n", s.devices.name[id]);
                    ++lacking;
                    continue;
                }
                ++known;
                for (const auto& guid : found->second) text += fmt::format("{} \"{}\"\n", guid, s.devices.name[id]);
            }
        if (known == 0)
            return fail(ErrorCode::Refused, job.project.string(), i18n("no GUID of an InfiniBand node is known"),
                        i18n("import a capture of the fabric first: import ibnetdiscover FILE --into {}", job.project.filename().string()));
        if (lacking > 0) text += "# " + words(i18np(lacking, "{:L} node without a known GUID:", "{:L} nodes without a known GUID:")) + "\n" + missing;
        return text;
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> nodeNamesExporter() { return std::make_unique<NodeNamesExporter>(); }

} // namespace hw::importers
