// SPDX-License-Identifier: GPL-3.0-or-later
// Faults in emulated halls of ten designs, and what the watch tells of them, with sensors missing and meters read in three ways. One process works at
// a time: a trial is a copy of the hall that was watched before, by fork.
// usage: hallwright-faults-bench [--designs A,B] [--kinds TEXT] [--missing 5,20] [--read change,second,polls] [--healthy S] [--most N]
//        [--stands S] [--seed N] [--misses FILE] [--verbose]
#include "tests/bench/faults/fault_trial.h"

#include "core/design/template/template.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>

#include <fmt/format.h>

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
    std::size_t most = 1000;
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

/// In a process of its own, so that each begins with the same hall.
template <class Work>
std::string apart(Work&& work)
{
    int ends[2];
    if (::pipe(ends) != 0) return {};
    std::cout.flush();
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        const std::string said = work();
        for (std::size_t at = 0; at < said.size();) {
            const ssize_t n = ::write(ends[1], said.data() + at, said.size() - at);
            if (n <= 0) break;
            at += std::size_t(n);
        }
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string all;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) all.append(buffer, std::size_t(n));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return all;
}

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

Sums tryDesign(const Design& design, const FiguresPtr& figures, const impact::Model& model, double missing, ReadBy by, const Wanted& wanted)
{
    Sums sums;
    FollowedHall hall(figures, wanted.seed, by, missing);
    const HealthyResult warm = watchHealthy(hall, wanted.warmUpS * (by == ReadBy::Polls ? 2 : 1));
    sums.healthyS = warm.seconds, sums.causes = warm.causes, sums.deviations = warm.deviations;
    std::cout << fmt::format("  {} of {} channels bound\n", hall.counts().bound, hall.counts().channels);
    if (!warm.text.empty()) std::cout << "    healthy:\n" << warm.text;
    std::ofstream misses;
    if (!wanted.misses.empty()) misses.open(wanted.misses, std::ios::app);
    std::size_t tried = 0;
    for (const Trial& trial : trialsOf(model, wanted.seed, hall)) {
        if (!wanted.kinds.empty() && trial.kind.find(wanted.kinds) == std::string::npos) continue;
        if (tried++ >= wanted.most) break;
        const std::string said = apart([&]() -> std::string {
            try {
                const TrialResult r = tryIt(model, hall, trial, by == ReadBy::Polls ? 3 : 1, wanted.standsS);
                return fmt::format("{} {} {} {} {} {}\n{}", int(r.found), int(r.named), int(r.alike), r.seconds, r.wrong, r.others, r.text);
            } catch (const std::exception& e) {
                return e.what();
            }
        });
        int found = 0, named = 0, alike = 0, seconds = -1, wrong = 0, others = 0;
        const bool ran = std::sscanf(said.c_str(), "%d %d %d %d %d %d", &found, &named, &alike, &seconds, &wrong, &others) == 6;
        ++sums.faults, sums.found += found, sums.named += named, sums.alike += alike && !named, sums.wrong += wrong, sums.others += others;
        if (alike && seconds >= 0 && trial.expect != Trial::Expect::Quiet) sums.seconds.push_back(seconds);
        std::string names;
        for (const std::string& name : trial.names) names += (names.empty() ? "" : ", ") + name;
        const bool quiet = trial.expect == Trial::Expect::Quiet;
        const char* how = !ran ? "STOPPED" : quiet ? (named ? "quiet" : "LOUD") : named ? "named" : alike ? "alike" : found ? "found" : "SILENT";
        std::string line =
            fmt::format("  {:<46} {:<60} {:<7} {:>4} s{}{}\n", trial.kind, names, how, seconds,
                        wrong > 0 ? fmt::format(", {} that are none", wrong) : "", others > 0 ? fmt::format(", {} others", others) : "");
        const bool missed = !ran || !alike || wrong > 0;
        if (wanted.verbose || missed) line += ran ? firstLines(said.substr(std::min(said.size(), said.find('\n') + 1))) : "      " + said + '\n';
        std::cout << line << std::flush;
        if (missed) misses << fmt::format("{}, {:.0f} % missing, read {}:", design.name, missing, wordFor(by)) << line << std::flush;
    }
    if (wanted.healthyS > 0) {
        const HealthyResult healthy = watchHealthy(hall, wanted.healthyS);
        sums.healthyS += healthy.seconds, sums.causes += healthy.causes, sums.deviations += healthy.deviations;
        if (!healthy.text.empty()) std::cout << "    healthy:\n" << healthy.text.substr(0, 3000);
        if (!healthy.text.empty())
            misses << fmt::format("{}, {:.0f} % missing, read {}: healthy\n{}", design.name, missing, wordFor(by), healthy.text);
    }
    return sums;
}

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
    struct Mode {
        double missing;
        ReadBy by;
        Sums all;
        std::string rows;
    };
    std::vector<Mode> modes;
    for (const double missing : wanted.missing)
        for (const ReadBy by : wanted.read) modes.push_back({missing, by, {}, {}});
    const auto begun = std::chrono::steady_clock::now();
    for (const Design& design : designs()) {
        if (!wants(wanted.designs, design.name)) continue;
        const FiguresPtr figures = figuresOf(design);
        const impact::ModelPtr model = impact::Model::of(figures).value();
        for (Mode& mode : modes) {
            std::cout << fmt::format("{}, {:.0f} % missing, read {}\n", design.name, mode.missing, wordFor(mode.by)) << std::flush;
            const Sums sums = tryDesign(design, figures, *model, mode.missing, mode.by, wanted);
            mode.rows += sums.row(design.name), mode.all.add(sums);
            std::cout << sums.row(design.name) << std::flush;
        }
    }
    std::cout
        << "\n| design | faults | found | named | alike | named or alike | false causes | median s | 90 % s | other things said | healthy: causes/h "
           "| healthy: deviations/h |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    int faults = 0;
    for (const Mode& mode : modes) {
        faults += mode.all.faults;
        std::cout << fmt::format("| **{:.0f} % missing, read {}** | | | | | | | | | | | |\n", mode.missing, wordFor(mode.by)) << mode.rows
                  << mode.all.row(fmt::format("all ({} min healthy)", mode.all.healthyS / 60));
    }
    const double minutes = std::chrono::duration<double, std::ratio<60>>(std::chrono::steady_clock::now() - begun).count();
    std::cout << fmt::format("{} trials in {:.1f} min, one process at a time\n", faults, minutes);
    return faults > 0 ? 0 : 1;
}
