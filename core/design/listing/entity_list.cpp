// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/listing/entity_list.h"

#include "core/derived/figures/supply.h"
#include "core/derived/topology/design_index.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/schema.h"
#include "core/design/listing/natural_order.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/money/phases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

namespace hw {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

bool sameText(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

bool containsText(std::string_view text, std::string_view part)
{
    return !std::ranges::search(text, part, [](char x, char y) { return lower(x) == lower(y); }).empty() || part.empty();
}

/// Names of what holds an entity, from the building inwards.
std::string locationOf(const Figures& f, EntityRef entity)
{
    std::string text;
    for (const EntityRef holder : ancestry(*f.snapshot, entity)) {
        if (holder == entity || holder.kind == EntityKind::Site) continue;
        if (!text.empty()) text += " / ";
        text += entityName(*f.snapshot, *f.parts, holder);
    }
    return text;
}

std::string fullPort(const Figures& f, PortId port) { return entityName(*f.snapshot, *f.parts, ref(port)); }

std::string networkOf(const Figures& f, PortId port)
{
    const auto network = f.snapshot->ports.network[port];
    return network ? f.snapshot->networks.name[*network] : std::string();
}

/// The first link of a cable, for its ends.
std::optional<LinkId> firstLink(const Figures& f, CableId cable)
{
    const auto links = f.cabling->linksOf(cable);
    return links.empty() ? std::nullopt : std::optional(links.front());
}

/// Made with the first cell that shows a phase.
class LazyPhases {
public:
    explicit LazyPhases(SnapshotPtr snapshot) : m_snapshot(std::move(snapshot)) {}
    const PhaseIndex& get()
    {
        std::call_once(m_once, [this] { m_index.emplace(*m_snapshot); });
        return *m_index;
    }

private:
    SnapshotPtr m_snapshot;
    std::once_flag m_once;
    std::optional<PhaseIndex> m_index;
};

/// A coordinate of the fabric, counted from 1 as displayed, of a port's device or of that at the other end; nothing where neither has one.
std::string coordinateOf(const Figures& f, PortId port, const Column<DeviceId, std::int16_t>& coordinate)
{
    const Snapshot& s = *f.snapshot;
    if (const auto own = coordinate[s.ports.device[port]]; own >= 0) return std::to_string(own + 1);
    const auto peer = f.get<IndexNode>().peerOf(s, port);
    const auto other = peer ? coordinate[s.ports.device[*peer]] : std::int16_t(-1);
    return other >= 0 ? std::to_string(other + 1) : std::string();
}

} // namespace

const std::vector<EntityKind>& EntityList::kinds()
{
    static const std::vector<EntityKind> all{EntityKind::Rack,  EntityKind::Device,    EntityKind::Cable,   EntityKind::Link, EntityKind::Port,
                                             EntityKind::Cage,  EntityKind::Row,       EntityKind::Tray,    EntityKind::Hall, EntityKind::Building,
                                             EntityKind::Site,  EntityKind::Structure, EntityKind::Network, EntityKind::Tier, EntityKind::Phase,
                                             EntityKind::Price, EntityKind::PartType};
    return all;
}

EntityList::EntityList(FiguresPtr figures, EntityKind kind, const UnitPreference& units) : m_figures(std::move(figures)), m_kind(kind), m_units(units)
{
    const auto& fields = edit::fieldsOf(kind);
    const auto named = std::ranges::find(fields, "name", &edit::Field::column);
    if (named == fields.end())
        m_columns.push_back({.key = "name", .title = i18n("Name"), .text = [this](std::uint32_t row) {
                                 return entityName(*m_figures->snapshot, *m_figures->parts, entity(row));
                             }});
    const auto add = [&](const edit::Field& field) {
        m_columns.push_back({.key = field.column,
                             .title = edit::fieldLabel(field),
                             .field = &field,
                             .number = field.kind == edit::FieldKind::Number,
                             .unit = field.unit});
    };
    if (named != fields.end()) add(*named);
    addDerived();
    for (const edit::Field& field : fields) {
        if (&field == std::to_address(named) && named != fields.end()) continue;
        add(field);
        m_columns.back().summed = field.column == "power_limit_mw" || field.column == "it_limit_mw";
        if (kind == EntityKind::Cable && field.column == "type") m_columns.back().title = i18n("Type override");
        if (kind == EntityKind::Cable && field.column == "length_mm") m_columns.back().title = i18n("Length override");
        static constexpr std::array<std::string_view, 6> kPlaces{"x_mm", "y_mm", "z_mm", "angle_deg", "along_mm", "across_mm"};
        if (std::ranges::find(kPlaces, std::string_view(field.column)) != kPlaces.end()) m_columns.back().shown = false;
    }
}

void EntityList::addDerived()
{
    const Figures& f = *m_figures; // outlives the functions: this holds it
    const Snapshot& s = *f.snapshot;
    const auto words = [&](const char* key, Text title, std::function<std::string(std::uint32_t)> text) {
        m_columns.push_back({.key = key, .title = std::move(title), .text = std::move(text)});
    };
    const auto number = [&](const char* key, Text title, const char* unit, std::function<std::optional<double>(std::uint32_t)> value) {
        const std::string_view name = key;
        m_columns.push_back({.key = key,
                             .title = std::move(title),
                             .number = true,
                             .unit = unit,
                             .summed = name != "u" && name != "rate_gbps" && name != "split",
                             .value = std::move(value)});
    };
    const auto quiet = [&](const char* key, Text title, std::function<std::string(std::uint32_t)> text) { // hidden until the user selects it
        words(key, std::move(title), std::move(text));
        m_columns.back().shown = false;
    };
    const auto phases = std::make_shared<LazyPhases>(f.snapshot);
    const auto installed = [&](std::function<int(const PhaseIndex&, std::uint32_t)> of) {
        quiet("installed", i18n("Installation phase"),
              [&s, phases, of = std::move(of)](std::uint32_t row) { return hw::words(phaseText(s, of(phases->get(), row))); });
    };
    const auto ofFabric = [&](std::function<std::optional<PortId>(std::uint32_t)> end) {
        for (const auto& [key, title, coordinate] :
             {std::tuple("plane", i18n("Plane"), &s.devices.plane), std::tuple("rail", i18n("Rail"), &s.devices.rail)})
            quiet(key, title, [&f, end, coordinate = coordinate](std::uint32_t row) {
                const auto port = end(row);
                return port ? coordinateOf(f, *port, *coordinate) : std::string();
            });
    };
    const auto located = [&] { words("location", i18n("Location"), [this, &f](std::uint32_t row) { return locationOf(f, entity(row)); }); };
    const PowerBasis basis = powerBasisOf(s);
    switch (m_kind) {
    case EntityKind::Rack:
        located();
        words("type", i18n("Type"), [&](std::uint32_t row) { return (*f.parts)[s.racks.type[RackId(row)]].slug; });
        number("devices", i18n("Devices"), "", [&](std::uint32_t row) { return double(f.get<IndexNode>().devicesOfRack[row].size()); });
        number("load_mw", i18n("IT load"), "mW", [&f, basis](std::uint32_t row) { return double(f.power->rack(RackId(row)).at(basis).count()); });
        installed([](const PhaseIndex& index, std::uint32_t row) { return index.of(RackId(row)); });
        break;
    case EntityKind::Device:
        located();
        words("type", i18n("Type"), [&](std::uint32_t row) { return (*f.parts)[s.devices.type[DeviceId(row)]].slug; });
        words("tier", i18n("Tier"), [&](std::uint32_t row) { return s.tiers.name[s.devices.tier[DeviceId(row)]]; });
        number("u", i18n("Rack unit"), "", [&](std::uint32_t row) -> std::optional<double> {
            return s.devices.rack[DeviceId(row)] && s.devices.u[DeviceId(row)] > 0 ? std::optional(double(s.devices.u[DeviceId(row)])) : std::nullopt;
        });
        number("load_mw", i18n("IT load"), "mW", [&f, basis](std::uint32_t row) { return double(f.power->device(DeviceId(row)).at(basis).count()); });
        quiet("network", i18n("Network"), [&](std::uint32_t row) {
            const auto network = s.tiers.network[s.devices.tier[DeviceId(row)]];
            return network ? s.networks.name[*network] : std::string();
        });
        installed([](const PhaseIndex& index, std::uint32_t row) { return index.of(DeviceId(row)); });
        break;
    case EntityKind::Row:
        located();
        number("racks", i18n("Racks"), "", [&](std::uint32_t row) { return double(f.get<IndexNode>().racksOfRow[row].size()); });
        number("load_mw", i18n("IT load"), "mW", [&f, basis](std::uint32_t row) { return double(f.power->row(RowId(row)).at(basis).count()); });
        break;
    case EntityKind::Hall:
        located();
        number("load_mw", i18n("IT load"), "mW", [&f, basis](std::uint32_t row) { return double(f.power->hall(HallId(row)).at(basis).count()); });
        break;
    case EntityKind::Building:
        number("load_mw", i18n("IT load"), "mW",
               [&f, basis](std::uint32_t row) { return double(f.power->building(BuildingId(row)).at(basis).count()); });
        break;
    case EntityKind::Tray:
        located();
        words("type", i18n("Type"), [&](std::uint32_t row) { return (*f.parts)[s.trays.type[TrayId(row)]].slug; });
        number("length_mm", i18n("Length"), "mm", [&](std::uint32_t row) {
            const TrayId id(row);
            const auto d = [](auto a, auto b) { return double(b.count() - a.count()); };
            return std::round(std::hypot(d(s.trays.x1[id], s.trays.x2[id]), d(s.trays.y1[id], s.trays.y2[id]), d(s.trays.z1[id], s.trays.z2[id])));
        });
        break;
    case EntityKind::Structure: located(); break;
    case EntityKind::Port:
        number("rate_gbps", i18n("Rate"), "Gb/s", [&](std::uint32_t row) -> std::optional<double> {
            return s.ports.medium[PortId(row)] == Medium::Data ? std::optional(double(s.ports.rate[PortId(row)].count())) : std::nullopt;
        });
        words("medium", i18n("Medium"), [&](std::uint32_t row) { return std::string(wordOf(s.ports.medium[PortId(row)])); });
        words("connected_to", i18n("Connected to"), [&](std::uint32_t row) {
            const auto peer = f.get<IndexNode>().peerOf(s, PortId(row));
            return peer ? fullPort(f, *peer) : std::string();
        });
        ofFabric([](std::uint32_t row) { return std::optional(PortId(row)); });
        break;
    case EntityKind::Cage:
        words("device", i18n("Device"), [&](std::uint32_t row) { return s.devices.name[s.cages.device[CageId(row)]]; });
        number("split", i18n("Logical ports"), "", [&](std::uint32_t row) { return double(s.cages.split[CageId(row)]); });
        break;
    case EntityKind::Link:
        words("from", i18n("From"), [&](std::uint32_t row) { return fullPort(f, s.links.from[LinkId(row)]); });
        words("to", i18n("To"), [&](std::uint32_t row) { return fullPort(f, s.links.to[LinkId(row)]); });
        words("network", i18n("Network"), [&](std::uint32_t row) { return networkOf(f, s.links.from[LinkId(row)]); });
        words("medium", i18n("Medium"), [&](std::uint32_t row) { return std::string(wordOf(s.ports.medium[s.links.from[LinkId(row)]])); });
        number("rate_gbps", i18n("Rate"), "Gb/s", [&](std::uint32_t row) -> std::optional<double> {
            const PortId from = s.links.from[LinkId(row)];
            if (s.ports.medium[from] != Medium::Data) return std::nullopt;
            return double(std::min(s.ports.rate[from], s.ports.rate[s.links.to[LinkId(row)]]).count());
        });
        words("cable", i18n("Cable"), [&](std::uint32_t row) {
            const auto cable = s.links.cable[LinkId(row)];
            return cable ? entityName(s, *f.parts, ref(*cable)) : std::string();
        });
        ofFabric([&s](std::uint32_t row) { return std::optional(s.links.from[LinkId(row)]); });
        installed([](const PhaseIndex& index, std::uint32_t row) { return index.of(LinkId(row)); });
        break;
    case EntityKind::Cable:
        words("from", i18n("From"), [&](std::uint32_t row) {
            const auto link = firstLink(f, CableId(row));
            return link ? fullPort(f, s.links.from[*link]) : std::string();
        });
        words("to", i18n("To"), [&](std::uint32_t row) {
            const auto link = firstLink(f, CableId(row));
            return link ? fullPort(f, s.links.to[*link]) : std::string();
        });
        words("medium", i18n("Medium"), [&](std::uint32_t row) { return std::string(wordOf(s.cables.medium[CableId(row)])); });
        words("network", i18n("Network"), [&](std::uint32_t row) {
            const auto link = firstLink(f, CableId(row));
            return link ? networkOf(f, s.links.from[*link]) : std::string();
        });
        words("part", i18n("Part"), [&](std::uint32_t row) {
            const auto type = (*f.cabling)[CableId(row)].type;
            return type ? (*f.parts)[*type].slug : std::string();
        });
        number("links", i18n("Links"), "", [&](std::uint32_t row) { return double(f.cabling->linksOf(CableId(row)).size()); });
        number("bought_mm", i18n("Purchased length"), "mm", [&](std::uint32_t row) -> std::optional<double> {
            if (s.cables.medium[CableId(row)] == Medium::Data) {
                const auto& cable = (*f.cabling)[CableId(row)];
                return cable.noRoute ? std::nullopt : std::optional(double(cable.lengthMm));
            }
            const auto link = firstLink(f, CableId(row));
            const SupplyLine* line = link ? f.get<SupplyNode>().of(*link) : nullptr;
            return line && !line->noWay ? std::optional(double(line->lengthMm)) : std::nullopt;
        });
        ofFabric([&](std::uint32_t row) {
            const auto link = firstLink(f, CableId(row));
            return link ? std::optional(s.links.from[*link]) : std::nullopt;
        });
        break;
    case EntityKind::PartType:
        words("slug", i18n("Part"), [&](std::uint32_t row) { return s.partTypes.slug[PartTypeId(row)]; });
        words("kind", i18n("Kind"), [&](std::uint32_t row) { return std::string(wordOf(s.partTypes.kind[PartTypeId(row)])); });
        break;
    default: break;
    }
}

std::optional<std::size_t> EntityList::column(std::string_view name) const
{
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const ListColumn& c = m_columns[i];
        if (c.key == name || sameText(words(c.title), name)) return i;
        if (!c.unit.empty() && c.key.starts_with(name) && c.key.find('_', name.size()) == name.size() &&
            c.key.find('_', name.size() + 1) == c.key.npos)
            return i;
    }
    return std::nullopt;
}

