// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits_binding.h"
#include "core/design/edit/edits_phase.h"
#include "core/design/edit/fields.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/lookup.h"
#include "core/design/edit/port_pairs.h"
#include "core/design/edit/script.h"
#include "core/design/edit/script_arrange.h"
#include "core/design/edit/script_cabling.h"
#include "core/design/edit/script_gate.h"
#include "core/design/edit/script_json.h"
#include "core/design/edit/script_price.h"

#include "core/foundation/model/setting_values.h"
#include <algorithm>

namespace hw::edit {

using nlohmann::json;

/// Applies edits to one document; keeps the parsed part types, names and references from edit to edit.
class ScriptRunner::Runner {
public:
    Runner(Document& document, const EditContext& context) : m_document(document), m_context(context) {}

    Result<void> run(const ScriptEdit& edit)
    {
        m_edit = json::parse(edit.json);
        m_lookup.follow(m_document.snapshot());
        auto done = edit.action == "undo"   ? travel(m_document.canUndo(), edit.action, i18n("nothing to undo"), &Document::undo)
                    : edit.action == "redo" ? travel(m_document.canRedo(), edit.action, i18n("nothing to redo"), &Document::redo)
                                            : change(edit.action);
        if (done && m_context.committed) m_context.committed(m_document.snapshot()->revision);
        return done;
    }

private:
    [[nodiscard]] std::string text(const char* key) const { return m_edit.value(key, std::string()); }
    [[nodiscard]] std::int64_t integer(const char* key) const { return m_edit.at(key).get<std::int64_t>(); }
    [[nodiscard]] std::string scalar(const char* key) const
    {
        const auto& value = m_edit.at(key);
        return value.is_string() ? value.get<std::string>() : value.dump();
    }

    [[nodiscard]] std::optional<std::int64_t> maybeInteger(const char* key) const
    {
        return m_edit.contains(key) ? std::optional(integer(key)) : std::nullopt;
    }
    Result<void> travel(bool possible, const std::string& verb, const Text& impossible, bool (Document::*go)())
    {
        if (!possible) return fail(ErrorCode::Refused, verb, impossible, i18n("remove this edit"));
        (m_document.*go)();
        return {};
    }

    /// The name of the undo step, which the journal keeps: in the language of who made it.
    static void title(Transaction& t, const Text& name) { t.setName(words(name)); }

    Result<void> change(const std::string& action)
    {
        auto transaction = m_document.begin(action);
        auto done = apply(transaction, action);
        if (done) m_lookup.follow(*transaction.commit(), m_document.snapshot());
        if (done && m_context.note && !m_note.empty()) m_context.note(m_note);
        m_note = {};
        return done;
    }

    Result<void> apply(Transaction& t, const std::string& action)
    {
        if (action == "set-parameter") return setParameter(t);
        if (action == "use-template") return useTemplate(t);
        if (action == "layout") return layOut(t);
        if (action == "add") return addThing(t);
        if (action == "remove" || action == "copy" || action == "rotate" || action == "resize" || action == "retype" || action == "set")
            return changeThing(t, action);
        if (action == "move") return move(t);
        if (action == "rename") return rename(t);
        if (action == "place") return place(t);
        if (action == "set-all") return setAll(t);
        if (action == "phase-plant") return setPlantPhases(t);
        if (action == "assign-phase") return assignPhases(t);
        if (action == "price") return price(t);
        if (action == "connect") return connectPorts(t);
        if (action == "disconnect") return disconnectPorts(t);
        if (action == "set-cable-length" || action == "set-cable-type") return setCable(t, action);
        if (arranges(action)) return arrangeThings(t, action);
        if (action == "panel" || action == "unpanel" || action == "lead") return cabling(t, action);
        if (action == "bind" || action == "unbind" || action == "set-aside") return bindings(t, action);
        if (action == "waive") return waiveFinding(t);
        if (action == "unwaive") {
            title(t, i18n("Remove waiver of {}", text("finding")));
            return unwaive(t, text("finding"));
        }
        if (action == "accept-gate")
            return acceptGate(t, m_edit, m_edit.value("author", m_context.author), m_edit.value("date", m_context.date))
                .transform([&](const Text& done) { m_note = done; });
        if (action == "set-limit") return setLimit(t);
        if (action == "set-setting" && m_edit.at("value").is_null()) {
            title(t, i18n("Reset {} to its default", text("key")));
            return resetSetting(t, text("key"));
        }
        if (action == "set-setting") {
            title(t, i18n("Set {} to {}", text("key"), scalar("value")));
            return setSetting(t, text("key"), scalar("value"));
        }
        return fail(ErrorCode::Fault, action, i18n("unknown edit action"));
    }

