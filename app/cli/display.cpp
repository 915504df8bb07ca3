// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/display.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace hw::cli {

namespace {

constexpr int kReportFd = 3; ///< on which Xvfb writes its display number

/// Whether somebody listens on a local display like ":0"; remote ones are taken at their word.
bool answers(const std::string& display)
{
    if (display.empty()) return false;
    if (display.front() != ':') return true;
    const std::string number = display.substr(1, display.find('.') - 1);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = "/tmp/.X11-unix/X" + number;
    if (path.size() >= sizeof address.sun_path) return false;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool connected = fd >= 0 && connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    if (fd >= 0) close(fd);
    return connected;
}

/// The line that the server writes once it is ready; empty when it does not within 15 s or was stopped.
std::string readLine(int fd, const Progress& progress)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(15);
    std::string line;
    while (std::chrono::steady_clock::now() < deadline && !progress.stopRequested()) {
        pollfd waiting{fd, POLLIN, 0};
        if (poll(&waiting, 1, 50) <= 0) continue;
        char c = 0;
        if (read(fd, &c, 1) != 1) return {};
        if (c == '\n') return line;
        line += c;
    }
    return {};
}

} // namespace

Result<pid_t> startProgram(const std::vector<std::string>& command, const std::vector<std::string>& environment, int keepFd, bool mute)
{
    std::vector<char*> arguments;
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::vector<char*> variables;
    for (char** v = environ; *v; ++v) {
        bool replaced = false;
        for (const auto& own : environment) replaced = replaced || std::strncmp(*v, own.c_str(), own.find('=') + 1) == 0;
        if (!replaced) variables.push_back(*v);
    }
    for (const auto& own : environment) variables.push_back(const_cast<char*>(own.c_str()));
    variables.push_back(nullptr);
    const pid_t pid = fork();
    if (pid < 0) return fail(ErrorCode::Fault, command.front(), i18n("cannot be started: {}", std::strerror(errno)));
    if (pid > 0) return pid;
    // Only async-signal-safe calls from here: other threads did not come along.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0); // Ctrl-C reaches us alone; we end our children
    if (keepFd == kReportFd)
        fcntl(keepFd, F_SETFD, 0);
    else if (keepFd >= 0)
        dup2(keepFd, kReportFd);
    if (mute)
        if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    execvpe(arguments[0], arguments.data(), variables.data());
    _exit(127);
}

Result<Display> Display::get(const Progress& progress)
{
    Display display;
    if (const char* own = std::getenv("DISPLAY"); own && answers(own)) {
        display.m_name = own;
        return display;
    }
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return fail(ErrorCode::Fault, "render", i18n("cannot create a pipe: {}", std::strerror(errno)));
    const auto pid = startProgram({"Xvfb", "-displayfd", std::to_string(kReportFd), "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset"},
                                  {}, ends[1], true);
    close(ends[1]);
    std::string number;
    if (pid) {
        display.m_server = std::make_unique<interrupt::Child>(*pid);
        number = readLine(ends[0], progress);
    }
    close(ends[0]);
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "render", i18n("stopped"));
    if (number.empty())
        return fail(ErrorCode::Fault, "render", i18n("no display available, and Xvfb failed to start"),
                    i18n("install the xvfb package or set DISPLAY"));
    display.m_name = ':' + number;
    return display;
}

} // namespace hw::cli
