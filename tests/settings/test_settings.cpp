// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/air_rules.h"
#include "core/derived/rules/rule.h"
#include "core/design/edit/edits.h"
#include "core/design/edit/settings_check.h"
#include "core/design/template/template.h"
#include "core/foundation/model/setting_values.h"

#include <QTest>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

using namespace hw;

namespace {

struct Read {
    std::string file, key;
    bool composed = false; ///< more is put behind the literal
    std::string fallback;  ///< as written there; empty: none
};

/// Sections of the report, commands of the window, columns of a file.
bool isNoSetting(const std::string& key)
{
    static const std::set<std::string> apart{
        "cost.total",     "cost.by_group", "cost.by_system", "cost.priced",  "cost.assumed", "cost.assumed_share",
        "cost.",          "power.",        "power.by_tier",  "power.peaks",  "power.png",    "power.no_load_loss",
        "impact.ranking", "impact.answer", "rule.measure",   "asbuilt.work", "asbuilt.keep"};
    return apart.contains(key);
}

bool isOfSecondList(const std::string& key)
{
    static const std::set<std::string> groups{"asbuilt", "cost", "currency", "impact", "power", "rule", "telemetry", "watch"};
    return groups.contains(key.substr(0, key.find('.')));
}

/// Every place of the product that names a key of a setting, found in its text.
std::vector<Read> readsOfSources()
{
    std::vector<Read> found;
    // Every group of keys; those of the second list are also ids of other things, so that each of their literals is looked at.
    const std::regex key("\"((?:site|spares|lead|cooling|cabling|network|project|template|wiring|addressing|parameter|choice|note|"
                         "asbuilt|cost|currency|impact|power|rule|telemetry|watch)\\.[a-z0-9_.]*)\"(\\s*\\+)?"
                         "(?:\\s*,\\s*(?:\"([^\"]*)\"|([0-9.]+))\\))?");
    const std::filesystem::path root = std::filesystem::path(HW_RESOURCES).parent_path();
    for (const char* part : {"core", "simulation", "importers", "views", "app"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / part)) {
            const auto ending = entry.path().extension();
            if ((ending != ".cpp" && ending != ".h") || entry.path().filename() == "registry.cpp") continue;
            std::ifstream in(entry.path());
            std::string line;
            while (std::getline(in, line)) {
                const bool speaksOfKeys = line.find("etting") != std::string::npos || line.find("key") != std::string::npos;
                if (line.find("//") < line.find('"')) continue;
                for (std::sregex_iterator it(line.begin(), line.end(), key), end; it != end; ++it) {
                    if (isNoSetting((*it)[1]) || (!speaksOfKeys && !isOfSecondList((*it)[1]))) continue;
                    const bool isRead = line.substr(0, std::size_t(it->position())).find("etting(") != std::string::npos;
                    found.push_back({entry.path().filename().string(), (*it)[1], (*it)[2].matched,
                                     isRead ? (*it)[3].matched ? (*it)[3].str() : (*it)[4].str() : std::string()});
                }
            }
        }
    return found;
}

/// Every call of the product that gives a key and a literal that holds where the project says nothing: `numberSetting(s, "site.pue", 1.2)`.
std::vector<Read> defaultsOfSources()
{
    std::vector<Read> found;
    const std::regex call("(\\w+)\\(\\s*(?:[^()\"]*,\\s*)?\"([a-z][a-z_0-9]*(?:\\.[a-z_0-9]+)+)\"\\s*,\\s*(?:\"([^\"]*)\"|([0-9][0-9'.]*))\\s*[,)]"),
        comment("//[^\n]*");
    const std::filesystem::path root = std::filesystem::path(HW_RESOURCES).parent_path();
    for (const char* part : {"core", "simulation", "importers", "views", "app"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / part)) {
            const auto ending = entry.path().extension();
            if ((ending != ".cpp" && ending != ".h") || entry.path().parent_path().filename() == "settings") continue;
            std::ifstream in(entry.path());
            const std::string text = std::regex_replace(std::string(std::istreambuf_iterator<char>(in), {}), comment, "");
            for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it)
                found.push_back(
                    {entry.path().filename().string() + ", " + (*it)[1].str(), (*it)[2], false, (*it)[3].matched ? (*it)[3].str() : (*it)[4].str()});
        }
    return found;
}

