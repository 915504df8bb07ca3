// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/figures.h"
#include "core/derived/rules/check.h"
#include "core/design/count/count.h"
#include "core/design/template/template.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>

#include <fmt/format.h>

using namespace hw;

namespace {

constexpr std::size_t kMostPoints = 160;         ///< of a template, looked at by counting
constexpr std::size_t kMostMade = 4;             ///< of them made whole and checked
constexpr std::size_t kMostRefused = 12;         ///< refused ones that are asked for again
constexpr std::int64_t kMostAccelerators = 2600; ///< of a design that is made: larger ones take seconds

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

std::string textOf(const Template& design, const ParameterValues& values)
{
    std::string text = design.name();
    for (const auto& p : design.parameters()) text += fmt::format(" {}={}", p.name, p.textOf(values.at(p.name)));
    return text;
}

/// Values at which a parameter is looked at: its ends, its default and every choice.
std::vector<std::int64_t> cornersOf(const Parameter& p)
{
    std::set<std::int64_t> values{p.minimum, p.defaultValue, p.maximum};
    if (!p.choices.empty() || p.maximum - p.minimum < 9)
        for (auto v = p.minimum; v <= p.maximum; ++v) values.insert(v);
    return {values.begin(), values.end()};
}

/// The defaults, each corner of one parameter alone, then corners of several and points between.
std::vector<ParameterValues> pointsOf(const Template& design)
{
    std::vector<ParameterValues> points{*design.complete(ParameterValues{})};
    const auto add = [&](const ParameterValues& values) {
        if (points.size() < kMostPoints && std::ranges::find(points, values) == points.end()) points.push_back(values);
    };
    for (const auto& p : design.parameters())
        for (const auto value : cornersOf(p)) {
            auto values = points.front();
            values[p.name] = value;
            add(values);
        }
    std::mt19937 random(11u + unsigned(qEnvironmentVariableIntValue("HALLWRIGHT_SEED")));
    for (std::size_t tries = 0; tries < 4 * kMostPoints && points.size() < kMostPoints; ++tries) {
        ParameterValues values;
        for (const auto& p : design.parameters()) {
            const auto corners = cornersOf(p);
            const bool between = tries % 3 == 2 && p.choices.empty();
            const std::int64_t span = p.maximum - p.minimum + 1;
            values[p.name] = between ? p.minimum + std::int64_t(random() % std::uint64_t(std::min<std::int64_t>(span, 2 + span / 8)))
                                     : corners[random() % corners.size()];
        }
        add(values);
    }
    return points;
}

/// Devices by tier and links by rule.
using Counts = std::map<std::string, std::int64_t>;

Counts countsOf(const TemplateCount& counted)
{
    Counts counts;
    const auto own = [&](const TemplateCount::Tier& tier) {
        return !counted.laidOut || (tier.kind != TierKind::Power && tier.kind != TierKind::Cooling);
    };
    for (const auto& tier : counted.tiers)
        if (own(tier) && tier.total() > 0) counts["tier " + tier.name] = tier.total();
    for (const auto& rule : counted.rules)
        if (rule.medium == Medium::Data && rule.links > 0) counts["rule " + rule.name] = rule.links;
    return counts;
}

Counts countsOf(const Snapshot& s, const Counts& like)
{
    Counts counts;
    s.devices.forEach([&](DeviceId id) { ++counts["tier " + s.tiers.key[s.devices.tier[id]]]; });
    s.links.forEach([&](LinkId id) { ++counts["rule " + s.linkRules.key[*s.links.rule[id]]]; });
    std::erase_if(counts, [&](const auto& entry) { return !like.contains(entry.first); }); // power and cooling are the engine's
    return counts;
}

/// A refusal that a planner can act on: by the template's words, not by an expression that has no value.
std::string unclear(const Error& error)
{
    if (error.code != ErrorCode::Refused) return "no refusal: " + error.text();
    if (error.what.empty() || error.todo.empty() || error.where.empty()) return "without reason or remedy: " + error.text();
    for (const auto* phrase : {"which is not a whole number", "' does not evaluate to a finite value", "cannot be evaluated", "would be used twice",
                               "to a nonexistent '", "' ports, but this rule requires port", "is outside set '", "or more divides"})
        if (words(error.what).find(phrase) != std::string::npos) return "not in the words of a constraint: " + error.text();
    return {};
}

std::string wrongIn(const SnapshotPtr& design)
{
    const auto figures = computeFigures(design);
    if (!figures) return figures.error().text();
    const auto checked = check(**figures);
    if (!checked) return checked.error().text();
    for (const auto& finding : checked->findings)
        if (finding.severity == Severity::Error && !finding.waived) return finding.rule + " " + words(finding.message);
    return {};
}

} // namespace

