// SPDX-License-Identifier: GPL-3.0-or-later
// Configuration of devices as it is: compared with the design (--compare, acceptance), never kept in it.
#include "importers/captures/prompts.h"
#include "importers/configuration/config_files.h"

#include <set>

namespace hw::importers {

namespace {

class ConfigImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override
    {
        return {"config", i18n("configuration of hosts and switches: ethtool, mlnx_qos, lspci -vv, nvidia-smi -q, show commands of SONiC and NX-OS, "
                               "config_db.json, NVUE JSON; with --compare")};
    }
    bool observes() const override { return true; }
    bool probe(const exchange::ImportSource& source) const override
    {
        for (const char* word :
             {"NVSMI LOG", "firmware-version:", "Pause parameters for ", "Priority trust state:", "LnkSta:", "Lossless priorities", // no text
              "Oper(VL bmap)", "\"DEVICE_METADATA\""})                                                                              // no text
            if (source.content.find(word) != std::string::npos) return true;
        return false;
    }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress& progress) const override
    {
        return planTogether({&source, 1}, base, progress);
    }
    Result<exchange::ImportPlan> planTogether(std::span<const exchange::ImportSource> sources, const SnapshotPtr& base,
                                              const Progress&) const override
    {
        const auto read = readConfiguration(sources, *base);
        if (!read) return tl::unexpected(read.error());
        exchange::ImportPlan plan;
        plan.name = i18n("Configuration of devices");
        plan.base = base;
        std::set<std::string> devices;
        for (const auto& item : read->items) devices.insert(item.device);
        plan.facts.push_back(i18n("{} of {} from {}", i18np(read->items.size(), "{:L} item", "{:L} items"),
                                  i18np(devices.size(), "{:L} device", "{:L} devices"), i18np(read->files, "{:L} file", "{:L} files")));
        for (const auto& doubt : read->doubts) plan.issues.push_back({doubt.where, doubt.what});
        plan.read = read->items.size(), plan.left = read->doubts.size();
        return plan;
    }
};

} // namespace

std::unique_ptr<exchange::Importer> configImporter() { return std::make_unique<ConfigImporter>(); }

} // namespace hw::importers
