// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/edit/any_edit.h"

#include "core/design/edit/fields.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/settings_check.h"
#include "core/foundation/catalog/entity.h"

#include <cstring>

namespace hw::test {

using nlohmann::json;

namespace {

using enum EntityKind;
constexpr EntityKind kSmall[] = {Rack, Device, Device, Port, Cage, Link, Cable, Tray, Structure, Phase, Price, BindingRule, PartType};
constexpr EntityKind kCopied[] = {Network, Tier, Building, Hall, Row, Row, Rack, Rack, Rack, Tray, Tray, Device, Device, Device, Device};
constexpr EntityKind kMoved[] = {Building, Hall, Row, Rack, Tray, Device, Structure};

} // namespace

AnyEdit::AnyEdit(const Catalog& catalog, unsigned seed) : m_catalog(catalog), m_random(seed) {}

std::string AnyEdit::oddText()
{
    static const std::vector<std::string> all = {"",
                                                 " ",
                                                 "unknown element",
                                                 "a:b",
                                                 ":",
                                                 "机架-01",
                                                 "Schränke \"und\" 'mehr'",
                                                 "tab\tand\nline",
                                                 "nan",
                                                 "-inf",
                                                 "1e308",
                                                 "-1",
                                                 "0x10",
                                                 "99999999999999999999",
                                                 "12.5 m",
                                                 "35 kW",
                                                 "7 parsec",
                                                 "{}{0}%s\\n",
                                                 "cable-000001",
                                                 "cable-0",
                                                 "../../etc",
                                                 "\xF0\x9F\x9A\x80\xF0\x9F\x9A\x80",
                                                 "e\xCC\x81",
                                                 "name",
                                                 "-1 T",
                                                 std::string(99, 'n'),
                                                 std::string(300, 'x'),
                                                 "#12345g",
                                                 "#ff00ff",
                                                 "2026-02-30",
                                                 "2026-11-23"};
    return all[below(all.size())];
}

std::int64_t AnyEdit::number()
{
    static const std::vector<std::int64_t> odd = {0,           -1,         INT64_MAX,  INT64_MIN,   INT32_MAX,    INT32_MIN,
                                                  100'000'000, 99'999'000, 10'000'000, 200'000'000, -100'000'000, 9'000'000'000'000'000,
                                                  65'536,      32'768};
    if (oneIn(6)) return odd[below(odd.size())];
    return std::int64_t(below(4000)) - 600;
}

std::int64_t AnyEdit::count()
{
    static const std::vector<std::int64_t> odd = {0, -1, INT64_MAX, INT64_MIN, 10'001, 1'000'000};
    return oneIn(8) ? odd[below(odd.size())] : std::int64_t(2 + below(2));
}

std::string AnyEdit::named(EntityKind kind)
{
    if (oneIn(40)) return oddText();
    if (oneIn(40)) return anything();
    std::string found;
    m_s->eachTable([&](const auto& table) {
        using T = std::decay_t<decltype(table)>;
        if constexpr (kKindOf<T> != EntityKind::None) {
            if (kKindOf<T> != kind || table.empty()) return;
            typename T::IdType id(below(table.nextId()));
            while (!table.contains(id)) id = typename T::IdType((id.value + 1) % table.nextId());
            found = kind == EntityKind::Cage
                        ? m_s->devices.name[m_s->cages.device[CageId(id.value)]] + ":cage" + std::to_string(m_s->cages.number[CageId(id.value)] + 1)
                        : entityName(*m_s, *m_parts, ref(id));
            if constexpr (requires { table.key[id].empty(); })
                if (oneIn(10) && !table.key[id].empty()) found = table.key[id];
        }
    });
    return found;
}

std::string AnyEdit::anything()
{
    for (int tries = 0; tries < 8; ++tries)
        if (const auto found = named(EntityKind(1 + below(std::size_t(EntityKind::BindingRule)))); !found.empty()) return found;
    return "nothing";
}

std::string AnyEdit::freshName()
{
    if (oneIn(12)) return oddText();
    if (oneIn(12)) return anything();
    return (oneIn(5) ? "Größe 名 \"" : "mine-") + std::to_string(++m_made);
}

std::string AnyEdit::slug(PartKind kind)
{
    if (oneIn(15)) return oddText();
    std::vector<std::string> fit;
    if (oneIn(2))
        for (const auto& [own, part] : m_catalog.parts())
            if (kindOf(*part) == kind || oneIn(40)) fit.push_back(own);
    if (fit.empty())
        m_s->partTypes.forEach([&](PartTypeId id) {
            if (m_s->partTypes.kind[id] == kind) fit.push_back(m_s->partTypes.slug[id]);
        });
    return fit.empty() ? "none" : fit[below(fit.size())];
}

json AnyEdit::value(EntityKind kind, const std::string& column, EntityRef entity)
{
    const edit::Field* field = edit::findField(kind, column);
    if (!field || oneIn(8)) return oneIn(3) ? json(oddText()) : oneIn(2) ? json(number()) : oneIn(2) ? json() : json(0.5);
    if (entity && oneIn(4)) return edit::fieldText(*m_s, *m_parts, entity, *field);
    switch (field->kind) {
    case edit::FieldKind::Choice: return field->words[below(field->words.size())];
    case edit::FieldKind::Reference:
        if (field->optional && oneIn(4)) return {};
        return column == "module" ? json(slug(PartKind::Transceiver)) : column == "type" ? json(slug(PartKind::Cable)) : json(named(field->refersTo));
    case edit::FieldKind::Color: return "#00ff7f";
    case edit::FieldKind::Text:
        return column.ends_with("date") ? json("2027-01-31") : column == "part" ? json(slug(PartKind::Device)) : json(freshName());
    case edit::FieldKind::Number: break;
    }
    if (oneIn(5)) return field->most;
    if (oneIn(5)) return field->least;
    return oneIn(2) ? json(field->least + std::int64_t(below(5)) * field->step) : json(std::int64_t(below(2000)) * field->step);
}

json AnyEdit::add()
{
    const auto kind = EntityKind(1 + below(std::size_t(EntityKind::BindingRule)));
    json e = {{"do", "add"}, {"what", edit::kindWord(kind)}};
    if (oneIn(3)) e["name"] = freshName();
    if (oneIn(4)) e["count"] = count();
    const auto in = [&](std::initializer_list<EntityKind> kinds) { e["in"] = named(*(kinds.begin() + below(kinds.size()))); };
    switch (kind) {
    case EntityKind::Building:
        if (oneIn(3)) in({EntityKind::Site});
        break;
    case EntityKind::Hall: in({EntityKind::Building}); break;
    case EntityKind::Row:
    case EntityKind::Structure: in({EntityKind::Hall}); break;
    case EntityKind::Rack: in({EntityKind::Row}), e["type"] = slug(PartKind::Rack); break;
    case EntityKind::Tray: in({EntityKind::Row, EntityKind::Hall}), e["type"] = slug(PartKind::Tray); break;
    case EntityKind::Tier: in({EntityKind::Network}); break;
    case EntityKind::Device:
        in({EntityKind::Rack, EntityKind::Rack, EntityKind::Hall, EntityKind::Row}), e["type"] = slug(PartKind::Device);
        if (!oneIn(4)) e["tier"] = named(EntityKind::Tier);
        if (oneIn(4)) e["u"] = oneIn(4) ? number() : std::int64_t(below(50));
        break;
    case EntityKind::Port: {
        in({EntityKind::Device});
        const auto name = named(EntityKind::Port);
        e["interface"] = name.substr(name.rfind(':') + 1);
        if (oneIn(2)) e["split"] = std::int64_t(1 + below(4));
        break;
    }
    case EntityKind::PartType: return oneIn(2) ? ownPart() : json{{"do", "add"}, {"what", "part-type"}, {"type", slug(PartKind(below(5)))}};
    default: break;
    }
    const auto& fields = edit::fieldsOf(kind);
    for (unsigned i = below(3); i > 0 && !fields.empty(); --i) {
        const auto& column = fields[below(fields.size())].column;
        if (column != "name" && column != "tier" && column != "u") e[column] = value(kind, column, {});
    }
    return e;
}

/// A part of one's own: one of the catalog under another slug, at times broken.
json AnyEdit::ownPart()
{
    const auto parts = m_catalog.parts();
    const Part& part = *std::next(parts.begin(), below(parts.size()))->second;
    std::string text = part.definition;
    const std::string own = oneIn(8) ? oddText() : "own-part-" + std::to_string(++m_made);
    for (const auto& key : {"slug: ", "slug: \"", "\"slug\": \""})
        if (const auto at = text.find(key + part.slug); at != std::string::npos) text.replace(at + std::strlen(key), part.slug.size(), own);
    if (oneIn(6)) text.erase(below(text.size()), below(40));
    return {{"do", "add"}, {"what", "part-type"}, {"definition", text}};
}

json AnyEdit::set()
{
    const auto kind = EntityKind(1 + below(std::size_t(EntityKind::BindingRule)));
    const auto& fields = edit::fieldsOf(kind);
    std::string column = fields.empty() || oneIn(20) ? oddText() : fields[below(fields.size())].column;
    if (oneIn(15)) {
        json e = {{"do", "set-all"}, {"what", edit::kindWord(kind)}, {"column", column}, {"value", value(kind, column, {})}};
        if (oneIn(2)) e["in"] = anything();
        return e;
    }
    const auto name = named(kind);
    return {
        {"do", "set"}, {"entity", name}, {"column", column}, {"value", value(kind, column, findEntity(*m_s, *m_parts, name).value_or(EntityRef{}))}};
}

/// Two ports that could be joined, where a few tries find such.
std::pair<std::string, std::string> AnyEdit::ports()
{
    const auto pick = [&] {
        PortId id(below(m_s->ports.nextId()));
        while (!m_s->ports.contains(id)) id = PortId((id.value + 1) % m_s->ports.nextId());
        return id;
    };
    if (m_s->ports.empty()) return {"a:1", "b:1"};
    const PortId a = pick();
    PortId b = pick();
    for (int tries = 0; tries < 40; ++tries) {
        const auto& p = m_s->ports;
        if (p.medium[a] == p.medium[b] && p.rate[a] == p.rate[b] && p.device[a] != p.device[b] &&
            (p.medium[a] == Medium::Data || (p.role[a] == PortRole::Up) != (p.role[b] == PortRole::Up)))
            break;
        b = pick();
    }
    return {entityName(*m_s, *m_parts, ref(a)), entityName(*m_s, *m_parts, ref(b))};
}

json AnyEdit::wire()
{
    const auto linked = [&]() -> std::string {
        if (m_s->links.empty() || oneIn(6)) return named(EntityKind::Port);
        LinkId id(below(m_s->links.nextId()));
        while (!m_s->links.contains(id)) id = LinkId((id.value + 1) % m_s->links.nextId());
        return entityName(*m_s, *m_parts, ref(m_s->links.from[id]));
    };
    switch (below(6)) {
    case 0: return {{"do", "disconnect"}, {"from", linked()}};
    case 1: return {{"do", "set-cable-length"}, {"from", linked()}, {"length_mm", number()}};
    case 2: return {{"do", "set-cable-type"}, {"from", linked()}, {"type", oneIn(4) ? json() : json(slug(PartKind::Cable))}};
    case 3: return {{"do", "disconnect"}, {"from", named(EntityKind::Port)}, {"to", linked()}};
    default: {
        const auto [a, b] = ports();
        return {{"do", "connect"}, {"from", a}, {"to", b}};
    }
    }
}

json AnyEdit::cabling()
{
    switch (below(4)) {
    case 0: {
        json e = {{"do", "panel"},
                  {"panel", oneIn(5) ? slug(PartKind::Device) : "panel-mpo12-24"},
                  {"trunk", oneIn(5) ? slug(PartKind::Cable) : "trunk-mpo12-om4-24"}};
        if (oneIn(2))
            e["from"] = named(oneIn(2) ? EntityKind::Rack : EntityKind::Row), e["to"] = named(oneIn(2) ? EntityKind::Rack : EntityKind::Row);
        if (oneIn(2)) e["by"] = "rack";
        return e;
    }
    case 1: return {{"do", "unpanel"}, {"from", named(EntityKind::Port)}};
    case 2: {
        json trays = json::array();
        for (unsigned i = below(4); i > 0; --i) trays.push_back(named(EntityKind::Tray));
        return {{"do", "lead"}, {"entity", named(EntityKind::Cable)}, {"trays", trays}, {"together", oneIn(2)}};
    }
    default:
        return {{"do", "bind"},
                {"channel", "ch-" + std::to_string(below(5))},
                {"entity", anything()},
                {"measure", oneIn(4) ? oddText() : "active-power"}};
    }
}

json AnyEdit::project()
{
    switch (below(8)) {
    case 0: return {{"do", "waive"}, {"finding", oneIn(3) ? oddText() : "F" + std::to_string(below(3))}, {"reason", freshName()}};
    case 1: return {{"do", "unwaive"}, {"finding", "F" + std::to_string(below(3))}};
    case 2: return {{"do", "set-limit"}, {"entity", named(oneIn(2) ? EntityKind::Rack : EntityKind::Building)}, {"limit_w", number()}};
    case 3:
        return {
            {"do", "price"}, {"part", slug(PartKind(below(5)))}, {"each", oneIn(4) ? json(oddText()) : json(below(100))}, {"source", freshName()}};
    case 4:
        if (!parameters.empty()) {
            const auto chosen = std::next(parameters.begin(), below(parameters.size()));
            return {{"do", "set-parameter"},
                    {"name", oneIn(10) ? oddText() : chosen->first},
                    {"value", oneIn(8) ? number() : std::int64_t(chosen->second[below(chosen->second.size())])}};
        }
        [[fallthrough]];
    case 5:
        return {{"do", "accept-gate"},
                {"segment", oneIn(3) ? oddText() : "1"},
                {"gate", std::int64_t(below(6))},
                {"result", oneIn(3) ? oddText() : "passed"}};
    case 6: return {{"do", oneIn(2) ? "unbind" : "set-aside"}, {"channel", "ch-" + std::to_string(below(5))}};
    default: {
        const auto known = edit::knownSettings(*m_s);
        const auto& setting = known[below(known.size())];
        const json value = oneIn(4)                   ? json(oddText())
                           : oneIn(4)                 ? json(number())
                           : oneIn(4)                 ? json()
                           : !setting.choices.empty() ? json(setting.choices[below(setting.choices.size())])
                           : setting.fallback.empty() ? json(setting.least)
                                                      : json(setting.fallback);
        return {{"do", "set-setting"}, {"key", oneIn(12) ? oddText() : setting.key}, {"value", value}};
    }
    }
}

json AnyEdit::shape(const std::string& verb)
{
    if (verb == "move") return {{"do", verb}, {"entity", named(kMoved[below(std::size(kMoved))])}, {"dx_mm", number()}, {"dy_mm", number()}};
    if (verb == "rotate")
        return {{"do", verb}, {"entity", named(oneIn(2) ? EntityKind::Row : EntityKind::Device)}, {"by_deg", oneIn(3) ? number() : 90}};
    json e = {{"do", verb}, {"entity", named(EntityKind::Device)}};
    if (verb == "place" && oneIn(3)) {
        e["hall"] = named(EntityKind::Hall);
        if (oneIn(2)) e["x_mm"] = number();
    } else if (verb == "place") {
        e["rack"] = named(EntityKind::Rack), e["u"] = oneIn(6) ? number() : std::int64_t(below(50));
    } else {
        static const std::vector<EntityKind> sized = {EntityKind::Building, EntityKind::Hall, EntityKind::Tray, EntityKind::Structure,
                                                      EntityKind::Rack};
        e["entity"] = named(sized[below(sized.size())]);
        for (const char* key : {"size_x_mm", "size_y_mm", "size_z_mm", "length_mm"})
            if (oneIn(3)) e[key] = oneIn(3) ? number() : std::int64_t(1000 + below(60'000));
    }
    return e;
}

json AnyEdit::arrange()
{
    static const std::vector<const char*> verbs = {"align", "distribute", "mirror", "rotate-about", "reshape"};
    const std::string verb = verbs[below(verbs.size())];
    if (verb == "reshape") {
        static const std::vector<EntityKind> shaped = {EntityKind::Building, EntityKind::Hall, EntityKind::Tray, EntityKind::Structure};
        json e = {{"do", verb}, {"entity", oneIn(10) ? anything() : named(shaped[below(shaped.size())])}};
        for (const char* key : {"x1_mm", "y1_mm", "x2_mm", "y2_mm"}) e[key] = oneIn(8) ? number() : std::int64_t(below(60'000));
        if (oneIn(5)) e["z1_mm"] = number();
        return e;
    }
    json e = {{"do", verb}, {"entities", json::array()}};
    for (std::size_t i = 1 + below(3); i > 0; --i) e["entities"].push_back(oneIn(10) ? anything() : named(kMoved[below(std::size(kMoved))]));
    static const std::vector<const char*> sides = {"left", "center-x", "right", "bottom", "center-y", "top", "middle"};
    if (verb == "align") e["to"] = sides[below(sides.size())];
    if (verb == "distribute" || verb == "mirror") e["axis"] = oneIn(10) ? "z" : oneIn(2) ? "x" : "y";
    if (verb == "distribute" && oneIn(2)) e["gap_mm"] = oneIn(4) ? number() : std::int64_t(below(5'000));
    if (verb == "mirror" && oneIn(3)) e["at_mm"] = number();
    if (verb == "rotate-about") e["by_deg"] = oneIn(5) ? number() : 90;
    if (verb == "rotate-about" && oneIn(3)) e["x_mm"] = number(), e["y_mm"] = number();
    return e;
}

json AnyEdit::make(const Snapshot& s, const ProjectParts& parts)
{
    m_s = &s, m_parts = &parts;
    switch (below(20)) {
    case 0:
    case 1:
    case 2:
    case 3: return add();
    case 4: return {{"do", "remove"}, {"entity", oneIn(3) ? anything() : named(kSmall[below(std::size(kSmall))])}};
    case 5:
    case 6:
    case 7: {
        const EntityKind kind = kCopied[below(std::size(kCopied))];
        json e = {{"do", "copy"}, {"entity", oneIn(10) ? anything() : named(kind)}};
        if (oneIn(3))
            e["in"] = oneIn(4) ? anything()
                               : named(kind == EntityKind::Device ? EntityKind::Rack
                                       : kind == EntityKind::Rack ? EntityKind::Row
                                                                  : EntityKind::Hall);
        if (oneIn(3)) e["name"] = freshName();
        if (oneIn(3)) e["count"] = count();
        if (oneIn(4)) e["dx_mm"] = number(), e["dy_mm"] = number();
        return e;
    }
    case 8: return oneIn(2) ? arrange() : shape("rotate");
    case 9: return oneIn(3) ? arrange() : shape("resize");
    case 10: return shape("move");
    case 11: return shape("place");
    case 12: {
        static const std::vector<std::pair<EntityKind, PartKind>> typed = {
            {EntityKind::Device, PartKind::Device}, {EntityKind::Rack, PartKind::Rack}, {EntityKind::Tray, PartKind::Tray}};
        const auto& [kind, part] = typed[below(typed.size())];
        json e = {{"do", "retype"}, {"entity", named(kind)}, {"type", slug(part)}};
        if (oneIn(2)) e["force"] = true;
        return e;
    }
    case 13: return {{"do", "rename"}, {"entity", anything()}, {"name", freshName()}};
    case 14:
    case 15: return set();
    case 16:
    case 17: return wire();
    case 18: return cabling();
    default: return project();
    }
}

} // namespace hw::test
