// SPDX-License-Identifier: GPL-3.0-or-later
// Faults in emulated halls of ten designs, and what the watch tells of them, with sensors missing and meters read in three ways. A trial is a copy of
// the hall that was watched before, by fork; --jobs trials run at a time, of as many halls. The figures do not depend on it.
// usage: hallwright-faults-bench [--designs A,B] [--kinds TEXT] [--missing 5,20] [--read change,second,polls] [--healthy S] [--most N]
//        [--stands S] [--seed N] [--jobs N] [--misses FILE] [--verbose]
#include "tests/bench/faults/apart.h"
#include "tests/bench/faults/fault_trial.h"

#include "core/design/template/template.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace hw;
using namespace hw::bench;

namespace {

struct Design {
    const char* name;
    const char* base;
    std::map<std::string, std::string> values;
    std::map<std::string, std::string> settings{};
    const char* layout = ""; ///< of a template that extends `base`
};

const std::vector<Design>& designs()
{
    static const std::vector<Design> all{
        {"nvl72", "nvl72", {{"segments", "1"}, {"networks", "backend"}}},
        {"nvl72, water-cooled chillers",
         "nvl72",
         {{"segments", "1"}, {"networks", "backend"}},
         {},
         "chiller: chiller-water-1500kw, valve: valve-dn150"},
        {"nvl72, exchangers and towers",
         "nvl72",
         {{"segments", "2"}, {"networks", "backend"}},
         {{"cooling.coolant_supply_c", "40"}},
         "chiller: exchanger-2000kw, facility_supply_c: 33, valve: valve-dn150"},
        {"rail-optimized-2", "rail-optimized-2", {}},
        {"fat-tree-2", "fat-tree-2", {}},
        {"xingmai-1", "xingmai-1", {}},
        {"hpn", "hpn", {{"segments", "1"}, {"networks", "backend"}}},
        {"rail-only", "rail-only", {}},
        {"multi-plane", "multi-plane", {}},
        {"rail-optimized-3", "rail-optimized-3", {{"pods", "2"}, {"segments", "2"}}},
    };
    return all;
}

FiguresPtr figuresOf(const Design& design)
{
    if (!*design.layout && design.settings.empty()) return designOf(design.base, design.values);
    static const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    const auto made = Template::parse(fmt::format("template: bench\nextends: {}\ntitle: Bench\nlayout: {{{}}}\n", design.base, design.layout),
                                      "bench", HW_RESOURCES "/templates");
    Snapshot s(*instantiate(made.value(), made.value().complete(design.values).value(), catalog).value());
    for (const auto& [key, value] : design.settings) s.putSetting(key, value);
    return computeFigures(std::make_shared<const Snapshot>(std::move(s))).value();
}

struct Wanted {
    std::string designs, kinds, misses;
    std::vector<double> missing{5};
    std::vector<ReadBy> read{ReadBy::Change};
    int healthyS = 600, warmUpS = 130, standsS = 30;
    std::uint64_t seed = 11;
    std::size_t most = 1000, jobs = 1;
    bool verbose = false;
};

std::vector<std::string> parts(const std::string& text)
{
    std::vector<std::string> out(1);
    for (const char c : text)
        if (c == ',')
            out.emplace_back();
        else
            out.back() += c;
    return out;
}

const char* wordFor(ReadBy by) { return by == ReadBy::Change ? "on change" : by == ReadBy::Second ? "every 1 s" : "every 10-60 s"; }

/// What was said first: whole lines.
std::string firstLines(const std::string& text)
{
    constexpr std::size_t kMost = 2500;
    if (text.size() <= kMost) return text;
    const std::size_t end = text.rfind('\n', kMost);
    return text.substr(0, end == std::string::npos ? 0 : end + 1) + "      …\n";
}

struct Sums {
    int faults = 0, found = 0, named = 0, alike = 0, wrong = 0, others = 0;
    std::vector<int> seconds;
    int healthyS = 0, causes = 0, deviations = 0;
    void add(const Sums& o)
    {
        faults += o.faults, found += o.found, named += o.named, alike += o.alike, wrong += o.wrong, others += o.others;
        seconds.insert(seconds.end(), o.seconds.begin(), o.seconds.end());
        healthyS += o.healthyS, causes += o.causes, deviations += o.deviations;
    }
    [[nodiscard]] std::string written() const
    {
        return fmt::format("{} {} {} {} {} {} {} {} {} {}", faults, found, named, alike, wrong, others, healthyS, causes, deviations,
                           fmt::join(seconds, " "));
    }
    [[nodiscard]] static Sums read(const std::string& line)
    {
        Sums sums;
        std::istringstream in(line);
        in >> sums.faults >> sums.found >> sums.named >> sums.alike >> sums.wrong >> sums.others >> sums.healthyS >> sums.causes >> sums.deviations;
        for (int s = 0; in >> s;) sums.seconds.push_back(s);
        return sums;
    }
    [[nodiscard]] std::string row(const std::string& name) const
    {
        std::vector<int> sorted = seconds;
        std::ranges::sort(sorted);
        const auto at = [&](double share) {
            return sorted.empty() ? 0 : sorted[std::min(sorted.size() - 1, std::size_t(share * double(sorted.size())))];
        };
        const double good = faults > 0 ? 100.0 * (named + alike) / faults : 0, hours = healthyS / 3600.0;
        const auto hourly = [&](int count) { return hours > 0 ? fmt::format("{:.1f}", count / hours) : std::string("-"); };
        return fmt::format("| {} | {} | {} | {} | {} | {:.0f} % | {} | {} | {} | {:.1f} | {} | {} |\n", name, faults, found, named, alike, good,
                           wrong, at(0.5), at(0.9), faults > 0 ? double(others) / faults : 0.0, hourly(causes), hourly(deviations));
    }
};

/// What a trial said, as it is written and read.
struct Said {
    bool ran = false;
    int found = 0, named = 0, alike = 0, seconds = -1, wrong = 0, others = 0;
    std::string text;
    [[nodiscard]] static std::string written(const TrialResult& r)
    {
        return fmt::format("{} {} {} {} {} {}\n{}", int(r.found), int(r.named), int(r.alike), r.seconds, r.wrong, r.others, r.text);
    }
    explicit Said(const std::string& said)
    {
        ran = std::sscanf(said.c_str(), "%d %d %d %d %d %d", &found, &named, &alike, &seconds, &wrong, &others) == 6;
        text = ran ? said.substr(std::min(said.size(), said.find('\n') + 1)) : "      " + said + '\n';
    }
};

std::string lineOf(const Trial& trial, const Said& said)
{
    const bool quiet = trial.expect == Trial::Expect::Quiet;
    const char* how = !said.ran    ? "STOPPED"
                      : quiet      ? (said.named ? "quiet" : "LOUD")
                      : said.named ? "named"
                      : said.alike ? "alike"
                      : said.found ? "found"
                                   : "SILENT";
    return fmt::format("  {:<46} {:<60} {:<7} {:>4} s{}{}\n", trial.kind, fmt::join(trial.names, ", "), how, said.seconds,
                       said.wrong > 0 ? fmt::format(", {} that are none", said.wrong) : "",
                       said.others > 0 ? fmt::format(", {} others", said.others) : "");
}

/// A design read in one way.
struct Hall {
    const Design* design = nullptr;
    double missing = 0;
    ReadBy by = ReadBy::Change;
    Sums sums{};
    std::string misses{};
    bool done = false;
    [[nodiscard]] std::string name() const { return fmt::format("{}, {:.0f} % missing, read {}", design->name, missing, wordFor(by)); }
};

/// Watches a hall, then tries each fault and an hour without one in copies of it. `say` as it goes on.
void tryHall(Hall& it, const Wanted& wanted, Tokens& tokens, const std::function<void(const std::string&)>& say)
{
    Sums& sums = it.sums;
    const FiguresPtr figures = figuresOf(*it.design);
    const impact::ModelPtr model = impact::Model::of(figures).value();
    FollowedHall hall(figures, wanted.seed, it.by, it.missing);
    const auto healthy = [&](const HealthyResult& result) {
        sums.healthyS += result.seconds, sums.causes += result.causes, sums.deviations += result.deviations;
        if (result.text.empty()) return;
        say("    healthy:\n" + firstLines(result.text));
        it.misses += it.name() + ": healthy\n" + result.text;
    };
    say(it.name() + '\n');
    healthy(watchHealthy(hall, wanted.warmUpS * (it.by == ReadBy::Polls ? 5 : 1)));
    say(fmt::format("  {} of {} channels bound\n", hall.counts().bound, hall.counts().channels));
    std::vector<Trial> trials = trialsOf(*model, wanted.seed, hall);
    std::erase_if(trials, [&](const Trial& trial) { return trial.kind.find(wanted.kinds) == std::string::npos; });
    trials.resize(std::min(trials.size(), wanted.most));
    std::vector<Work> works;
    if (wanted.healthyS > 0) // first: it takes longest
        works.push_back([&] {
            const HealthyResult r = watchHealthy(hall, wanted.healthyS);
            return fmt::format("{} {} {}\n{}", r.seconds, r.causes, r.deviations, r.text);
        });
    const std::size_t before = works.size();
    for (const Trial& trial : trials)
        works.push_back([&] {
            try {
                return Said::written(tryIt(*model, hall, trial, it.by == ReadBy::Polls ? 3 : 1, wanted.standsS));
            } catch (const std::exception& e) {
                return std::string(e.what());
            }
        });
    apart(works, tokens, [&](std::size_t i, const std::string& text) {
        if (i < before) {
            HealthyResult r;
            if (std::sscanf(text.c_str(), "%d %d %d", &r.seconds, &r.causes, &r.deviations) == 3) r.text = text.substr(text.find('\n') + 1);
            healthy(r);
            return;
        }
        const Trial& trial = trials[i - before];
        const Said said(text);
        ++sums.faults, sums.found += said.found, sums.named += said.named, sums.alike += said.alike && !said.named;
        sums.wrong += said.wrong, sums.others += said.others;
        if (said.alike && said.seconds >= 0 && trial.expect != Trial::Expect::Quiet) sums.seconds.push_back(said.seconds);
        const bool missed = !said.ran || !said.alike || said.wrong > 0;
        const std::string line = lineOf(trial, said) + (wanted.verbose || missed ? firstLines(said.text) : "");
        say(line);
        if (missed) it.misses += it.name() + ":" + line;
    });
}

constexpr char kEnds = '\x1e'; ///< between what a hall says, its sums and its misses

/// Whether a list of names holds the first word of a design's.
bool wants(const std::string& list, const std::string& design)
{
    const auto names = parts(list);
    return list.empty() || std::ranges::find(names, design.substr(0, design.find(','))) != names.end();
}

} // namespace

