// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/operations/bindings/rule_index.h"
#include "core/operations/bindings/rules.h"

#include <random>

using namespace hw;
using namespace hw::bindings;

namespace {

/// What stood for the names, "a=x b=y"; "-" where the pattern does not fit.
std::string fitted(std::string_view pattern, std::string_view text, bool slashes = false)
{
    const auto read = Pattern::of(pattern);
    if (!read) return "?";
    Captures captures;
    if (!read->matches(text, captures, slashes)) return "-";
    std::string out;
    for (const auto& [name, value] : captures) out += (out.empty() ? "" : " ") + std::string(name) + "=" + std::string(value);
    return out;
}

/// The same, tried in every way without any cleverness: `*` any text, a letter in braces some text.
bool slowlyFits(std::string_view pattern, std::string_view text)
{
    if (pattern.empty()) return text.empty();
    const bool name = pattern[0] == '{';
    if (pattern[0] != '*' && !name) return !text.empty() && text[0] == pattern[0] && slowlyFits(pattern.substr(1), text.substr(1));
    const auto rest = pattern.substr(name ? pattern.find('}') + 1 : 1);
    for (std::size_t n = name ? 1 : 0; n <= text.size(); ++n) {
        if (name && text.substr(0, n).find('/') != text.npos) break;
        if (slowlyFits(rest, text.substr(n))) return true;
    }
    return false;
}

} // namespace

class PatternsTest : public QObject {
    Q_OBJECT
private slots:
    void knownAnswers()
    {
        QCOMPARE(fitted("a/b", "a/b"), std::string());
        QCOMPARE(fitted("a/b", "a/bc"), std::string("-"));
        QCOMPARE(fitted("a/{x}/c", "a/b/c"), std::string("x=b"));
        QCOMPARE(fitted("a/{x}", "a/b/c"), std::string("-"));
        QCOMPARE(fitted("a/{x}", "a/b/c", true), std::string("x=b/c"));
        QCOMPARE(fitted("a/*{x}", "a/b/c"), std::string("x=c"));
        QCOMPARE(fitted("*/{x}", "a/b/c"), std::string("x=c"));
        QCOMPARE(fitted("a/{x}", "a/"), std::string("-"));
        QCOMPARE(fitted("a*", "a"), std::string());
        QCOMPARE(fitted("{x}-{y}", "a-b-c"), std::string("x=a y=b-c"));
        QCOMPARE(fitted("{x}:{x}", "ab:ab"), std::string("x=ab"));
        QCOMPARE(fitted("{x}:{x}", "ab:ac"), std::string("-"));
        QCOMPARE(fitted("{host}:{port}", "host-12:9100", true), std::string("host=host-12 port=9100"));
        QCOMPARE(fitted("", ""), std::string());
        for (const char* broken : {"{", "a{b", "}", "{}", "{a b}", "{a{b}}"}) QCOMPARE(fitted(broken, "x"), std::string("?"));
    }

    void sameAsTryingEverything()
    {
        std::mt19937 random(7);
        const auto any = [&](const char* letters, int most) {
            std::string out;
            for (int n = int(random() % unsigned(most)); n >= 0; --n) {
                const char c = letters[random() % std::strlen(letters)];
                out += c == '1' || c == '2' ? std::string("{n") + c + std::to_string(out.size()) + "}" : std::string(1, c);
            }
            return out;
        };
        int fits = 0;
        for (int i = 0; i < 20'000; ++i) {
            const std::string pattern = any("ab/*12", 6), text = any("ab/", 8);
            const bool slow = slowlyFits(pattern, text);
            QVERIFY2((fitted(pattern, text) != "-") == slow, (pattern + " on " + text).c_str());
            fits += slow;
        }
        QVERIFY(fits > 1000);
    }

