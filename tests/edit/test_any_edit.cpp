// SPDX-License-Identifier: GPL-3.0-or-later
// Edits at random, by every verb over every kind of thing, good and bad: what an edit does is taken back and done again to the letter, the file
// and the text form hold it, nothing derived from it differs from what is made again.
#include "core/derived/cooling/chain.h"
#include "core/derived/figures/figures.h"
#include "core/derived/proof/proof_node.h"
#include "core/derived/rules/check.h"
#include "core/derived/topology/rack_units.h"
#include "core/design/edit/lookup.h"
#include "core/design/edit/script.h"
#include "core/design/fitting/fitting.h"
#include "core/foundation/storage/project_file.h"
#include "core/foundation/storage/text_form.h"
#include "core/foundation/storage/validate.h"
#include "core/output/exchange/bom.h"
#include "tests/edit/any_edit.h"
#include "tests/edit/apply_script.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <iterator>
#include <set>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    if (!loaded) qFatal("%s", loaded.error().text().c_str());
    return *loaded;
}

/// The text form without the line of the revision.
std::string exported(const Snapshot& snapshot, const std::string& path)
{
    if (const auto written = exportText(snapshot, path); !written) qFatal("%s", written.error().text().c_str());
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto from = text.find("revision "), to = text.find('\n', from);
    return text.erase(from, to - from);
}

/// Whether the same rows live with the same values, and the next row of every table will have the same id.
bool same(const Snapshot& a, const Snapshot& b)
{
    bool ids = true;
    const auto left = a.tables(), right = b.tables();
    for (std::size_t i = 0; i < left.size(); ++i) ids = ids && left[i]->nextId() == right[i]->nextId();
    return ids && sameContent(a, b);
}

/// A name that two things have.
std::string doubledName(const Snapshot& s)
{
    std::set<std::string> names;
    std::string found;
    s.eachTable([&](const auto& table) {
        if constexpr (edit::Named<decltype(table)>)
            table.forEach([&](auto id) {
                if (!names.insert(table.name[id]).second) found = table.name[id];
            });
    });
    return found;
}

/// The first number that its column may not have, of all columns that people set.
std::string outOfRange(const Snapshot& s)
{
    std::string found;
    s.eachTable([&](const auto& table) {
        edit::eachColumn(table, [&](const auto& column, std::size_t) {
            using V = typename std::decay_t<decltype(column)>::Value;
            const ColumnTraits& traits = column.traits();
            if (traits.least == 0 && traits.most == 0) return;
            table.forEach([&](auto id) {
                std::int64_t value = 0;
                if constexpr (requires(V v) { std::int64_t(v.count()); })
                    value = column[id].count();
                else if constexpr (std::is_integral_v<V>)
                    value = std::int64_t(column[id]);
                else
                    return;
                if (value < traits.least || value > traits.most || value % traits.step != 0)
                    found = std::string(static_cast<const TableBase&>(table).name()) + "." + std::string(column.name()) + " of row " +
                            std::to_string(id.value) + " is " + std::to_string(value);
            });
        });
    });
    return found;
}

/// Devices that stand on top of each other in a rack.
std::string overlap(const Snapshot& s, const ProjectParts& parts)
{
    std::map<RackId, RackUnits> racks;
    std::string found;
    s.devices.forEach([&](DeviceId id) {
        if (!s.devices.rack[id] || s.devices.u[id] <= 0) return;
        RackUnits& units = racks.try_emplace(*s.devices.rack[id], parts.rack(s.racks.type[*s.devices.rack[id]])).first->second;
        if (!units.takes(mounted(s, parts, id))) found = s.devices.name[id];
        units.put(mounted(s, parts, id));
    });
    return found;
}

/// A name that no edit would take, or a link at a place that its panel does not have.
std::string strange(const Snapshot& s, const ProjectParts& parts)
{
    std::string found;
    s.eachTable([&](const auto& table) {
        if constexpr (edit::Named<decltype(table)>)
            table.forEach([&](auto id) {
                if (table.name[id].empty() || edit::charactersOf(table.name[id]) > edit::kLongestName) found = "name '" + table.name[id] + "'";
            });
    });
    s.runs.forEach([&](RunId id) {
        if (s.runs.position[id] >= parts.device(s.devices.type[s.runs.panel[id]]).panel.positions)
            found = "position of run " + std::to_string(id.value);
    });
    return found;
}

/// Sockets that two links end at, or that are two of one number in a device.
std::string doubledSocket(const Snapshot& s)
{
    std::set<std::uint32_t> ends;
    std::set<std::tuple<std::uint32_t, std::uint16_t>> sockets;
    std::string found;
    s.links.forEach([&](LinkId id) {
        if (!ends.insert(s.links.from[id].value).second || !ends.insert(s.links.to[id].value).second) found = "link " + std::to_string(id.value);
        if (!s.links.cable[id]) found = "no cable: link " + std::to_string(id.value);
    });
    s.cages.forEach([&](CageId id) {
        if (!sockets.emplace(s.cages.device[id].value, s.cages.number[id]).second) found = "cage " + std::to_string(id.value);
    });
    std::set<std::uint32_t> used;
    s.links.forEach([&](LinkId id) {
        if (s.links.cable[id]) used.insert((*s.links.cable[id]).value);
    });
    s.runs.forEach([&](RunId id) { used.insert(s.runs.cable[id].value); });
    s.cables.forEach([&](CableId id) {
        if (!used.contains(id.value)) found = "cable without ends " + std::to_string(id.value);
    });
    std::set<std::string> channels;
    s.bindings.forEach([&](BindingId id) {
        if (!channels.insert(s.bindings.channel[id]).second) found = "channel bound twice";
    });
    return found;
}