std::string EntityList::text(std::uint32_t row, std::size_t column) const
{
    const ListColumn& c = m_columns[column];
    if (c.field) return edit::formText(*m_figures->snapshot, *m_figures->parts, entity(row), *c.field, m_units);
    if (c.text) return c.text(row);
    const auto value = number(row, column);
    return value ? amount(*value, column) : std::string();
}

std::optional<double> EntityList::number(std::uint32_t row, std::size_t column) const
{
    const ListColumn& c = m_columns[column];
    if (c.value) return c.value(row);
    if (!c.field || !c.number) return std::nullopt;
    const auto number = edit::fieldNumber(*m_figures->snapshot, entity(row), *c.field);
    if (!number || (c.field->zeroIsNone && *number == 0)) return std::nullopt;
    if (c.field->fromZero) return *number < 0 ? std::nullopt : std::optional(double(*number + 1));
    return c.field->money ? double(*number) / 10'000 : double(*number);
}

std::string EntityList::amount(double number, std::size_t column) const
{
    const ListColumn& c = m_columns[column];
    if (c.field && c.field->money) return fmt::format("{:.14g}", number);
    const auto sized = [](double value, const char* unit) {
        return value < 1000 ? fmt::format("{:.4g} {}", value, unit) : words(i18n("{:L} {}", std::int64_t(std::llround(value)), unit));
    };
    const double size = std::abs(number);
    if (c.unit == "mm" && m_units.feet) return size < 304.8 ? feetText(number) : sized(number / 304.8, "ft");
    if (c.unit == "mm") return size >= 1e6 ? sized(number / 1e6, "km") : size >= 1000 ? sized(number / 1000, "m") : sized(number, "mm");
    if (c.unit == "mW") return size >= 1e9 ? sized(number / 1e9, "MW") : size >= 1e6 ? sized(number / 1e6, "kW") : sized(number / 1000, "W");
    if (c.unit.empty()) return words(i18n("{:L}", std::int64_t(std::llround(number))));
    return edit::quantityText(std::llround(number), c.unit);
}