int main(int argc, char** argv)
{
    Wanted wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        if (option == "--verbose") {
            wanted.verbose = true;
            continue;
        }
        ++i;
        if (option == "--designs")
            wanted.designs = value;
        else if (option == "--kinds")
            wanted.kinds = value;
        else if (option == "--misses")
            wanted.misses = value;
        else if (option == "--healthy")
            wanted.healthyS = std::atoi(value.c_str());
        else if (option == "--stands")
            wanted.standsS = std::atoi(value.c_str());
        else if (option == "--seed")
            wanted.seed = std::strtoull(value.c_str(), nullptr, 10);
        else if (option == "--most")
            wanted.most = std::size_t(std::atoi(value.c_str()));
        else if (option == "--jobs")
            wanted.jobs = std::size_t(std::max(1, std::atoi(value.c_str())));
        else if (option == "--missing") {
            wanted.missing.clear();
            for (const std::string& part : parts(value)) wanted.missing.push_back(std::atof(part.c_str()));
        } else if (option == "--read") {
            wanted.read.clear();
            for (const std::string& part : parts(value))
                wanted.read.push_back(part == "second" ? ReadBy::Second : part == "polls" ? ReadBy::Polls : ReadBy::Change);
        } else {
            std::cerr << "unknown option " << option << '\n';
            return 2;
        }
    }
    std::vector<Hall> halls;
    for (const double missing : wanted.missing)
        for (const ReadBy by : wanted.read)
            for (const Design& design : designs())
                if (wants(wanted.designs, design.name)) halls.push_back({&design, missing, by});
    const auto begun = std::chrono::steady_clock::now();
    std::ofstream misses;
    if (!wanted.misses.empty()) misses.open(wanted.misses, std::ios::app);
    Tokens trialsAtOnce(wanted.jobs), hallsAtOnce(wanted.jobs);
    std::vector<Work> works;
    for (Hall& hall : halls)
        works.push_back([&] {
            std::string all;
            try {
                tryHall(hall, wanted, trialsAtOnce, [&](const std::string& text) {
                    all += text;
                    if (wanted.jobs == 1) std::cout << text << std::flush;
                });
            } catch (const std::exception& e) {
                all += fmt::format("{}: STOPPED: {}\n", hall.name(), e.what());
            }
            return all + kEnds + hall.sums.written() + kEnds + hall.misses;
        });
    apart(works, hallsAtOnce, [&](std::size_t i, const std::string& text) {
        const auto ends = text.find(kEnds), second = text.find(kEnds, ends + 1);
        if (ends == std::string::npos || second == std::string::npos) {
            std::cout << halls[i].name() << ": STOPPED\n" << std::flush;
            return;
        }
        halls[i].sums = Sums::read(text.substr(ends + 1, second - ends - 1)), halls[i].done = true;
        if (wanted.jobs > 1) std::cout << text.substr(0, ends);
        std::cout << halls[i].sums.row(halls[i].design->name) << std::flush;
        misses << text.substr(second + 1) << std::flush;
    });
    std::cout
        << "\n| design | faults | found | named | alike | named or alike | false causes | median s | 90 % s | other things said | healthy: causes/h "
           "| healthy: deviations/h |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    Sums all;
    bool whole = true;
    for (std::size_t i = 0; i < halls.size();) {
        const Hall& first = halls[i];
        Sums mode;
        std::cout << fmt::format("| **{:.0f} % missing, read {}** | | | | | | | | | | | |\n", first.missing, wordFor(first.by));
        for (; i < halls.size() && halls[i].missing == first.missing && halls[i].by == first.by; ++i) {
            mode.add(halls[i].sums), whole = whole && halls[i].done;
            std::cout << halls[i].sums.row(halls[i].design->name);
        }
        std::cout << mode.row(fmt::format("all ({} min healthy)", mode.healthyS / 60));
        all.add(mode);
    }
    const double minutes = std::chrono::duration<double, std::ratio<60>>(std::chrono::steady_clock::now() - begun).count();
    std::cout << fmt::format("{} trials in {:.1f} min, {} at a time\n", all.faults, minutes, wanted.jobs);
    return whole && (all.faults > 0 || all.healthyS > 0) ? 0 : 1;
}
