// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/drawings/dxf_export.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/supply.h"
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/price_book.h"
#include "importers/drawings/sheets.h"

#include <charconv>
#include <set>

#include <fmt/format.h>

namespace hw::drawings {

namespace {

constexpr std::size_t kMostSheets = 250; ///< layouts of one file that programs handle well (assumed)
constexpr std::array<const char*, 4> kSheetWords{"plan", "elevations", "one-line", "cooling"};

std::vector<std::string> listed(const std::string& text)
{
    std::vector<std::string> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const auto end = std::min(text.find(',', from), text.size());
        parts.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return parts;
}

std::optional<double> numberIn(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !(std::abs(value) < 1e9)) return std::nullopt;
    return value;
}

tl::unexpected<Error> wrong(const std::string& option, const std::string& value, Text what, Text todo)
{
    return fail(ErrorCode::Usage, fmt::format("--{} {}", option, value), std::move(what), std::move(todo));
}

Result<std::set<std::string>> sheetsOf(const exchange::ExportJob& job)
{
    const std::string given = job.option("sheets");
    std::set<std::string> wanted;
    if (given.empty() && !job.option("hall").empty()) return std::set<std::string>{"plan", "elevations"};
    if (given.empty() || given == "all") return std::set<std::string>(kSheetWords.begin(), kSheetWords.end());
    if (given == "none") return wanted;
    for (const std::string& word : listed(given)) {
        if (std::ranges::find(kSheetWords, word) == kSheetWords.end())
            return wrong("sheets", given, i18n("'{}' is not a sheet type", word),
                         i18n("choose from plan, elevations, one-line, cooling; or all, none"));
        wanted.insert(word);
    }
    return wanted;
}

Result<SheetSet> setOf(const exchange::ExportJob& job, const Snapshot& s)
{
    SheetSet set;
    set.project = s.setting("project.name");
    set.revision = std::to_string(s.revision);
    set.date = job.option("date");
    if (!set.date.empty() && !isDate(set.date)) return wrong("date", set.date, i18n("is not a valid date"), i18n("use the form 2026-11-23"));
    if (const std::string given = job.option("paper"); !given.empty()) {
        const auto found = std::ranges::find_if(kPapers, [&](const Paper& paper) { return given == paper.name; });
        if (found == kPapers.end()) return wrong("paper", given, i18n("is not a paper size"), i18n("choose from A0, A1, A2, A3"));
        set.paper = *found;
    }
    if (const std::string given = job.option("scale"); !given.empty()) {
        const auto scale = numberIn(given.starts_with("1:") ? given.substr(2) : given);
        if (!scale || *scale < 1 || *scale > 10'000 || *scale != double(std::int64_t(*scale)))
            return wrong("scale", given, i18n("is not a scale"), i18n("use a whole number, for example 100 for 1:100"));
        set.scale = std::int64_t(*scale);
    }
    set.north = 90 + numberSetting(s, "site.plan_north_deg"); // the bearing of up
    if (const std::string given = job.option("north"); !given.empty()) {
        const auto degrees = numberIn(given);
        if (!degrees || std::abs(*degrees) > 360)
            return wrong("north", given, i18n("is not an angle"), i18n("use degrees clockwise from the top of the drawing, -360 to 360"));
        set.north = 90 - *degrees;
    }
    return set;
}

class DxfExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override { return {"dxf", i18n("plan, elevations and diagrams for CAD (DXF, AutoCAD 2007), in mm")}; }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {
            {"hall", "NAME", i18n("this hall only; its lower left corner is at 0,0")},
            {"layers", "NAME=LAYER", i18n("layer for walls, racks, trays …, or a file with one assignment per line; repeatable"), true},
            {"sheets", "LIST", i18n("plan, elevations, one-line, cooling; all (default) or none")},
            {"paper", "SIZE", i18n("A0, A1 (default), A2 or A3")},
            {"scale", "N", i18n("scale of the plans, 100 for 1:100; default: the largest that fits")},
            {"origin", "X,Y", i18n("position of the lower left corner of the hall in the drawing, mm; without --hall: position of the site origin")},
            {"north", "DEG", i18n("direction of north, degrees clockwise from the top of the drawing; default: plan north of the project")},
            {"date", "YYYY-MM-DD", i18n("date in the title blocks; default: none")}};
    }

    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const auto layers = Layers::of(job.option("layers"));
        if (!layers) return tl::unexpected(layers.error());
        const auto sheets = sheetsOf(job);
        if (!sheets) return tl::unexpected(sheets.error());
        for (const char* option : {"paper", "date"})
            if (sheets->empty() && !job.option(option).empty())
                return wrong(option, job.option(option), i18n("has no effect without sheets"), i18n("omit it"));
        for (const char* option : {"scale", "north"})
            if (!sheets->contains("plan") && !job.option(option).empty())
                return wrong(option, job.option(option), i18n("has no effect without plan sheets"), i18n("omit it"));
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        if (const auto made = (*figures)->prepare<PlacementNode, SupplyNode, PowerNode>(progress); !made) return made;
        const Snapshot& s = *(*figures)->snapshot;
        const auto set = setOf(job, s);
        if (!set) return tl::unexpected(set.error());
        DxfFile file;
        Scene scene{**figures, s, *layers, file, {}};
        if (const auto chosen = choose(scene, job); !chosen) return chosen;
        layers->declare(file);
        drawPlan(scene);
        drawDimensions(scene);
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, job.output.string(), i18n("stopped"));
        if (const auto drawn = drawSheets(scene, *set, *sheets, progress); !drawn) return drawn;
        return writeFile(job.output, file.text());
    }

