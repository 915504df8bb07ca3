// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/atomic_file.h"
#include "core/output/scene/scene_options.h"
#include "importers/formats.h"
#include "importers/ifc/ifc_export.h"
#include "importers/ifc/ifc_rooms.h"

#include <algorithm>

namespace hw::importers {

namespace {

constexpr const char* kNoDate = "1970-01-01T00:00:00"; ///< a header needs one

class IfcExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"ifc", i18n("building model (IFC4 reference view): rooms, racks, equipment, trays, pipes and feeds with property sets")};
    }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        auto options = scene::sceneOptions();
        options.push_back(scene::dateOption());
        return options;
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        auto date = scene::dateOf(job.options);
        if (!date) return tl::unexpected(date.error());
        if (date->empty()) *date = kNoDate;
        if (date->size() == 10) *date += "T00:00:00";
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        const auto scope = scene::scopeOf(*(*figures)->snapshot, job.options);
        if (!scope) return tl::unexpected(scope.error());
        return writeFile(job.output, ifc::ifcText(**figures, *scope, {"model.ifc", *date}));
    }
};

class IfcImporter final : public exchange::Importer {
public:
    exchange::FormatInfo info() const override
    {
        return {"ifc", i18n("building model (IFC2x3, IFC4): spaces as halls, with walls, columns, doors and ramps")};
    }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"hall", "NAME", i18n("hall that receives the space; if omitted, halls are created in new buildings")},
                {"space", "NAME", i18n("name or long name of a space to import, repeatable; if omitted, all"), true}};
    }
    bool probe(const exchange::ImportSource& source) const override
    {
        const std::string_view head = std::string_view(source.content).substr(0, 4096);
        const auto schema = head.find("FILE_SCHEMA");
        return head.find("ISO-10303-21") < 200 && schema != head.npos && head.find("IFC", schema) != head.npos;
    }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress& progress) const override
    {
        const std::string path = source.path.string();
        const auto file = ifc::StepFile::read(source.content, path, progress);
        if (!file) return tl::unexpected(file.error());
        if (!file->schema().starts_with("IFC"))
            return fail(ErrorCode::Refused, path,
                        file->schema().empty() ? i18n("no schema specified") : i18n("schema {} is not supported", file->schema()),
                        i18n("export the building model as IFC4"));
        const ifc::IfcModel model = ifc::readModel(*file);
        exchange::ImportPlan plan;
        plan.name = i18n("Import building model {}", source.path.filename().string());
        plan.facts.push_back(i18n("{}: {}", file->schema(), i18np(file->size(), "{:L} entity", "{:L} entities")));
        tell(model, *file, path, plan);
        auto after = std::make_shared<Snapshot>(*base);
        ifc::RoomChoice choice{path, source.path.stem().string(), {}, source.option("hall")};
        for (std::string spaces = source.option("space"); !spaces.empty();) {
            const auto end = std::min(spaces.find('\n'), spaces.size());
            choice.spaces.push_back(spaces.substr(0, end));
            spaces.erase(0, end + 1);
        }
        if (const auto written = ifc::writeRooms(*after, model, choice, plan); !written) return tl::unexpected(written.error());
        plan.base = base;
        plan.after = std::move(after);
        return plan;
    }

private:
    static void tell(const ifc::IfcModel& model, const ifc::StepFile& file, const std::string& path, exchange::ImportPlan& plan)
    {
        for (const Text& doubt : model.doubts) plan.issues.push_back({path, doubt});
        for (const auto& [entity, count] : model.shapeless)
            plan.issues.push_back(
                {path, i18np(count, "{0} {1} without a readable body is skipped", "{0} {1} without a readable body are skipped", entity)});
        for (const auto& [entity, count] : model.ignored) plan.issues.push_back({path, i18np(count, "{0} {1} ignored", "{0} {1} ignored", entity)});
        if (file.skipped() > 0)
            plan.issues.push_back(
                {path, i18np(file.skipped(), "{} malformed or duplicate entity is skipped", "{} malformed or duplicate entities are skipped")});
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> ifcExporter() { return std::make_unique<IfcExporter>(); }
std::unique_ptr<exchange::Importer> ifcImporter() { return std::make_unique<IfcImporter>(); }

} // namespace hw::importers
