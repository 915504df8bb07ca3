// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/log.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>

namespace hw::logging {

namespace {

constexpr std::array kLevelWords{"debug", "info", "warning", "error"}; // by Level
constexpr std::string_view kLetters = "DIWE";
constexpr std::array kParts{"", "jobs", "project", "program", "sources", "hall", "history", "import", "emulator"}; // by the hundreds of Id

struct Open {
    std::mutex guard;
    std::shared_ptr<spdlog::logger> logger;
};
Open& opened()
{
    static Open one;
    return one;
}
constexpr int kClosed = 100;
std::atomic<int> least = kClosed; ///< the least Level that is written

spdlog::level::level_enum spdLevel(Level level)
{
    constexpr std::array levels{spdlog::level::debug, spdlog::level::info, spdlog::level::warn, spdlog::level::err};
    return levels[std::size_t(level)];
}

/// Whether it is a log of this program, or nothing yet: nothing else is written to.
bool mayBeLog(const std::filesystem::path& file)
{
    std::error_code none;
    if (!std::filesystem::exists(file, none)) return true;
    if (!std::filesystem::is_regular_file(file, none)) return !std::filesystem::is_directory(file, none); // a pipe, /dev/stderr
    std::ifstream in(file, std::ios::binary);
    std::string head(20, '\0');
    in.read(head.data(), std::streamsize(head.size()));
    head.resize(std::size_t(in.gcount()));
    if (head.empty()) return true;
    constexpr std::string_view kTime = "dddd-dd-ddTdd:dd:dd."; // no text
    return head.size() == kTime.size() && std::ranges::equal(head, kTime, [](char is, char wanted) {
               return wanted == 'd' ? std::isdigit(static_cast<unsigned char>(is)) != 0 : is == wanted;
           });
}

bool isOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// "mqtt://user:password@host" → "mqtt://host"
std::string withoutUsers(std::string_view text)
{
    constexpr std::string_view kScheme = "://", kEnds = " \t\r\n/?#\"'<>|,;()";
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto scheme = text.find(kScheme, at);
        if (scheme == text.npos) return out.append(text.substr(at));
        const auto from = scheme + kScheme.size();
        std::string_view place = text.substr(from, std::min(text.find_first_of(kEnds, from), text.size()) - from);
        if (const auto colon = place.find(':'); colon != place.npos && place.find('@') == place.npos &&
                                                place.find_first_not_of("0123456789", colon + 1) != place.npos) // a password with one of kEnds in it
            place = text.substr(from, std::min(text.find_first_of(" \t\r\n\"<>", from), text.size()) - from);
        const auto user = place.rfind('@');
        out.append(text.substr(at, from - at));
        at = user == text.npos ? from : from + user + 1;
    }
    return out;
}

/// The end of the value that begins at `at`.
std::size_t endOfValue(std::string_view text, std::size_t at)
{
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) return std::min(text.find(text[at], at + 1), text.size());
    return std::min(text.find_first_of(" \t\r\n&,;\"'})]", at), text.size());
}

/// Where the value of a secret begins that is named at [from, to); npos: none is there.
std::size_t secretAfter(std::string_view text, std::size_t from, std::size_t to)
{
    const auto blank = [&](std::size_t at) { return at < text.size() && (text[at] == ' ' || text[at] == '\t'); };
    const bool option = from >= 2 && text.substr(from - 2, 2) == "--";
    std::size_t at = to;
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) ++at; // "password": "…"
    while (blank(at)) ++at;
    if (at < text.size() && (text[at] == '=' || text[at] == ':')) {
        for (++at; blank(at);) ++at;
        return at;
    }
    return option && at > to ? at : std::string_view::npos;
}