std::size_t EntityList::count(const Snapshot& snapshot, EntityKind kind)
{
    std::size_t count = 0;
    snapshot.eachTable([&](const auto& table) {
        if (kKindOf<std::decay_t<decltype(table)>> == kind) count = table.size();
    });
    return count;
}

bool EntityList::passes(const ListFilter& filter, std::uint32_t row) const
{
    using Test = ListFilter::Test;
    if (!filter.column) {
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            if (m_columns[i].shown && containsText(text(row, i), filter.text)) return true;
        return false;
    }
    const std::size_t at = *filter.column;
    if (filter.test == Test::Contains) return containsText(text(row, at), filter.text);
    if (!m_columns[at].number) {
        const bool same = sameText(text(row, at), filter.text);
        return filter.test == Test::Equals ? same : !same;
    }
    const auto value = number(row, at);
    if (!value) return filter.test == Test::Differs || (filter.test == Test::Equals && filter.text.empty());
    switch (filter.test) {
    case Test::Equals: return !filter.text.empty() && *value == filter.number;
    case Test::Differs: return filter.text.empty() || *value != filter.number;
    case Test::Less: return *value < filter.number;
    case Test::AtMost: return *value <= filter.number;
    case Test::More: return *value > filter.number;
    case Test::AtLeast: return *value >= filter.number;
    case Test::Contains: break;
    }
    return false;
}