private:
    /// The rooms, the origin and the extent of the model.
    static Result<void> choose(Scene& scene, const exchange::ExportJob& job)
    {
        const Snapshot& s = scene.s;
        const std::string wanted = job.option("hall");
        std::vector<std::string> names;
        s.halls.forEach([&](HallId id) {
            names.push_back(s.halls.name[id]);
            if (wanted.empty() || wanted == s.halls.name[id]) scene.halls.push_back(id);
        });
        if (scene.halls.empty())
            return wanted.empty() ? fail(ErrorCode::Refused, job.project.string(), i18n("contains no hall"), i18n("add one, or lay out the design"))
                                  : fail(ErrorCode::Refused, "--hall " + wanted, i18n("hall not found"), i18n("choose from {}", listedNames(names)));
        scene.campus = wanted.empty();
        const auto& placement = *scene.figures.placement;
        if (!scene.campus) {
            const Box& b = placement.hall(scene.halls.front());
            scene.origin = {double(b.low.x), double(b.low.y)};
        }
        if (const std::string given = job.option("origin"); !given.empty()) {
            const auto parts = listed(given);
            const auto x = numberIn(parts.front()), y = parts.size() == 2 ? numberIn(parts.back()) : std::nullopt;
            if (!x || !y) return wrong("origin", given, i18n("is not a position"), i18n("use X,Y in mm"));
            scene.origin = {scene.origin.x - *x, scene.origin.y - *y};
        }
        At low{1e18, 1e18}, high{-1e18, -1e18};
        for (const HallId hall : scene.halls) {
            const At a = scene.at(placement.hall(hall).low), b = scene.at(placement.hall(hall).high);
            low = {std::min(low.x, a.x), std::min(low.y, a.y)}, high = {std::max(high.x, b.x), std::max(high.y, b.y)};
        }
        scene.file.extent({low.x - 3000, low.y - 3000}, {high.x + 3000, high.y + 3000});
        return {};
    }

    static Result<void> drawSheets(Scene& scene, const SheetSet& set, const std::set<std::string>& wanted, const Progress& progress)
    {
        const std::size_t count =
            (wanted.contains("plan") ? scene.halls.size() : 0) + (wanted.contains("elevations") ? elevationSheets(scene, set) : 0);
        if (count > kMostSheets)
            return fail(ErrorCode::Refused, "--sheets", i18n("{} sheets exceed the limit of {} per file", count, kMostSheets),
                        i18n("export hall by hall with --hall, use larger paper, or fewer sheet types"));
        if (wanted.contains("plan"))
            if (const auto done = addPlanSheets(scene, set); !done) return done;
        if (wanted.contains("elevations"))
            if (const auto done = addElevationSheets(scene, set, progress); !done) return done;
        if (wanted.contains("one-line")) addDiagramSheet(scene, set, Medium::Power);
        if (wanted.contains("cooling")) addDiagramSheet(scene, set, Medium::Coolant);
        if (scene.file.sheets() == 0) (void)scene.file.sheet("Layout1", set.paper.width, set.paper.height); // the format asks for one
        return {};
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> dxfExporter() { return std::make_unique<DxfExporter>(); }

} // namespace hw::drawings