/// password=…, "token": "…", --secret …, Authorization: Bearer …
std::string withoutValues(std::string_view text)
{
    constexpr std::array<std::string_view, 12> kNames{"password", "passwd",  "pwd",        "passphrase",  "token",         "secret",
                                                      "apikey",   "api_key", "access_key", "private_key", "authorization", "bearer"};
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t first = text.npos;
        std::string_view name;
        for (const auto candidate : kNames)
            if (const auto found = lower.find(candidate, at); found < first) first = found, name = candidate;
        if (first == text.npos) return out.append(text.substr(at));
        std::size_t to = first + name.size();
        while (to < text.size() && (isOfWord(text[to]) || text[to] == '-')) ++to; // token_id, password-file
        std::size_t from = first;
        while (from > at && isOfWord(text[from - 1])) --from;
        std::size_t value = name == "bearer" && to < text.size() && text[to] == ' ' ? to + 1 : secretAfter(text, from, to);
        if (value == text.npos || value >= text.size()) {
            out.append(text.substr(at, to - at));
            at = to;
            continue;
        }
        for (const std::string_view scheme : {"bearer ", "basic "})
            if (lower.substr(value).starts_with(scheme)) value += scheme.size();
        const bool quoted = value < text.size() && (text[value] == '"' || text[value] == '\'');
        out.append(text.substr(at, value - at)).append(quoted ? "\"***" : "***"); // no text
        at = endOfValue(text, value);
    }
    return out;
}

} // namespace

std::string withoutSecrets(std::string_view text) { return withoutValues(withoutUsers(text)); }

Result<void> open(const Target& target)
{
    const std::string file = target.file.string();
    if (!mayBeLog(target.file))
        return fail(ErrorCode::Unreadable, file, i18n("is not a Hallwright log and is left unchanged"), i18n("choose another name"));
    std::shared_ptr<spdlog::logger> logger;
    try {
        spdlog::sink_ptr sink;
        if (target.mostBytes > 0)
            sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(file, target.mostBytes, target.olderFiles);
        else
            sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
        logger = std::make_shared<spdlog::logger>("hallwright", std::move(sink));
        logger->set_formatter(std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%eZ %v", spdlog::pattern_time_type::utc)); // no text
        logger->set_level(spdlog::level::debug);
        logger->flush_on(spdlog::level::debug);               // what was said is there when the program dies
        logger->set_error_handler([](const std::string&) {}); // a full disk must not stop what is followed
    } catch (const std::exception& fault) {
        return fail(ErrorCode::Unreadable, file, i18n("cannot be written: {}", std::string(fault.what())), i18n("choose another location"));
    }
    Open& one = opened();
    const std::lock_guard lock(one.guard);
    one.logger = std::move(logger);
    least = int(target.level);
    return {};
}

void close()
{
    Open& one = opened();
    const std::lock_guard lock(one.guard);
    least = kClosed;
    one.logger.reset();
}

bool writes(Level level) noexcept { return int(level) >= least.load(std::memory_order_relaxed); }

Result<Level> levelOf(std::string_view word, std::string where)
{
    for (std::size_t i = 0; i < kLevelWords.size(); ++i)
        if (word == kLevelWords[i]) return Level(i);
    return fail(ErrorCode::Usage, std::move(where), i18n("unknown level \"{}\"", std::string(word)),
                i18n("choose from {}", listedNames(kLevelWords)));
}

std::filesystem::path fileOfEnvironment()
{
    const char* file = std::getenv("HALLWRIGHT_LOG");
    return file ? file : "";
}

void detail::write(Level level, Id id, std::string_view text) noexcept
{
    try {
        std::shared_ptr<spdlog::logger> logger;
        {
            Open& one = opened();
            const std::lock_guard lock(one.guard);
            logger = one.logger;
        }
        if (!logger) return;
        std::string line = withoutSecrets(text);
        for (std::size_t at = 0; (at = line.find_first_of("\r\n", at)) != line.npos;) line.replace(at, 1, " ");
        const auto number = unsigned(id);
        logger->log(spdLevel(level), "{} {}{} {}: {}", kLevelWords[std::size_t(level)], kLetters[std::size_t(level)], number,
                    kParts[std::min<std::size_t>(number / 100, kParts.size() - 1)], line);
    } catch (...) { // nothing must come of what cannot be written down
    }
}

} // namespace hw::logging