/// What holds for a key where the project says nothing: of the registry, or of a rule's threshold. Empty: nothing, or no such key.
std::string fallbackOf(const std::string& key)
{
    for (const Rule& rule : allRules())
        for (const Threshold& threshold : rule.thresholds)
            if (threshold.setting == key) return std::to_string(threshold.value);
    for (const Rule& rule : airRules())
        for (const Threshold& threshold : rule.thresholds)
            if (threshold.setting == key) return std::to_string(threshold.value);
    const Setting* setting = findSetting(key);
    return setting && setting->writer == SettingWriter::User ? setting->fallback : std::string();
}

bool sameValue(std::string a, std::string b)
{
    std::erase(a, '\'');
    char *endA = nullptr, *endB = nullptr;
    const double x = std::strtod(a.c_str(), &endA), y = std::strtod(b.c_str(), &endB);
    return a == b || (endA != a.c_str() && *endA == 0 && *endB == 0 && std::abs(x - y) < 1e-9 * std::max(1.0, std::abs(y)));
}

bool beginsSome(const std::string& prefix)
{
    for (const Setting& s : settingsRegistry()) {
        const std::string head = s.key.substr(0, s.key.find('*'));
        if (s.key.starts_with(prefix) || (s.key == head + "*" && prefix.starts_with(head))) return true;
    }
    return false;
}

} // namespace

class SettingsTest : public QObject {
    Q_OBJECT
private slots:
    /// No code names a key that the registry does not know, or has a default of its own for one.
    void codeReadsWhatTheRegistryKnows()
    {
        const auto reads = readsOfSources();
        const auto thresholds = edit::knownSettings(Snapshot());
        std::set<std::string> keys;
        for (const Read& read : reads) {
            keys.insert(read.key);
            const std::string where = read.file + ": " + read.key;
            if (read.composed || read.key.ends_with(".")) {
                QVERIFY2(beginsSome(read.key), where.c_str());
                continue;
            }
            const Setting* setting = findSetting(read.key);
            if (!setting && read.key.starts_with("rule.")) { // stands with its rule
                QVERIFY2(std::ranges::find(thresholds, read.key, &Setting::key) != thresholds.end(), where.c_str());
                continue;
            }
            QVERIFY2(setting, where.c_str());
            if (read.fallback.empty() || setting->writer == SettingWriter::Program || read.key == "project.name") continue;
            QVERIFY2(read.fallback == setting->fallback, (where + " has " + read.fallback + ", the registry " + setting->fallback).c_str());
        }
        for (const char* known : {"watch.hold_s", "telemetry.stuck_samples", "cost.tariff", "site.pue", "site.power_basis", "cooling.coolant",
                                  "cabling.slack_percent", "network.", "template.text"})
            QVERIFY2(keys.contains(known), known); // else the search finds nothing any more
    }

    /// Defaults stand once, in the registry; a reader that has to state one reads a rule's threshold, and states that.
    void defaultsStandOnce()
    {
        std::size_t thresholds = 0;
        for (const Read& read : defaultsOfSources()) {
            const std::string known = fallbackOf(read.key);
            if (known.empty()) continue;
            QVERIFY2(read.key.starts_with("rule."), (read.file + ": " + read.key + " has a default of its own, " + read.fallback).c_str());
            ++thresholds;
            QVERIFY2(sameValue(read.fallback, known), (read.file + ": " + read.key + " has " + read.fallback + ", declared " + known).c_str());
        }
        QVERIFY2(thresholds >= 5, qPrintable(QString::number(thresholds))); // else the search finds nothing any more
        QVERIFY(sameValue("1'000", "1000.000000") && !sameValue("5", "6") && !sameValue("design", "typical") && !sameValue("x", "0"));
    }