std::vector<std::optional<double>> EntityList::totals(const std::vector<std::uint32_t>& rows) const
{
    std::vector<std::optional<double>> sums(m_columns.size());
    for (std::size_t at = 0; at < m_columns.size(); ++at) {
        if (!m_columns[at].summed) continue;
        double sum = 0;
        for (const std::uint32_t row : rows) sum += number(row, at).value_or(0);
        sums[at] = sum;
    }
    return sums;
}

std::vector<EntityList::Group> EntityList::groups(const std::vector<std::uint32_t>& rows, std::size_t column) const
{
    const auto before = [](const std::string& a, const std::string& b) { return naturallyBefore(a, b); };
    std::map<std::string, std::vector<std::uint32_t>, decltype(before)> byText(before);
    for (const std::uint32_t row : rows) byText[text(row, column)].push_back(row);
    std::vector<Group> groups;
    for (auto& [text, members] : byText) groups.push_back({text, std::move(members)});
    return groups;
}

Result<std::vector<std::uint32_t>> EntityList::rows(const ListQuery& query, const Progress& progress) const
{
    constexpr std::size_t kBetweenLooks = 4096;
    std::vector<std::uint32_t> rows;
    std::size_t seen = 0;
    bool stopped = false;
    m_figures->snapshot->eachTable([&](const auto& table) {
        if (kKindOf<std::decay_t<decltype(table)>> != m_kind) return;
        rows.reserve(table.size());
        table.forEach([&](auto id) {
            if (stopped || (++seen % kBetweenLooks == 0 && progress.stopRequested())) {
                stopped = true;
                return;
            }
            if (std::ranges::all_of(query.filters, [&](const ListFilter& filter) { return passes(filter, id.value); })) rows.push_back(id.value);
        });
    });
    if (stopped || progress.stopRequested()) return fail(ErrorCode::Canceled, "list", i18n("canceled"));
    if (!query.sortBy) return rows;
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto arrange = [&](const auto& keys, auto&& before) {
        std::ranges::stable_sort(
            order, [&](std::uint32_t a, std::uint32_t b) { return query.descending ? before(keys[b], keys[a]) : before(keys[a], keys[b]); });
    };
    if (m_columns[*query.sortBy].number) {
        std::vector<double> keys;
        keys.reserve(rows.size());
        for (const std::uint32_t row : rows) {
            if (keys.size() % kBetweenLooks == 0 && progress.stopRequested()) return fail(ErrorCode::Canceled, "list", i18n("canceled"));
            keys.push_back(number(row, *query.sortBy).value_or(-1e300)); // what has no number comes before all that has
        }
        arrange(keys, std::less<>());
    } else {
        std::vector<std::string> keys;
        keys.reserve(rows.size());
        for (const std::uint32_t row : rows) {
            if (keys.size() % kBetweenLooks == 0 && progress.stopRequested()) return fail(ErrorCode::Canceled, "list", i18n("canceled"));
            keys.push_back(text(row, *query.sortBy));
        }
        arrange(keys, naturallyBefore);
    }
    for (std::uint32_t& at : order) at = rows[at];
    return order;
}

} // namespace hw
