// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a case of OpenFOAM and reads its answer.
#include "simulation/air/openfoam.h"

#include "core/foundation/base/file_kind.h"
#include "core/foundation/files/atomic_file.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hw::sim::air {

namespace {

namespace fs = std::filesystem;

constexpr int kOldest = 1912;   ///< version of openfoam.com whose cases are the same as later ones
constexpr int kNotInPath = 127; ///< exit code of the shell

/// Residuals of the lines that a solver prints, "DILUPBiCGStab:  Solving for T, Initial residual = 0.1, …", and its version, "Using: OpenFOAM-
/// (1912)".
void readLine(const std::string& line, FoamAnswer& out)
{
    const auto after = [&](std::string_view mark) {
        return line.find(mark) == std::string::npos ? std::string::npos : line.find(mark) + mark.size();
    };
    if (line.starts_with("Time = ")) out.iterations = std::atoi(line.c_str() + 7);
    if (line.find("solution converged") != std::string::npos) out.converged = true; // no text
    if (const std::size_t v = after("Using: OpenFOAM-"); v != std::string::npos && out.version.empty()) {
        const std::size_t from = line.find_first_of("0123456789", v);
        if (from != std::string::npos) out.version = line.substr(from, line.find_first_not_of("0123456789", from) - from);
    }
    const std::size_t field = after("Solving for "), residual = after("Initial residual = "); // no text
    if (field != std::string::npos && residual != std::string::npos)
        out.residuals[line.substr(field, line.find(',', field) - field)] = std::atof(line.c_str() + residual);
}

/// The log of a run, which grows while it is read.
class FoamLog {
public:
    FoamLog(fs::path file, FoamAnswer& answer) : m_file(std::move(file)), m_answer(answer) {}
    /// What is new since the last call; true with another iteration.
    bool read()
    {
        const int before = m_answer.iterations;
        if (!m_in.is_open()) m_in.open(m_file, std::ios::binary);
        m_in.clear();
        for (char c = 0; m_in.get(c);) {
            if (c != '\n') {
                m_line += c;
                continue;
            }
            take();
        }
        return m_answer.iterations != before;
    }
    [[nodiscard]] bool finished() const { return m_finished; }
    [[nodiscard]] const std::string& last() const { return m_last; }

private:
    void take()
    {
        readLine(m_line, m_answer);
        m_finished = m_finished || m_line == "Allrun: finished"; // no text
        if (m_line.find_first_not_of(" \t\r") != std::string::npos)
            m_last = m_last.size() > 400 ? m_line : m_last + (m_last.empty() ? "" : " ") + m_line;
        m_line.clear();
    }

    fs::path m_file;
    FoamAnswer& m_answer;
    std::ifstream m_in;
    std::string m_line, m_last; ///< last: some lines, for an error
    bool m_finished = false;
};

/// A group of processes of its own, so that MPI's end with it.
class LocalFoam final : public FoamRun {
public:
    ~LocalFoam() override { cancel(); }
    LocalFoam() = default;
    LocalFoam(const LocalFoam&) = delete;
    LocalFoam& operator=(const LocalFoam&) = delete;

