// SPDX-License-Identifier: GPL-3.0-or-later
// Device and rack types as the NetBox community writes them, alone or with our sidecar behind them (core/foundation/catalog knows both), and whole
// installations from their server or exported files (importers/netbox/inventory).
#include "core/foundation/catalog/sidecar_file.h"
#include "core/foundation/catalog/sockets.h"
#include "importers/fetching_importer.h"
#include "importers/formats.h"
#include "importers/netbox/inventory/files.h"
#include "importers/netbox/inventory/reader.h"

#include <algorithm>
#include <map>
#include <optional>

namespace hw::importers {

namespace {

std::optional<PartTypeId> typeOf(const PartTypes& types, const std::string& slug)
{
    std::optional<PartTypeId> found;
    types.forEach([&](PartTypeId id) {
        if (types.slug[id] == slug) found = id;
    });
    return found;
}

Text kindText(PartKind kind)
{
    switch (kind) {
    case PartKind::Device: return i18n("device type");
    case PartKind::Rack: return i18n("rack type");
    case PartKind::Transceiver: return i18n("transceiver");
    case PartKind::Cable: return i18n("cable");
    case PartKind::Tray: return i18n("tray");
    }
    return {};
}

/// What was read of a device, what was not, and what no NetBox type can say.
void tellOfDevice(const exchange::ImportSource& source, const Part& part, const DeviceSpec& device, exchange::ImportPlan& plan)
{
    std::size_t ports = 0, fast = 0;
    std::map<std::string, int> uncabled; // by slug
    std::vector<std::string> slow;
    for (const Interface& interface : device.interfaces) {
        if (!takesCable(interface)) {
            ++uncabled[interface.slug];
            continue;
        }
        ++ports, fast += !interface.management && interface.rate.count() >= 100;
        if (!interface.management && interface.rate.count() == 0) slow.push_back(interface.name);
    }
    plan.facts.push_back(i18n("{}, {}, {}", i18np(ports, "{:L} port", "{:L} ports"),
                              i18np(device.inlets.size(), "{:L} power port", "{:L} power ports"),
                              i18np(device.outlets.size(), "{:L} power outlet", "{:L} power outlets")));
    plan.facts.push_back(i18n("power: typical {:.0f} W, design {:.0f} W, nameplate {:.0f} W", toWatts(device.typical.value),
                              toWatts(device.design.value), toWatts(device.nameplate.value)));
    for (const auto& [slug, count] : uncabled)
        plan.facts.push_back(
            i18np(count, "{:L} interface of type {} skipped: it takes no cable", "{:L} interfaces of type {} skipped: they take no cable", slug));
    for (const auto& [slug, count] : uncabled) plan.left += std::size_t(count);
    plan.read += ports;
    if (!slow.empty())
        plan.issues.push_back(
            {source.path.string() + " interfaces", i18n("unknown rate of {}: specify it in a sidecar (cages: [{{type, rate}}])", listedNames(slow))});
    const auto sidecar = sidecarOf(source.path);
    const bool known = part.definition.find("\nkind:") != std::string::npos || sidecar.empty();
    if (known || (fast == 0 && ports > 0)) return;
    plan.issues.push_back(
        {source.path.string(), i18n("a NetBox type does not specify breakouts, accelerators or liquid cooling: none assumed; if it has any, add "
                                    "them to {} (kind: device, slug: {}, cages: [{{type, splits}}], accelerators: N, liquid_share) and "
                                    "import it again",
                                    sidecar.filename().string(), part.slug)});
}

bool isYaml(const std::filesystem::path& path)
{
    const auto ending = path.extension();
    return ending == ".yaml" || ending == ".yml";
}

class NetboxImporter final : public FetchingImporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"netbox", i18n("NetBox server (URL) or exported lists (CSV, JSON, or a folder of them); or one device or rack type (YAML), added to "
                               "the project's part types")};
    }
    std::vector<exchange::FormatOption> options() const override { return netbox_in::inventoryOptions(); }
    bool probe(const exchange::ImportSource& source) const override
    {
        if (isYaml(source.path)) return source.content.find("slug:") != std::string::npos;
        return netbox_in::looksExported(source);
    }
    bool fetches(const std::string& path) const override
    {
        std::error_code error;
        return netbox_in::isUrl(path) || std::filesystem::is_directory(path, error);
    }
    bool together(std::span<const std::string> paths) const override
    {
        return std::ranges::none_of(paths, [](const std::string& path) { return isYaml(path); });
    }
    Result<exchange::ImportPlan> planTogether(std::span<const exchange::ImportSource> sources, const SnapshotPtr& base,
                                              const Progress& progress) const override
    {
        return netbox_in::planInventory(sources, base, progress);
    }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress& progress) const override
    {
        if (!isYaml(source.path)) return planTogether(std::span(&source, 1), base, progress);
        for (const auto& [name, value] : source.options)
            return fail(ErrorCode::Usage, "--" + name, i18n("has no effect on a device type"), i18n("omit it"));
        return planType(source, base);
    }

private:
    static Result<exchange::ImportPlan> planType(const exchange::ImportSource& source, const SnapshotPtr& base)
    {
        std::vector<LintIssue> doubts;
        const auto part = parseWithSidecar(source.content, source.path, &doubts);
        if (!part) return tl::unexpected(part.error());
        exchange::ImportPlan plan;
        plan.name = i18n("Import part type {}", part->slug);
        plan.facts.push_back(i18n("{} {}: {}", kindText(kindOf(*part)), part->slug, part->model));
        for (const LintIssue& doubt : doubts) plan.issues.push_back({doubt.where, doubt.what});
        if (const auto* device = std::get_if<DeviceSpec>(&part->spec)) tellOfDevice(source, *part, *device, plan);
        auto after = std::make_shared<Snapshot>(*base);
        PartTypes& types = after->partTypes;
        const auto known = typeOf(types, part->slug);
        if (known && types.kind[*known] != kindOf(*part))
            return fail(ErrorCode::Refused, source.path.string() + ": slug",
                        i18n("{} already exists in this project as a different kind of part", part->slug), i18n("use another slug"));
        const PartTypeId id = known ? *known : types.insert();
        if (!known) types.slug.set(id, part->slug), types.kind.set(id, kindOf(*part));
        if (types.definition[id] != part->definition) types.definition.set(id, part->definition);
        if (const auto fits = ProjectParts::of(types); !fits) return tl::unexpected(fits.error());
        plan.base = base;
        plan.after = std::move(after);
        return plan;
    }
};

} // namespace

std::unique_ptr<exchange::Importer> netboxImporter() { return std::make_unique<NetboxImporter>(); }

} // namespace hw::importers