    /// Part types are needed for port names and for sizes only; a project whose types cannot be parsed
    /// can still be edited otherwise.
    Result<std::shared_ptr<const ProjectParts>> parts(const Snapshot& s)
    {
        const void* identity = s.partTypes.definition.chunkIdentity(0);
        if (!m_parts || m_partsOf.get() != identity) {
            auto read = ProjectParts::of(s.partTypes);
            if (!read) return read;
            m_parts = *read;
            m_partsOf = s.partTypes.definition.chunk(0);
        }
        return m_parts;
    }

    Result<EntityRef> entity(const Snapshot& s, const std::string& name)
    {
        if (name.find(':') == std::string::npos) return requireEntity(s, ProjectParts(), name, &m_lookup);
        return parts(s).and_then([&](const auto& p) { return requireEntity(s, *p, name, &m_lookup); });
    }

    template <class IdT>
    Result<IdT> entity(const Snapshot& s, const char* key, EntityKind kind, const Text& kindName)
    {
        auto found = entity(s, text(key));
        if (!found) return tl::unexpected(found.error());
        if (found->kind != kind) return fail(ErrorCode::Refused, text(key), i18n("not a {}", kindName), i18n("specify a {}", kindName));
        return IdT(found->id);
    }

    Result<PortId> port(const Snapshot& s, const char* key) { return entity<PortId>(s, key, EntityKind::Port, i18n("port (device:port)")); }

    Result<void> setParameter(Transaction& t)
    {
        title(t, i18n("Set {} to {}", text("name"), scalar("value")));
        if (!m_context.regenerate) return fail(ErrorCode::Fault, "set-parameter", i18n("not available here"));
        return m_context.regenerate(t, text("name"), scalar("value"));
    }

    Result<void> useTemplate(Transaction& t)
    {
        title(t, i18n("Use template {}", text("template")));
        if (!m_context.useTemplate) return fail(ErrorCode::Fault, "use-template", i18n("not available here"));
        std::map<std::string, std::string> parameters;
        if (m_edit.contains("parameters"))
            for (const auto& [name, value] : m_edit["parameters"].items())
                parameters[name] = value.is_string() ? value.get<std::string>() : value.dump();
        return m_context.useTemplate(t, text("template"), parameters);
    }

    Result<void> layOut(Transaction& t)
    {
        title(t, text("hall").empty() ? i18n("Lay out hall") : i18n("Lay out {}", text("hall")));
        if (!m_context.layOut) return fail(ErrorCode::Fault, "layout", i18n("not available here"));
        return m_context.layOut(t, text("hall")).transform([&](const Text& done) { m_note = done; });
    }

    Result<void> move(Transaction& t)
    {
        auto found = entity(*t, text("entity"));
        if (!found) return tl::unexpected(found.error());
        title(t, i18n("Move {} by {}, {} mm", text("entity"), integer("dx_mm"), integer("dy_mm")));
        return moveEntity(t, *found, integer("dx_mm"), integer("dy_mm"));
    }

    Result<void> rename(Transaction& t)
    {
        auto found = entity(*t, text("entity"));
        if (!found) return tl::unexpected(found.error());
        title(t, i18n("Rename {} to {}", text("entity"), text("name")));
        return renameEntity(t, *found, text("name"), &m_lookup);
    }

    Result<void> setLimit(Transaction& t)
    {
        auto found = entity(*t, text("entity"));
        if (!found) return tl::unexpected(found.error());
        title(t, i18n("Set power limit of {} to {} W", text("entity"), integer("limit_w")));
        return setPowerLimit(t, *found, integer("limit_w"));
    }

