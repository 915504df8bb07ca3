// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/drawing_program.h"

#include "app/cli/console.h"
#include "app/cli/display.h"
#include "app/cli/output_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace hw::cli {

namespace {

namespace fs = std::filesystem;

Result<fs::path> drawingProgram()
{
    std::error_code error;
    const fs::path own = fs::read_symlink("/proc/self/exe", error);
    const fs::path path = own.parent_path() / "hallwright-render";
    if (!error && access(path.c_str(), X_OK) == 0) return path;
    return fail(ErrorCode::Fault, "render", i18n("{} not found", path.string()), i18n("build with HW_GUI=ON or install the full package"));
}

/// A private folder where Qt expects the user's run-time folder, when there is none. Removed with its contents.
class RuntimeFolder {
public:
    RuntimeFolder()
    {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "hallwright-XXXXXX").string();
        if (!std::getenv("XDG_RUNTIME_DIR") && !error && mkdtemp(name.data())) m_path = name;
    }
    RuntimeFolder(const RuntimeFolder&) = delete;
    RuntimeFolder& operator=(const RuntimeFolder&) = delete;
    ~RuntimeFolder()
    {
        std::error_code ignored;
        if (!m_path.empty()) fs::remove_all(m_path, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return m_path; } ///< empty: the user has one

private:
    fs::path m_path;
};

/// "0.42 page 3 of 40" lines of the other half become reports here, until it closes its end.
class ProgressPipe {
public:
    explicit ProgressPipe(const Progress& progress)
    {
        if (pipe2(m_ends, O_CLOEXEC) != 0) return;
        m_reader = std::thread([this, &progress] { read(progress); });
    }
    ProgressPipe(const ProgressPipe&) = delete;
    ProgressPipe& operator=(const ProgressPipe&) = delete;
    ~ProgressPipe()
    {
        closeOwn();
        if (m_reader.joinable()) m_reader.join();
        if (m_ends[0] >= 0) close(m_ends[0]);
    }
    [[nodiscard]] int end() const { return m_ends[1]; } ///< for the other half; -1: none
    void closeOwn()
    {
        if (m_ends[1] >= 0) close(m_ends[1]);
        m_ends[1] = -1;
    }

private:
    void read(const Progress& progress) const
    {
        std::string line;
        char c = 0;
        while (::read(m_ends[0], &c, 1) == 1) {
            if (c != '\n') {
                line += c;
                continue;
            }
            char* rest = nullptr;
            const double fraction = std::strtod(line.c_str(), &rest);
            progress.report(fraction, *rest == ' ' ? rest + 1 : rest);
            line.clear();
        }
    }
    int m_ends[2] = {-1, -1};
    std::thread m_reader;
};

Outcome runProgram(const fs::path& program, DrawsWith with, const std::vector<std::string>& arguments, const Progress& progress)
{
    Result<Display> display{Display()};
    if (with != DrawsWith::Nothing) display = Display::get(progress);
    if (!display && (with == DrawsWith::Display || progress.stopRequested())) return tl::unexpected(display.error());
    if (!display) printNote(i18n("neither a display nor Xvfb is available: the cover shows a plan view of the site"));
    std::vector<std::string> environment{"QT_QPA_PLATFORM=offscreen"};
    if (with != DrawsWith::Nothing && display) environment = {"QT_QPA_PLATFORM=xcb", "DISPLAY=" + display->name()};
    const RuntimeFolder folder;
    if (!folder.path().empty()) environment.push_back("XDG_RUNTIME_DIR=" + folder.path().string());
    std::vector<std::string> command{program.string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    ProgressPipe pipe(progress);
    const auto pid = startProgram(command, environment, pipe.end());
    if (!pid) return tl::unexpected(pid.error());
    pipe.closeOwn();
    return interrupt::Child(*pid).wait();
}

} // namespace

Outcome runDrawing(const fs::path& output, DrawsWith with, const std::function<std::vector<std::string>(const fs::path&)>& arguments,
                   const Progress& progress)
{
    if (const auto fine = refuseProject(output); !fine) return tl::unexpected(fine.error());
    const auto program = drawingProgram();
    if (!program) return tl::unexpected(program.error());
    int code = kDone;
    const auto written = writeWhole(output, [&](const fs::path& part) -> Result<void> {
        const Outcome drawn = runProgram(*program, with, arguments(part), progress);
        if (!drawn) return tl::unexpected(drawn.error());
        code = *drawn;
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, output.string(), i18n("stopped"), i18n("nothing was written"));
        if (code > int(ErrorCode::Unreadable))
            return fail(ErrorCode::Fault, "hallwright-render", i18n("exited with code {}", code), i18n("please report it"));
        if (code != kDone) return fail(ErrorCode(code), {}, {}); // said already
        return {};
    });
    if (!written && code != kDone && code <= int(ErrorCode::Unreadable)) return code;
    if (!written) return tl::unexpected(written.error());
    return kDone;
}

} // namespace hw::cli