    /// The index leaves no rule out that fits.
    void indexFindsAllThatFit()
    {
        const std::vector<std::string> patterns = {"a/b/c", "a/{x}/c", "a/*", "*", "{x}/b/*", "a/b/{x}", "a*/c", "{x}", "a/x{y}/c", "a"};
        RuleIndex index;
        for (const auto& pattern : patterns) index.add(*readRule({"r", pattern, "", "e", "", "flow", "L/min"}));
        for (const char* name : {"a/b/c", "a", "b", "a/xx/c", "q/b/z", "ab/c", "a/b/c/d", "", "/"}) {
            std::vector<std::uint32_t> found;
            index.candidates(name, found);
            for (std::uint32_t i = 0; i < patterns.size(); ++i)
                if (fitted(patterns[i], name) != "-") QVERIFY2(std::ranges::find(found, i) != found.end(), (patterns[i] + " on " + name).c_str());
            QVERIFY(std::ranges::is_sorted(found));
            QVERIFY(std::ranges::adjacent_find(found) == found.end());
        }
    }

    void rulesAreReadStrictly()
    {
        const RuleText good{"r", "m", "Hostname={host}, area=Primary,Inlet, gpu={gpu}", "{host}", "gpu{gpu}", "active-power", "kW"};
        const auto rule = readRule(good);
        QVERIFY(rule);
        QCOMPARE(rule->labels.size(), std::size_t(3)); // a comma without another label behind it belongs to the pattern
        const auto where = [&](auto change) {
            RuleText text = good;
            change(text);
            const auto read = readRule(text);
            return read ? std::string() : read.error().where;
        };
        QCOMPARE(where([](RuleText& r) { r.channel.clear(); }), std::string("channel"));
        QCOMPARE(where([](RuleText& r) { r.channel = "a{"; }), std::string("channel"));
        QCOMPARE(where([](RuleText& r) { r.labels = "gpu"; }), std::string("labels"));
        QCOMPARE(where([](RuleText& r) { r.entity = "{nobody}"; }), std::string("entity"));
        QCOMPARE(where([](RuleText& r) { r.element = "{nobody}"; }), std::string("element"));
        QCOMPARE(where([](RuleText& r) { r.measure = "power"; }), std::string("measure"));
        QCOMPARE(where([](RuleText& r) { r.unit = "°C"; }), std::string("unit"));
        QCOMPARE(where([](RuleText& r) { r.measure = "{host}"; }), std::string()); // a word that the channel says
    }

    void shippedSets()
    {
        const auto& sets = shippedRuleSets();
        QVERIFY2(sets, sets ? "" : sets.error().text().c_str());
        std::vector<std::string> names;
        for (const RuleSet& set : *sets) {
            names.push_back(set.name);
            QVERIFY(!set.rules.empty() && !set.source.empty());
        }
        for (const char* wanted : {"dsx", "dcgm", "node", "snmp", "redfish"}) QVERIFY2(std::ranges::find(names, wanted) != names.end(), wanted);
        QCOMPARE(ruleSetsNamed("dsx, dcgm")->size(), std::size_t(2));
        QVERIFY(ruleSetsNamed("none")->empty());
        QCOMPARE(ruleSetsNamed("dxs").error().code, ErrorCode::Refused);
    }

    void brokenSets()
    {
        const auto at = [](const char* yaml) {
            const auto read = readRuleSet(yaml, "x.yaml");
            return read ? std::string("read") : read.error().where;
        };
        const std::string head = "set: a\ntitle: b\nsource: c\ngroups:\n";
        QCOMPARE(at((head + "  - rules:\n      - {channel: a, entity: e, measure: flow, unit: L/min}\n").c_str()), std::string("read"));
        QCOMPARE(at((head + "  - rules:\n      - {channel: a, entity: e, measure: flew}\n").c_str()), std::string("x.yaml:6"));
        QCOMPARE(at((head + "  - rules:\n      - {channel: a, entity: e, measure: flow, color: red}\n").c_str()), std::string("x.yaml:6"));
        QCOMPARE(at("set: a\ntitle: b\n"), std::string("x.yaml:1"));
        QCOMPARE(at("set: [\n"), std::string("x.yaml:2"));
    }
};

QTEST_GUILESS_MAIN(PatternsTest)
#include "test_patterns.moc"
