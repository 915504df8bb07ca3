// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/derived/impact/study.h"
#include "core/design/edit/lookup.h"
#include "core/design/edit/places.h"
#include "core/design/template/template.h"
#include "core/foundation/catalog/entity.h"
#include "tests/impact/random_plant.h"

#include <fmt/format.h>

using namespace hw;
using namespace hw::impact;

namespace {

ModelPtr modelOf(Snapshot s) { return Model::of(computeFigures(std::make_shared<const Snapshot>(std::move(s))).value()).value(); }

Snapshot fromTemplate(const char* name, const std::map<std::string, std::string>& values)
{
    static const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml").value();
    return Snapshot(*instantiate(design, design.complete(values).value(), catalog).value());
}

/// Cords follow from the strips of a rack: without one they would be plugged again, onto the others. A strip that nothing feeds is as good as lost.
bool isStrip(const Model& m, DeviceId id) { return m.s->devices.rack[id].has_value() && m.s->tiers.kind[m.s->devices.tier[id]] == TierKind::Power; }

/// True where a device in a rack has lost the last power link of its own: it would be plugged into strips.
bool isPluggedAnew(const Model& m, const Snapshot& left)
{
    for (const DeviceId id : left.devices.ids()) {
        const auto ways = m.feeds->of(id);
        const auto own = [&](const PowerFeed& way) { return way.link && left.links.contains(*way.link); };
        if (left.devices.rack[id] && !isStrip(m, id) && !ways.empty() && ways.front().link && std::ranges::none_of(ways, own)) return true;
    }
    return false;
}

/// The design without what fails: rows out of the tables. False where that is another design: a way that is no row fails, cords move.
bool takeAway(Snapshot& s, const Model& m, const Failed& failed)
{
    std::vector<EntityRef> gone;
    const auto takeLink = [&](LinkId link) { gone.push_back(ref(link)); };
    std::ranges::for_each(failed.links, takeLink);
    for (const auto& way : failed.ways) {
        const auto link = m.feeds->of(DeviceId(way.consumer))[way.feed].link;
        if (!link) return false;
        takeLink(*link);
    }
    for (const DeviceId id : failed.devices) {
        if (!isStrip(m, id)) {
            gone.push_back(ref(id));
            continue;
        }
        for (const PowerFeed& way : m.feeds->of(id))
            if (way.link) takeLink(*way.link);
    }
    edit::Lookup lookup(m.figures->snapshot);
    edit::leaveOut(s, lookup, gone);
    return !isPluggedAnew(m, s);
}

/// What is wrong with a loss told as a difference against the design computed again without the elements; empty: nothing.
std::string apart(Study& study, const Failing& failing, int& compared)
{
    const Model& m = study.model();
    const Effect& e = study.lose(failing);
    Snapshot left = *m.s;
    if (!takeAway(left, m, e.failed)) return {};
    ++compared;
    const FiguresPtr figures = computeFigures(std::make_shared<const Snapshot>(left)).value();
    const PowerChain& now = figures->get<PowerChainNode<PowerBasis::Design>>();
    std::map<power::Index, std::int64_t> changed;
    for (const auto& change : e.changed) changed[change.element] = change.through.total().count();
    // Optics stay in their ports where the other end of a cable is lost: they go on drawing.
    const bool optics = std::ranges::any_of(e.failed.devices, [&](DeviceId id) { return !m.data->arcs(id).empty(); });
    std::string out;
    m.s->devices.forEach([&](DeviceId id) {
        if (std::ranges::binary_search(e.failed.devices, id)) return;
        const bool dark = std::ranges::binary_search(e.dark, id), lives = now.flow.live[id.value] != 0;
        if (m.chain->flow.live[id.value] && dark == lives)
            out += fmt::format("{} without {}: {}, computed again {}\n", m.s->devices.name[id], nameOf(m, failing), dark ? "dark" : "live",
                               lives ? "live" : "dark");
        if (!lives || dark || optics) return;
        const auto found = changed.find(id.value);
        const std::int64_t told = found == changed.end() ? m.chain->through(id).count() : found->second, is = now.through(id).count();
        if (told != is) out += fmt::format("{} without {}: {} mW, computed again {} mW\n", m.s->devices.name[id], nameOf(m, failing), told, is);
    });
    return out;
}

} // namespace

/// What a loss does to power is the design computed again with the elements out of its tables.
class TestRemoval : public QObject {
    Q_OBJECT
private slots:
    void shippedDesigns_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("segments");
        QTest::newRow("HPN") << "hpn"
                             << "1";
        QTest::newRow("NVL72") << "nvl72"
                               << "2";
        QTest::newRow("rails") << "rail-optimized-2"
                               << "";
    }
    /// Of every element of the chain one or more, of every kind.
    void shippedDesigns()
    {
        QFETCH(QString, name);
        QFETCH(QString, segments);
        std::map<std::string, std::string> values;
        if (!segments.isEmpty()) values["segments"] = segments.toStdString();
        Snapshot s = fromTemplate(name.toUtf8(), values);
        s.putSetting("site.power_basis", "design");
        s.putSetting("impact.trips", "off");
        const ModelPtr model = modelOf(s);
        Study study(model);
        int compared = 0;
        std::map<std::uint32_t, int> seen; // by type: enough is enough
        for (const DeviceId id : model->s->devices.ids()) {
            const bool power = model->s->tiers.kind[model->s->devices.tier[id]] == TierKind::Power;
            if (seen[model->s->devices.type[id].value]++ >= (power ? 3 : 1)) continue;
            const std::string wrong = apart(study, {ref(id), -1, -1}, compared);
            QVERIFY2(wrong.empty(), wrong.c_str());
        }
        for (const LinkId id : model->s->links.ids()) {
            if (model->s->ports.medium[model->s->links.from[id]] != Medium::Power || id.value % 97 != 0) continue;
            const std::string wrong = apart(study, {ref(id), -1, -1}, compared);
            QVERIFY2(wrong.empty(), wrong.c_str());
        }
        QVERIFY2(compared > 25, qPrintable(QString::number(compared)));
    }

    void randomDesigns()
    {
        int compared = 0;
        for (unsigned seed = 0; seed < 60; ++seed) {
            Snapshot s = test::randomPlant(seed, true);
            s.putSetting("impact.trips", "off");
            const ModelPtr model = modelOf(s);
            Study study(model);
            std::vector<EntityRef> elements;
            for (const DeviceId id : model->s->devices.ids())
                if (model->s->tiers.kind[model->s->devices.tier[id]] != TierKind::Switch) elements.push_back(ref(id));
            for (const RackId id : model->s->racks.ids())
                if (id.value % 3 == 0) elements.push_back(ref(id));
            for (const RowId id : model->s->rows.ids()) elements.push_back(ref(id));
            for (std::size_t i = seed % 3; i < elements.size(); i += 3) {
                const std::string wrong = apart(study, {elements[i], -1, -1}, compared);
                QVERIFY2(wrong.empty(), qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(wrong.c_str())));
            }
        }
        QVERIFY2(compared > 500, qPrintable(QString::number(compared)));
    }
};

QTEST_GUILESS_MAIN(TestRemoval)
#include "test_removal.moc"