    Result<void> start(const fs::path& folder) override
    {
        std::string script = (folder / kFoamScript).string(), log = (folder / kFoamLog).string(), shell = "sh";
        std::array<char*, 3> words{shell.data(), script.data(), nullptr};
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        const int code = posix_spawnp(&m_process, "sh", &actions, &attributes, words.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        if (code == 0) return {};
        m_process = 0;
        return fail(ErrorCode::Unreadable, script, i18n("cannot be started: {}", std::strerror(code)), i18n("check the process limit (ulimit -u)"));
    }
    Result<bool> ended() override
    {
        if (m_process > 0 && waitpid(m_process, nullptr, WNOHANG) == m_process) m_process = 0;
        return m_process == 0;
    }
    void cancel() override
    {
        if (m_process <= 0) return;
        kill(-m_process, SIGTERM);
        for (int tenth = 0; tenth < 30; ++tenth) {
            if (waitpid(m_process, nullptr, WNOHANG) == m_process) {
                m_process = 0;
                return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        kill(-m_process, SIGKILL);
        waitpid(m_process, nullptr, 0);
        m_process = 0;
    }

private:
    pid_t m_process = 0;
};

double rootMeanSquare(const HallAir& air, const FoamAnswer& foam)
{
    double sum = 0;
    for (std::size_t r = 0; r < foam.racks.size(); ++r) sum += std::pow(foam.racks[r].inletMeanC - air.racks[r].inletMeanC, 2);
    return foam.racks.empty() ? 0.0 : std::sqrt(sum / double(foam.racks.size()));
}

double foamMilli(double value) { return std::isfinite(value) ? std::round(value * 1000) / 1000 : 0.0; }

std::optional<Error> unknownVersion(const std::string& version)
{
    if (version.size() == 4 && std::atoi(version.c_str()) >= kOldest) return {}; // year and month
    return fail(ErrorCode::Refused, "OpenFOAM", i18n("version {} is not known", version.empty() ? std::string("?") : version),
                i18n("install openfoam 1912 or later of openfoam.com, or use the embedded solver"))
        .value();
}

std::vector<double> celsiusOf(const Room& room, const std::vector<double>& values, double elsewhere)
{
    std::vector<double> out(room.grid.total(), elsewhere);
    std::size_t next = 0;
    for (std::size_t c = 0; c < out.size(); ++c) // in the order of the case: x runs first
        if (!room.solid[c]) out[c] = values[next++];
    return out;
}

} // namespace

std::unique_ptr<FoamRun> localFoam() { return std::make_unique<LocalFoam>(); }

Result<std::string> findFoam()
{
    FoamAnswer found;
    if (std::FILE* pipe = popen(fmt::format("{}{} -help 2>/dev/null", kFoamSettings, kFoamSolver).c_str(), "r")) { // no text
        char line[512];
        while (std::fgets(line, sizeof line, pipe)) readLine(line, found);
        const int status = pclose(pipe);
        if (WIFEXITED(status) && WEXITSTATUS(status) == kNotInPath)
            return fail(ErrorCode::Unreadable, "OpenFOAM", i18n("{} not found in PATH", kFoamSolver),
                        i18n("install the package openfoam (1912 or later), or use the embedded solver"));
    }
    if (const auto bad = unknownVersion(found.version)) return tl::unexpected(*bad);
    return found.version;
}

Result<void> writeFoam(const std::vector<FoamFile>& files, const fs::path& folder)
{
    for (const FoamFile& file : files) {
        std::error_code error;
        fs::create_directories((folder / file.path).parent_path(), error);
        if (const auto written = writeFile(folder / file.path, file.text); !written) return written;
    }
    return {};
}

Result<FoamAnswer> runFoam(const HallAir& air, const fs::path& folder, const FoamOptions& options, FoamRun& where, const Progress& progress)
{
    const auto begin = std::chrono::steady_clock::now();
    const Room& room = *air.room->room;
    const auto files = foamCase(air.hall, room, options, air.room->solver.get());
    if (!files) return tl::unexpected(files.error());
    if (const auto written = writeFoam(*files, folder); !written) return tl::unexpected(written.error());
    if (const auto started = where.start(folder); !started) return tl::unexpected(started.error());
    FoamAnswer out;
    FoamLog log(folder / kFoamLog, out);
    for (bool ended = false; !ended;) {
        const auto now = where.ended(); // before the log: then its last lines are read
        const bool news = log.read();
        if (progress.stopRequested()) {
            where.cancel();
            return fail(ErrorCode::Canceled, {}, i18n("canceled"));
        }
        if (!now) {
            where.cancel();
            return tl::unexpected(now.error());
        }
        if (!out.version.empty())
            if (const auto bad = unknownVersion(out.version)) {
                where.cancel();
                return tl::unexpected(*bad);
            }
        ended = *now;
        if (out.iterations == 0) {
            if (const Text state = where.state(); !state.empty()) progress.report(0, words(state));
        } else if (news) {
            progress.report(std::min(double(out.iterations) / options.iterations, 1.0),
                            words(i18n("OpenFOAM, iteration {:L}: residuals of pressure {:.1e}, temperature {:.1e}", out.iterations,
                                       out.residuals["p_rgh"], out.residuals["T"])));
        }
        if (!ended) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    if (!log.finished())
        return fail(ErrorCode::Unreadable, (folder / kFoamLog).string(),
                    log.last().empty() ? i18n("OpenFOAM ended without an answer") : verbatim(log.last()),
                    i18n("check the OpenFOAM installation, or use the embedded solver"));
    const fs::path answer = folder / std::to_string(out.iterations) / "T";
    const auto text = readTextFile(answer);
    if (!text) return tl::unexpected(text.error());
    const auto values = foamTemperatures(*text, answer.string(), std::size_t(std::ranges::count(room.solid, 0)));
    if (!values) return tl::unexpected(values.error());
    out.celsius = celsiusOf(room, *values, air.hall.supplyC);
    out.racks = rackInlets(air.hall, *air.room, out.celsius);
    double heat = 0, removed = 0;
    for (std::size_t e = 0; e < room.exchanges.size(); ++e) {
        const Exchange& x = room.exchanges[e];
        heat += x.plant ? 0.0 : x.heatW;
        if (x.plant)
            removed += air.hall.wattsPerM3sK * x.flow * (air.room->solver->intakeMeanOf(x.intake, out.celsius) - air.room->solver->outletC(e));
    }
    out.heatError = heat > 0 ? std::abs(heat - removed) / heat : 0.0;
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return out;
}

nlohmann::ordered_json foamJson(const Figures& figures, const HallAir& air, const FoamAnswer& foam)
{
    nlohmann::ordered_json racks = nlohmann::ordered_json::array(), residuals = nlohmann::ordered_json::object();
    for (const auto& [field, value] : foam.residuals) residuals[field] = value;
    for (std::size_t r = 0; r < foam.racks.size(); ++r)
        racks.push_back({{"rack", figures.snapshot->racks.name[foam.racks[r].rack]},
                         {"inlet_mean_c", foamMilli(foam.racks[r].inletMeanC)},
                         {"inlet_max_c", foamMilli(foam.racks[r].inletMaxC)},
                         {"difference_mean_k", foamMilli(foam.racks[r].inletMeanC - air.racks[r].inletMeanC)},
                         {"difference_max_k", foamMilli(foam.racks[r].inletMaxC - air.racks[r].inletMaxC)}});
    return {{"version", foam.version}, {"iterations", foam.iterations}, {"converged", foam.converged},
            {"residuals", residuals},  {"heat_error", foam.heatError},  {"rms_difference_k", foamMilli(rootMeanSquare(air, foam))},
            {"racks", racks}};
}

std::string foamText(const Figures& figures, const HallAir& air, const FoamAnswer& foam)
{
    std::string out = words(i18n("OpenFOAM {} beside the embedded solver", foam.version)) + '\n';
    const auto line = [&out](const Text& label, const Text& value) {
        fmt::format_to(std::back_inserter(out), "  {:<26} {}\n", words(label), words(value));
    };
    line(i18n("Result"), foam.converged ? i18n("converged") : i18n("not converged; increase --iterations"));
    const auto residual = [&](const char* field) { return foam.residuals.contains(field) ? foam.residuals.at(field) : 0.0; };
    line(i18n("Iterations, residuals"), i18n("{:L}; pressure {:.1e}, temperature {:.1e}", foam.iterations, residual("p_rgh"), residual("T")));
    line(i18n("Heat"), i18n("in and out differ by {:.2f} %", foam.heatError * 100));
    line(i18n("RMS difference"), i18n("{:.2f} K over the mean inlets of {:L} racks", rootMeanSquare(air, foam), foam.racks.size()));
    std::vector<std::size_t> order;
    for (std::size_t r = 0; r < foam.racks.size(); ++r) order.push_back(r);
    const auto difference = [&](std::size_t r) { return foam.racks[r].inletMeanC - air.racks[r].inletMeanC; };
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t r) { return std::abs(foamMilli(difference(r))); });
    out += words(i18n("Largest differences")) + '\n';
    for (std::size_t n = 0; n < std::min(order.size(), std::size_t(6)); ++n) {
        const std::size_t r = order[n];
        out += "  " +
               words(i18n("{}: mean {:.1f} °C, embedded {:.1f} °C ({:+.2f} K); largest {:.1f} °C, embedded {:.1f} °C",
                          figures.snapshot->racks.name[foam.racks[r].rack], foam.racks[r].inletMeanC, air.racks[r].inletMeanC, difference(r),
                          foam.racks[r].inletMaxC, air.racks[r].inletMaxC)) +
               '\n';
    }
    return out;
}

} // namespace hw::sim::air
