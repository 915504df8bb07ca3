// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/reader.h"

#include "core/foundation/base/resources.h"
#include "importers/netbox/inventory/files.h"
#include "importers/netbox/inventory/resolve.h"
#include "importers/netbox/inventory/values.h"
#include "importers/netbox/inventory/writer.h"

#include <algorithm>

namespace hw::importers::netbox_in {

namespace {

using exchange::ImportSource;
namespace fs = std::filesystem;

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        if (end > at) lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

Result<PlaceFields> fieldsOf(const std::string& option)
{
    PlaceFields fields;
    if (option.empty()) return fields;
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= option.size();) {
        const auto end = std::min(option.find(',', at), option.size());
        names.push_back(option.substr(at, end - at));
        at = end + 1;
    }
    if (names.size() < 2 || names.size() > 3 || std::ranges::find(names, "") != names.end())
        return fail(ErrorCode::Usage, "--position-fields " + option, i18n("must list two or three custom fields"),
                    i18n("for example: {}", "hall_x_mm,hall_y_mm,hall_rotation"));
    fields.x = names[0], fields.y = names[1];
    if (names.size() == 3) fields.rotation = names[2];
    return fields;
}

/// Whether a folder has device types beside the lists.
bool hasTypes(const fs::path& folder)
{
    std::error_code error;
    if (fs::is_directory(folder / "device-types", error) || fs::is_directory(folder / "rack-types", error)) return true;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".yaml") return true;
    return false;
}

/// The files of several exports in one order: places before what stands in them does not matter, but the same files give the same plan.
Result<void> readAll(std::span<const ImportSource> sources, const Selection& selection, const PlaceFields& fields, const Progress& progress,
                     const Patience& patience, Inventory& into, std::string& library)
{
    std::vector<ImportSource> files;
    std::vector<std::string> names;
    for (const ImportSource& source : sources) {
        const std::string path = source.path.string();
        std::error_code error;
        if (isUrl(path)) {
            if (sources.size() > 1)
                return fail(ErrorCode::Usage, path, i18n("a server cannot be combined with other sources"), i18n("specify only its URL"));
            return readServer(path, selection, fields, progress, into, sources.front().option("credentials"), patience);
        }
        if (const std::string credentials = source.option("credentials"); !credentials.empty())
            return fail(ErrorCode::Usage, "--credentials " + credentials, i18n("applies to a server only"), i18n("specify its URL, or omit it"));
        names.push_back(source.path.filename().string());
        if (!source.content.empty() || !fs::is_directory(source.path, error)) {
            files.push_back(source);
            continue;
        }
        if (hasTypes(source.path) && library.empty()) library = path;
        auto inside = exportedFiles(source.path, into);
        if (!inside) return tl::unexpected(inside.error());
        files.insert(files.end(), std::make_move_iterator(inside->begin()), std::make_move_iterator(inside->end()));
    }
    into.source = names.size() == 1 ? sources.front().path.string() : words(listedNames(names));
    return readExported(files, fields, progress, into);
}

} // namespace

std::vector<exchange::FormatOption> inventoryOptions()
{
    return {{"site", "NAME", i18n("sites to import, by name or slug; if omitted, all"), true},
            {"location", "NAME", i18n("locations to import, including nested ones, by name or slug; if omitted, all"), true},
            {"library", "DIR",
             i18n("folder of device and rack types in the structure of the NetBox devicetype-library (device-types/MANUFACTURER/MODEL.yaml), with "
                  "sidecars")},
            {"position-fields", "X,Y[,ROTATION]",
             i18n("custom fields with the position of racks and devices in their hall, in mm and degrees; default: {}",
                  "hall_x_mm,hall_y_mm,hall_rotation")},
            {"credentials", "FILE", i18n("credentials file (default: ~/.config/hallwright/credentials.yaml)")}};
}

Result<exchange::ImportPlan> planInventory(std::span<const ImportSource> sources, const SnapshotPtr& base, const Progress& progress,
                                           const Patience& patience)
{
    const ImportSource& first = sources.front();
    const auto fields = fieldsOf(first.option("position-fields"));
    if (!fields) return tl::unexpected(fields.error());
    const Selection selection{linesOf(first.option("site")), linesOf(first.option("location"))};
    Inventory inventory;
    std::string libraryFolder = first.option("library");
    if (const auto read = readAll(sources, selection, *fields, progress, patience, inventory, libraryFolder); !read)
        return tl::unexpected(read.error());
    static const Result<Catalog> loaded = Catalog::load(resourceFolder() / "catalog");
    const Result<Catalog>& catalog = loaded;
    if (!catalog) return tl::unexpected(catalog.error());
    const auto project = ProjectParts::of(base->partTypes);
    if (!project) return tl::unexpected(project.error());
    const auto perRear = [&](const DeviceType& type) {
        const auto own = (*project)->find(slugOf(type.slug));
        const Part* part = own ? &(**project)[*own] : catalog->find(slugOf(type.slug));
        const auto* device = part ? std::get_if<DeviceSpec>(&part->spec) : nullptr;
        return device ? device->panel.perRear : 1;
    };
    if (const auto resolved = resolve(inventory, selection, perRear); !resolved) return tl::unexpected(resolved.error());
    if (inventory.racks.empty() && inventory.devices.empty())
        return fail(ErrorCode::Unreadable, inventory.source, i18n("no racks and no devices"),
                    selection.sites.empty() && selection.locations.empty() ? i18n("export at least racks and devices")
                                                                           : i18n("choose another site or location"));

    std::optional<Library> library;
    if (!libraryFolder.empty()) {
        auto opened = Library::open(libraryFolder);
        if (!opened) return tl::unexpected(opened.error());
        library = std::move(*opened);
    }
    progress.report(0.95, "netbox"); // no text: a step
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, inventory.source, i18n("canceled"));

    exchange::ImportPlan plan;
    plan.name = i18n("Import NetBox {}", inventory.source);
    if (!inventory.version.empty()) plan.facts.push_back(i18n("NetBox {}", inventory.version));
    const Wiring wiring = wiringOf(inventory);
    std::map<std::string, std::string> typesByName;
    base->devices.forEach([&](DeviceId id) { typesByName.emplace(base->devices.name[id], base->partTypes.slug[base->devices.type[id]]); });
    ChosenParts parts(inventory, wiring, **project, base->partTypes, *catalog, library ? &*library : nullptr, std::move(typesByName));
    auto after = std::make_shared<Snapshot>(*base);
    writeDesign(*after, inventory, wiring, parts, *catalog);
    plan.facts.insert(plan.facts.end(), inventory.facts.begin(), inventory.facts.end());
    for (Remark& remark : inventory.remarks) plan.issues.push_back({std::move(remark.where), std::move(remark.what)});
    plan.read = inventory.read, plan.left = inventory.left;
    plan.base = base;
    plan.after = std::move(after);
    return plan;
}

} // namespace hw::importers::netbox_in