struct Desk {
    Document document;
    edit::EditContext context;
    std::unique_ptr<edit::ScriptRunner> runner;
    bool crowded = false; ///< the last regeneration said that a rack has no room beside what was put there by hand

    explicit Desk(SnapshotPtr snapshot) : document(std::move(snapshot))
    {
        context.catalog = [](const std::string& slug) { return catalog().find(slug); };
        context.regenerate = [this](Transaction& t, std::string_view name, std::string_view value) -> Result<void> {
            const auto design = templateOf(*t);
            if (!design) return tl::unexpected(design.error());
            const auto wanted = design->complete(std::map<std::string, std::string>{{std::string(name), std::string(value)}});
            if (!wanted) return tl::unexpected(wanted.error());
            const auto merged = fitting::changeParameters(t, {{std::string(name), wanted->at(std::string(name))}}, catalog());
            if (!merged) return tl::unexpected(merged.error());
            crowded = std::ranges::any_of(merged->notKept, [](const Text& text) { return text.id().ends_with("they overlap"); });
            return {};
        };
        runner = std::make_unique<edit::ScriptRunner>(document, context, "s");
    }
    Result<void> run(const nlohmann::json& edit)
    {
        const auto text = nlohmann::json{{"edits", {edit}}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        const auto script = edit::parseScript(text, "s");
        return script ? runner->apply(script->front()) : tl::unexpected(script.error());
    }
    [[nodiscard]] const SnapshotPtr& now() const { return document.snapshot(); }
};

SnapshotPtr byHand()
{
    Desk desk(std::make_shared<const Snapshot>());
    const auto script = edit::readScript(HW_RESOURCES "/../docs/examples/by-hand.json");
    if (!script || !test::applyScript(desk.document, *script, desk.context, "by-hand.json")) qFatal("the example is broken");
    return desk.now();
}

/// A template with the smallest value of every number.
SnapshotPtr smallest(const std::string& name, ParameterValues values = {})
{
    static const auto all = loadTemplates(HW_RESOURCES "/templates");
    const auto design = std::ranges::find_if(*all, [&](const Template& t) { return t.name() == name; });
    if (design == all->end()) qFatal("no template %s", name.c_str());
    for (const Parameter& p : design->parameters())
        if (p.choices.empty() && !p.flag && !values.contains(p.name) && p.name != "radix" && p.name != "leaf_up_split" &&
            p.name != "hosts_per_segment")
            values[p.name] = p.minimum;
    const auto made = instantiate(*design, *design->complete(values), catalog());
    if (!made) qFatal("%s: %s", name.c_str(), made.error().text().c_str());
    return *made;
}

} // namespace

class TestAnyEdit : public QObject {
    Q_OBJECT
private slots:
    void edits_data();
    void edits();
};

void TestAnyEdit::edits_data()
{
    QTest::addColumn<QString>("design");
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<int>("count");
    const int times = qEnvironmentVariableIntValue("HALLWRIGHT_EDITS") > 0 ? qEnvironmentVariableIntValue("HALLWRIGHT_EDITS") : 1;
    const unsigned first = unsigned(qEnvironmentVariableIntValue("HALLWRIGHT_SEED"));
    for (unsigned seed = 0; seed < 3; ++seed) {
        QTest::addRow("empty %u", seed) << "" << seed + first << 300 * times;
        QTest::addRow("by hand %u", seed) << "by hand" << seed + first << 300 * times;
    }
    const QStringList others = qEnvironmentVariable("HALLWRIGHT_DESIGNS", "hpn nvl72 rail-optimized-2 dcn-plus").split(' ');
    for (const QString& name : others) QTest::newRow(qPrintable(name)) << name << 7u + first << 120 * times;
}