class ParameterRanges : public QObject {
    Q_OBJECT
private slots:
    void shipped_data()
    {
        QTest::addColumn<QString>("name");
        const auto all = loadTemplates(HW_RESOURCES "/templates");
        QVERIFY2(all.has_value(), all ? "" : all.error().text().c_str());
        for (const auto& t : *all) QTest::newRow(t.name().c_str()) << QString::fromStdString(t.name());
    }

    /// Over the whole range of its parameters a shipped template is made as it is counted and passes every rule, or both refuse it and
    /// say why in words that a planner understands.
    void shipped()
    {
        QFETCH(QString, name);
        const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name.toStdString() + ".yaml");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        auto counter = TemplateCounter::bind(*design, catalog());
        QVERIFY2(counter.has_value(), counter ? "" : counter.error().text().c_str());
        std::size_t made = 0, refused = 0;
        QStringList wrong;
        const auto points = pointsOf(*design);
        std::optional<std::pair<std::int64_t, ParameterValues>> smallest;
        // A point whose design is counted: made whole, it must be the same and pass every rule.
        const auto make = [&](const ParameterValues& values, const TemplateCount& counted) {
            const auto what = textOf(*design, values) + ": ";
            const auto whole = instantiate(*design, values, catalog());
            if (!whole) { // only the layout may refuse what can be counted
                if (const auto text = unclear(whole.error()); !text.empty()) wrong << QString::fromStdString(what + text);
                return;
            }
            ++made;
            const auto expected = countsOf(counted);
            if (countsOf(**whole, expected) != expected) wrong << QString::fromStdString(what + "is made otherwise than counted");
            const auto text = wrongIn(*whole);
            if (!text.empty()) wrong << QString::fromStdString(what + text);
        };
        for (const auto& values : points) {
            const auto what = textOf(*design, values) + ": ";
            const auto counted = counter->count(values);
            if (!counted) {
                if (const auto text = unclear(counted.error()); !text.empty()) wrong << QString::fromStdString(what + text);
                if (++refused > kMostRefused) continue;
                const auto whole = instantiate(*design, values, catalog());
                if (whole)
                    wrong << QString::fromStdString(what + "made, and refused by counting: " + counted.error().text());
                else if (const auto text = unclear(whole.error()); !text.empty())
                    wrong << QString::fromStdString(what + text);
                continue;
            }
            if (!smallest || counted->activeAccelerators < smallest->first) smallest = {counted->activeAccelerators, values};
            if (made < kMostMade && counted->activeAccelerators <= kMostAccelerators) make(values, *counted);
        }
        if (made == 0 && smallest) make(smallest->second, *counter->count(smallest->second));
        qInfo("%s: %zu points counted, %zu refused, %zu made and checked", qPrintable(name), points.size(), refused, made);
        QVERIFY(made > 0);
        QVERIFY2(wrong.isEmpty(), qPrintable(QString("%1 wrong\n").arg(wrong.size()) + wrong.mid(0, 12).join("\n")));
    }
};

QTEST_APPLESS_MAIN(ParameterRanges)
#include "test_parameter_ranges.moc"