    Result<void> place(Transaction& t)
    {
        const auto device = entity<DeviceId>(*t, "entity", EntityKind::Device, kindText(EntityKind::Device));
        if (!device) return tl::unexpected(device.error());
        if (m_edit.contains("hall")) return placeFree(t, *device);
        const auto rack = entity<RackId>(*t, "rack", EntityKind::Rack, kindText(EntityKind::Rack));
        if (!rack) return tl::unexpected(rack.error());
        const auto types = parts(*t);
        if (!types) return tl::unexpected(types.error());
        const auto u = integer("u");
        title(t, i18n("Place {} in {} at U {}", text("entity"), text("rack"), u));
        if (u < 0 || u > 1000) return fail(ErrorCode::Refused, text("entity"), i18n("the rack has no U {}", u), i18n("choose a lower position"));
        return placeDevice(t, **types, *device, *rack, int(u), &m_lookup);
    }

    Result<void> placeFree(Transaction& t, DeviceId device)
    {
        const auto hall = entity<HallId>(*t, "hall", EntityKind::Hall, kindText(EntityKind::Hall));
        if (!hall) return tl::unexpected(hall.error());
        title(t, i18n("Place {} in {}", text("entity"), text("hall")));
        if (auto done = placeInHall(t, device, *hall); !done) return done;
        for (const char* column : {"x_mm", "y_mm"})
            if (m_edit.contains(column))
                if (auto done = setField(t, ProjectParts(), m_lookup, ref(device), column, valueOf(m_edit[column])); !done) return done;
        return {};
    }