    /// What the project says holds, then the registry; what is no number that a setting can be does not count.
    void projectThenRegistry()
    {
        Snapshot s;
        QCOMPARE(settingOf(s, "project.currency"), defaultOf("project.currency"));
        QCOMPARE(numberSetting(s, "site.pue"), std::stod(findSetting("site.pue")->fallback));
        QVERIFY(!isSet(s, "site.pue") && settingOf(s, "no.such").empty() && numberSetting(s, "no.such") == 0);
        s.putSetting("site.pue", "1.4"), s.putSetting("project.currency", "EUR");
        QVERIFY(isSet(s, "site.pue") && numberSetting(s, "site.pue") == 1.4 && settingOf(s, "project.currency") == "EUR");
        for (const char* wrong : {"-1", "high", "1.4x", "inf", "nan"}) {
            s.putSetting("site.pue", wrong);
            QCOMPARE(numberSetting(s, "site.pue"), std::stod(findSetting("site.pue")->fallback));
        }
        // Every default that is to be a number is one, and within its own range.
        for (const Setting& setting : settingsRegistry())
            if ((setting.kind == SettingKind::Number || setting.kind == SettingKind::Count) && !setting.fallback.empty() && !isPattern(setting.key)) {
                const double value = numberSetting(Snapshot(), setting.key);
                QVERIFY2(std::to_string(value) == std::to_string(std::stod(setting.fallback)) && value >= setting.least && value <= setting.most,
                         setting.key.c_str());
            }
    }

    void keysStandOnceAndSayWhatTheyAre()
    {
        std::set<std::string> keys;
        for (const Setting& s : settingsRegistry()) {
            QVERIFY2(keys.insert(s.key).second, s.key.c_str());
            QVERIFY2(!s.help.empty() || !s.label.empty(), s.key.c_str());
            if (s.kind == SettingKind::Number || s.kind == SettingKind::Count) QVERIFY2(s.least < s.most, s.key.c_str());
            QCOMPARE(s.kind == SettingKind::Choice, !s.choices.empty());
        }
    }

    void patterns()
    {
        QCOMPARE(writtenOut("network.*.hash.*", {"backend", "tor"}), std::string("network.backend.hash.tor"));
        QVERIFY(findSetting("network.backend.hash.tor") == findSetting("network.*.hash.*"));
        QVERIFY(findSetting("network.a.b.hash.c"));
        QVERIFY(!findSetting("network.backend.hush.tor"));
        QVERIFY(!findSetting("site.puee"));
        QVERIFY(!findSetting(""));
        QVERIFY(findSetting("wiring.tor-agg.uneven") && findSetting("wiring.tor-agg.uneven")->writer == SettingWriter::Program);
    }

    /// What the simulation reads of hashing can be set, for every tier of every network, and nothing else.
    void hashesCanBeSet()
    {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
        Document document(*instantiate(*Template::load(HW_RESOURCES "/templates/hpn.yaml"), {{"segments", 1}}, *catalog));
        auto t = document.begin("Hash");
        QVERIFY(edit::setSetting(t, "network.backend.hash.tor", "source-port"));
        QCOMPARE(t->setting("network.backend.hash.tor"), std::string("source-port"));
        QCOMPARE(edit::setSetting(t, "network.backend.hash.tor", "magic").error().code, ErrorCode::Refused);
        QCOMPARE(edit::setSetting(t, "network.backend.hash.nobody", "source-port").error().code, ErrorCode::Usage);
        QVERIFY(edit::resetSetting(t, "network.backend.hash.tor"));
        QVERIFY(edit::setSetting(t, "cabling.slack_percent", "80"));
        QCOMPARE(edit::setSetting(t, "cabling.slack_percent", "101").error().code, ErrorCode::Refused);
    }
};

QTEST_APPLESS_MAIN(SettingsTest)
#include "test_settings.moc"