void TestAnyEdit::edits()
{
    QFETCH(QString, design);
    QFETCH(unsigned, seed);
    QFETCH(int, count);
    QTemporaryDir folder;
    const auto path = [&](const char* name) { return folder.filePath(name).toStdString(); };
    const SnapshotPtr start = design.isEmpty()      ? std::make_shared<const Snapshot>()
                              : design == "by hand" ? byHand()
                              : design == "hpn"     ? smallest("hpn", {{"tor_uplinks", 2}, {"networks", 1}})
                                                    : smallest(design.toStdString());
    Desk desk(start);
    test::AnyEdit any(catalog(), seed);
    if (design == "hpn") any.parameters = {{"segments", {1, 2}}, {"tor_uplinks", {1, 2, 3}}, {"backup_hosts", {0, 2}}};
    if (qEnvironmentVariableIsSet("HALLWRIGHT_DESIGNS")) any.parameters = {{"segments", {1, 2, 3}}};
    if (design == "nvl72") any.parameters = {{"segments", {1}}, {"racks", {1, 2}}, {"support", {0, 1}}};
    const std::string beforeAll = exported(*start, path("t"));
    const bool doubled = !doubledName(*start).empty();
    auto figures = figuresOf(start).value();
    (void)figures->get<FindingsNode>();
    std::map<std::string, std::pair<int, int>> verbs; // done, refused
    std::size_t steps = 0;
    const std::size_t most = start->ports.size() + 3000;
    for (int i = 0; i < count; ++i) {
        while (desk.now()->ports.size() > most || (desk.now()->racks.size() < start->racks.size() / 2 && desk.document.canUndo()))
            if (!desk.document.undo()) break;
        const SnapshotPtr before = desk.now();
        const auto parts = *ProjectParts::of(before->partTypes);
        const auto edit = any.make(*before, *parts);
        const std::string said = edit.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).substr(0, 600);
        if (qEnvironmentVariableIsSet("HALLWRIGHT_LOUD")) qInfo("%d %s", i, said.c_str());
        desk.crowded = false;
        const auto done = desk.run(edit);
        auto& [well, refused] = verbs[edit["do"]];
        (done ? well : refused)++;
        if (!done) {
            QVERIFY2(desk.now() == before, said.c_str());
            QVERIFY2(!done.error().what.empty() && done.error().code != ErrorCode::Fault, (said + " " + done.error().text()).c_str());
            if (qEnvironmentVariableIsSet("HALLWRIGHT_LOUD")) qInfo("   %s", done.error().text().c_str());
            continue;
        }
        const SnapshotPtr after = desk.now();
        if (after == before) continue;
        ++steps;
        const auto broken = findInconsistency(*after);
        QVERIFY2(!broken, (said + ": " + (broken ? words(*broken) : std::string())).c_str());
        if (!doubled) QVERIFY2(doubledName(*after).empty(), (said + ": " + doubledName(*after)).c_str());
        QVERIFY2(outOfRange(*after).empty(), (said + ": " + outOfRange(*after)).c_str());
        const auto newParts = *ProjectParts::of(after->partTypes);
        if (!desk.crowded && overlap(*before, *parts).empty())
            QVERIFY2(overlap(*after, *newParts).empty(), (said + ": " + overlap(*after, *newParts)).c_str());
        QVERIFY2(strange(*after, *newParts).empty(), (said + ": " + strange(*after, *newParts)).c_str());
        QVERIFY2(doubledSocket(*after).empty(), (said + ": " + doubledSocket(*after)).c_str());
        QVERIFY(desk.document.undo());
        QVERIFY2(same(*desk.now(), *before), said.c_str());
        if (i % 25 == 0) QVERIFY2(exported(*desk.now(), path("a")) == exported(*before, path("b")), said.c_str());
        QVERIFY(desk.document.redo());
        QVERIFY2(same(*desk.now(), *after), said.c_str());
        if (i % 10 == 0) { // what follows, kept up and made again
            figures = updateFigures(figures, desk.now(), difference(*figures->snapshot, *desk.now(), {})).value();
            const auto fresh = figuresOf(desk.now()).value();
            for (const NodeInfo* node : knownNodes())
                QVERIFY2(node->same(figures->value(*node), fresh->value(*node)), (words(node->name) + " after " + said).c_str());
        }
        if (i % 60 == 0) {
            const std::string text = exported(*after, path("a"));
            const auto read = importText(path("a"));
            QVERIFY2(read, read ? "" : (said + read.error().text()).c_str());
            QVERIFY2(exported(**read, path("b")) == text, said.c_str());
            const auto written = writeProject(*after, path("d.hall"));
            QVERIFY2(written, written ? "" : written.error().text().c_str());
            const auto opened = readProject(path("d.hall"));
            QVERIFY2(opened, opened ? "" : opened.error().text().c_str());
            QVERIFY2(exported(*opened->snapshot, path("b")) == text, said.c_str());
            QVERIFY(QFile::remove(QString::fromStdString(path("d.hall"))));
        }
    }
    while (desk.document.redo()) {}
    const std::string end = exported(*desk.now(), path("t"));
    while (desk.document.undo()) {}
    QVERIFY(exported(*desk.now(), path("t")) == beforeAll);
    while (desk.document.redo()) {}
    QVERIFY(exported(*desk.now(), path("t")) == end);
    std::string told;
    for (const auto& [verb, counts] : verbs) told += verb + " " + std::to_string(counts.first) + "/" + std::to_string(counts.second) + "  ";
    qInfo("%s", told.c_str());
    QVERIFY2(steps * 20 > std::size_t(count), std::to_string(steps).c_str());
}

QTEST_APPLESS_MAIN(TestAnyEdit)
#include "test_any_edit.moc"