    Result<void> addThing(Transaction& t)
    {
        NewThing thing;
        thing.kind = *kindOfWord(text("what"));
        if (thing.kind == EntityKind::PartType) {
            const auto type = m_edit.contains("definition") ? addPartType(t, m_lookup, definitionOf(m_edit["definition"]))
                                                            : takePartType(t, m_lookup, m_context.catalog, text("type"));
            if (!type) return tl::unexpected(type.error());
            title(t, i18n("Add part type {}", t->partTypes.slug[*type]));
            return {};
        }
        thing.name = text("name"), thing.type = text("type"), thing.tier = text("tier"), thing.interface = text("interface");
        thing.u = maybeInteger("u");
        thing.count = int(std::clamp<std::int64_t>(m_edit.value("count", std::int64_t(1)), -1, 1'000'000));
        thing.split = int(std::clamp<std::int64_t>(m_edit.value("split", std::int64_t(1)), -1, 1'000));
        const auto types = parts(*t);
        if (!types) return tl::unexpected(types.error());
        if (m_edit.contains("in")) {
            const auto into = entity(*t, text("in"));
            if (!into) return tl::unexpected(into.error());
            thing.into = *into;
        }
        for (const auto& [key, value] : m_edit.items())
            if (const Field* field = findField(thing.kind, key); field && key != "name" && key != "u" && key != "tier")
                thing.fields[field->column] = valueOf(value);
        const auto made = add(t, **types, m_lookup, m_context.catalog, thing);
        if (!made) return tl::unexpected(made.error());
        if (thing.kind == EntityKind::BindingRule)
            if (auto fine = checkBindingRule(*t, BindingRuleId(made->front().id)); !fine) return fine;
        std::string named = thing.name;
        visitEntity(*t, made->front(), [&](const auto& table, auto id) {
            if constexpr (requires { table.name[id].size(); }) named = table.name[id];
        });
        title(t, i18n("Add {}", made->size() > 1 ? counted(made->size(), thing.kind) : named.empty() ? kindText(thing.kind) : verbatim(named)));
        return {};
    }

    Result<void> changeThing(Transaction& t, const std::string& action)
    {
        const auto found = entity(*t, text("entity"));
        if (!found) return tl::unexpected(found.error());
        if (action == "remove") return removeThing(t, *found);
        if (action == "rotate") {
            title(t, i18n("Rotate {} by {}°", text("entity"), integer("by_deg")));
            return rotate(t, *found, integer("by_deg"));
        }
        if (action == "resize") {
            title(t, i18n("Resize {}", text("entity")));
            return resize(t, *found, {maybeInteger("size_x_mm"), maybeInteger("size_y_mm"), maybeInteger("size_z_mm"), maybeInteger("length_mm")});
        }
        const auto types = parts(*t);
        if (!types) return tl::unexpected(types.error());
        if (action == "copy") return copyThing(t, **types, *found);
        if (action == "retype") {
            title(t, i18n("Change type of {} to {}", text("entity"), text("type")));
            const auto gone = retype(t, **types, m_lookup, m_context.catalog, *found, text("type"), m_edit.value("force", false));
            if (!gone) return tl::unexpected(gone.error());
            if (gone->of(EntityKind::Link) > 0) m_note = i18n("{}: deleted {}", text("entity"), gone->text());
            return {};
        }
        const auto value = valueOf(m_edit["value"]);
        title(t, i18n("Set {} of {} to {}", text("column"), text("entity"), value ? verbatim(*value) : i18n("none")));
        return setField(t, **types, m_lookup, *found, text("column"), value);
    }

    Result<void> removeThing(Transaction& t, EntityRef found)
    {
        title(t, i18n("Delete {}", text("entity")));
        const auto gone = edit::remove(t, m_lookup, std::span(&found, 1));
        if (!gone) return tl::unexpected(gone.error());
        m_note = i18n("deleted {}", gone->text());
        return {};
    }

    Result<void> copyThing(Transaction& t, const ProjectParts& types, EntityRef found)
    {
        CopyOptions options;
        options.count = int(std::clamp<std::int64_t>(m_edit.value("count", std::int64_t(1)), -1, 1'000'000));
        options.name = text("name"), options.dx_mm = maybeInteger("dx_mm"), options.dy_mm = maybeInteger("dy_mm");
        if (m_edit.contains("in")) {
            const auto into = entity(*t, text("in"));
            if (!into) return tl::unexpected(into.error());
            options.into = *into;
        }
        title(t, options.count > 1 ? i18n("Copy {} {} times", text("entity"), options.count) : i18n("Copy {}", text("entity")));
        const auto copied = edit::copy(t, types, m_lookup, found, options);
        if (!copied) return tl::unexpected(copied.error());
        m_note = i18n("created {}", copied->made.text());
        return {};
    }

    Result<void> setAll(Transaction& t)
    {
        const auto types = parts(*t);
        if (!types) return tl::unexpected(types.error());
        ManyThings many{*kindOfWord(text("what")), {}, text("type")};
        if (m_edit.contains("in")) {
            const auto in = entity(*t, text("in"));
            if (!in) return tl::unexpected(in.error());
            many.in = *in;
        }
        const auto value = valueOf(m_edit["value"]);
        const auto done = setMany(t, **types, m_lookup, many, text("column"), value);
        if (!done) return tl::unexpected(done.error());
        title(t, i18n("Set {} of {} to {}", text("column"), counted(*done, many.kind), value ? verbatim(*value) : i18n("none")));
        m_note = i18n("{}: {} set", text("column"), counted(*done, many.kind));
        return {};
    }

    Result<void> setPlantPhases(Transaction& t)
    {
        const auto types = parts(*t);
        if (!types) return tl::unexpected(types.error());
        const auto done = phasePlant(t, **types, m_lookup);
        if (!done) return tl::unexpected(done.error());
        title(t, i18n("Set phases of power and cooling plant"));
        m_note = i18n("phase set for {}", counted(*done, EntityKind::Device));
        return {};
    }

    Result<void> assignPhases(Transaction& t)
    {
        const auto types = parts(*t);
        if (!types) return tl::unexpected(types.error());
        const bool bySystem = m_edit.contains("system");
        if (bySystem == m_edit.contains("entities") || (bySystem && m_edit.contains("by")))
            return fail(ErrorCode::Refused, "assign-phase", i18n("specify what is assigned"), i18n("give \"entities\" (with \"by\"), or \"system\""));
        std::vector<EntityRef> objects;
        if (bySystem) {
            const auto system = fromWord<CostSystem>(text("system"));
            if (!system)
                return fail(ErrorCode::Refused, text("system"), i18n("unknown system"),
                            i18n("choose from {}", listedNames(std::vector<std::string>(kWords<CostSystem>.begin(), kWords<CostSystem>.end()))));
            objects = phaseObjects(*t, **types, *system);
        } else {
            const auto scope = m_edit.contains("by") ? fromWord<PhaseScope>(text("by")) : PhaseScope::Objects;
            if (!scope)
                return fail(ErrorCode::Refused, text("by"), i18n("unknown scope"),
                            i18n("choose from {}", listedNames(std::vector<std::string>(kWords<PhaseScope>.begin(), kWords<PhaseScope>.end()))));
            std::vector<EntityRef> named;
            for (const auto& one : m_edit["entities"]) {
                const auto found = entity(*t, one.get<std::string>());
                if (!found) return tl::unexpected(found.error());
                named.push_back(*found);
            }
            objects = phaseObjects(*t, named, *scope);
        }
        const auto done = assignPhase(t, **types, m_lookup, objects, int(std::clamp<std::int64_t>(integer("phase"), 0, 1001)));
        if (!done) return tl::unexpected(done.error());
        title(t, i18n("Assign phase {}", integer("phase")));
        m_note = i18np(std::int64_t(*done), "phase set for {:L} object", "phase set for {:L} objects");
        return {};
    }

    Result<void> price(Transaction& t)
    {
        const auto types = parts(*t);
        if (!types) return tl::unexpected(types.error());
        const auto entry = priceOf(m_edit, settingOf(*t, "project.currency"));
        if (!entry) return tl::unexpected(entry.error());
        title(t, i18n("Set price of {}", text("part")));
        const auto put = putPrice(*t, **types, *entry);
        if (!put) return tl::unexpected(put.error());
        return {};
    }

    /// A channel of telemetry by hand.
    Result<void> bindings(Transaction& t, const std::string& action)
    {
        const std::string channel = text("channel");
        if (action == "unbind") {
            title(t, i18n("Bind {} by rules", channel));
            return releaseChannel(t, channel);
        }
        if (action == "set-aside") {
            title(t, i18n("Ignore {}", channel));
            return setChannelAside(t, channel);
        }
        const auto found = entity(*t, text("entity"));
        if (!found) return tl::unexpected(found.error());
        title(t, i18n("Bind {} to {}", channel, text("entity")));
        return bindChannel(t, channel, *found, text("measure"), text("element"), text("unit"));
    }

    Result<void> connectPorts(Transaction& t)
    {
        if (text("from").find('[') != std::string::npos) return connectRanges(t);
        const auto from = port(*t, "from");
        if (!from) return tl::unexpected(from.error());
        const auto to = port(*t, "to");
        if (!to) return tl::unexpected(to.error());
        title(t, i18n("Connect {} – {}", text("from"), text("to")));
        auto link = connect(t, **parts(*t), *from, *to, &m_lookup);
        if (!link) return tl::unexpected(link.error());
        return {};
    }

    /// All pairs that two patterns stand for, or none.
    Result<void> connectRanges(Transaction& t)
    {
        auto pairs = expandPairs(text("from"), text("to"));
        if (!pairs) return tl::unexpected(pairs.error());
        title(t, i18np(std::int64_t(pairs->size()), "Connect {:L} link", "Connect {:L} links"));
        Lookup lookup(t.preview()); // follows the transaction, ours the document
        if (connectPairs(t, **parts(*t), lookup, *pairs) == pairs->size()) return {};
        const auto wrong = std::ranges::find_if(*pairs, [](const PortPair& pair) { return !pair.problem.empty(); });
        return fail(ErrorCode::Refused, wrong->from + " – " + wrong->to, wrong->problem, i18n("no link was connected"));
    }

    /// The link that `from` and, if given, `to` name.
    Result<LinkId> namedLink(const Snapshot& s)
    {
        const auto from = port(s, "from");
        if (!from) return tl::unexpected(from.error());
        std::optional<LinkId> link = m_lookup.linkOf(*from);
        if (m_edit.contains("to")) {
            const auto to = port(s, "to");
            if (!to) return tl::unexpected(to.error());
            if (link && s.links.from[*link] != *to && s.links.to[*link] != *to) link = std::nullopt;
        }
        if (link) return *link;
        const std::string pair = text("from") + (m_edit.contains("to") ? " – " + text("to") : std::string());
        return fail(ErrorCode::Refused, pair, i18n("not connected"), i18n("`cables` lists the connections"));
    }

    Result<void> disconnectPorts(Transaction& t)
    {
        const auto link = namedLink(*t);
        if (!link) return tl::unexpected(link.error());
        title(t, m_edit.contains("to") ? i18n("Disconnect {} – {}", text("from"), text("to")) : i18n("Disconnect {}", text("from")));
        return disconnect(t, *link, &m_lookup);
    }

    Result<CableId> namedCable(const Snapshot& s)
    {
        if (m_edit.contains("entity")) return entity<CableId>(s, "entity", EntityKind::Cable, kindText(EntityKind::Cable));
        const auto link = namedLink(s);
        if (!link) return tl::unexpected(link.error());
        const std::optional<CableId> cable = s.links.cable[*link];
        if (!cable) return fail(ErrorCode::Refused, text("from"), i18n("the link has no cable"), i18n("specify a cable"));
        return *cable;
    }

    Result<void> setCable(Transaction& t, const std::string& action)
    {
        const auto cable = namedCable(*t);
        if (!cable) return tl::unexpected(cable.error());
        const Text which = m_edit.contains("entity") ? verbatim(text("entity")) : i18n("cable of {}", text("from"));
        if (action == "set-cable-length") {
            title(t, i18n("Set length of {} to {} mm", which, integer("length_mm")));
            return setCableLength(t, *cable, integer("length_mm"), &m_lookup);
        }
        std::optional<PartTypeId> type;
        if (!m_edit["type"].is_null()) {
            const auto used = usePartType(t, m_lookup, m_context.catalog, text("type"), PartKind::Cable);
            if (!used) return tl::unexpected(used.error());
            type = *used;
        }
        title(t, i18n("Set type of {} to {}", which, type ? verbatim(text("type")) : i18n("automatic")));
        return setCableType(t, *cable, type, &m_lookup);
    }

    /// Panels, and ways by hand: see script_cabling.h.
    Result<void> cabling(Transaction& t, const std::string& action)
    {
        CablingScript script{t, m_edit, m_lookup, m_context.catalog, [&](const std::string& name) { return entity(*t, name); }, {}, {}};
        const auto led = [&]() -> Result<void> {
            if (action == "panel") return leadOver(script);
            if (action == "unpanel" && m_edit.contains("rule")) return unpanelRule(script);
            if (action == "unpanel") return namedLink(*t).and_then([&](LinkId link) { return unpanel(script, link); });
            return namedCable(*t).and_then([&](CableId cable) { return leadThrough(script, cable); });
        };
        auto done = led();
        title(t, script.title);
        m_note = script.note;
        return done;
    }

    Result<void> arrangeThings(Transaction& t, const std::string& action)
    {
        const auto types = parts(*t);
        if (!types) return tl::unexpected(types.error());
        ArrangeScript script{t, **types, m_edit, [&](const std::string& name) { return entity(*t, name); }};
        auto done = arrange(script, action);
        title(t, script.title);
        return done;
    }

    Result<void> waiveFinding(Transaction& t)
    {
        title(t, i18n("Waive {}", text("finding")));
        if (m_context.hasFinding) {
            const auto known = m_context.hasFinding(*t, text("finding"));
            if (!known) return tl::unexpected(known.error());
            if (!*known)
                return fail(ErrorCode::Refused, text("finding"), i18n("finding not found in this design"),
                            i18n("`check --json` lists the finding IDs"));
        }
        const auto author = m_edit.value("author", m_context.author), date = m_edit.value("date", m_context.date);
        return waive(t, text("finding"), text("reason"), author, date);
    }

    Document& m_document;
    const EditContext& m_context;
    json m_edit;
    std::shared_ptr<const ProjectParts> m_parts;
    ChunkPtr m_partsOf; ///< the definitions that m_parts was read from
    Lookup m_lookup;
    Text m_note;
};

namespace {

/// The script and the edit's number come first, so that the user finds the place.
Error placed(const Error& error, const ScriptEdit& edit, std::string_view name)
{
    Error result = error;
    result.where = std::string(name) + ": edit " + std::to_string(edit.number) + " (" + edit.action + ")";
    if (!error.where.empty()) result.what = i18n("{}: {}", error.where, error.what);
    return result;
}

} // namespace

ScriptRunner::ScriptRunner(Document& document, const EditContext& context, std::string_view name)
    : m_runner(std::make_unique<Runner>(document, context)), m_name(name)
{
}
ScriptRunner::~ScriptRunner() = default;

Result<void> ScriptRunner::apply(const ScriptEdit& edit)
{
    auto done = m_runner->run(edit);
    if (!done) return tl::unexpected(placed(done.error(), edit, m_name));
    return {};
}

} // namespace hw::edit
