// SPDX-License-Identifier: GPL-3.0-or-later
// Device and rack types as the NetBox community writes them, alone or with our sidecar behind them; core/catalogue knows both.
#include "core/catalogue/catalogue.h"
#include "importers/formats.h"

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

class NetboxImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override
    {
        return {"netbox", i18n("a NetBox device or rack type (YAML), or a part of our catalogue: into the project's part types")};
    }
    bool probe(const exchange::ImportSource& source) const override
    {
        const auto ending = source.path.extension();
        return (ending == ".yaml" || ending == ".yml") && source.content.find("slug:") != std::string::npos;
    }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress&) const override
    {
        std::vector<LintIssue> doubts;
        const auto part = Catalogue::parse(source.content, source.path.string(), &doubts);
        if (!part) return tl::unexpected(part.error());
        exchange::ImportPlan plan;
        plan.name = i18n("Import part type {}", part->slug);
        plan.facts.push_back(i18n("{} {}: {}", kindText(kindOf(*part)), part->slug, part->model));
        for (const LintIssue& doubt : doubts) plan.issues.push_back({doubt.where, doubt.what});
        auto after = std::make_shared<Snapshot>(*base);
        PartTypes& types = after->partTypes;
        const auto known = typeOf(types, part->slug);
        if (known && types.kind[*known] != kindOf(*part))
            return fail(ErrorCode::Refused, source.path.string() + ": slug", i18n("{} is a part of another kind in this project", part->slug),
                        i18n("give it another slug"));
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
