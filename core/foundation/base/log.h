// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>

/// The log of the program: what an engineer reads the next morning. One line a message, in English:
///   2026-11-23T06:20:00.123Z warning W404 sources: mqtt://bms:1883 is lost: the broker ended the connection
/// Nothing is written until `open`. Any thread may write.
namespace hw::logging {

enum class Level : std::uint8_t { Debug, Info, Warning, Error };

/// The kinds of messages, by number. A number is never used again for another kind; its hundred names the part of the program.
enum class Id : std::uint16_t {
    JobFaulted = 101, ///< jobs: long work beside the window
    JobStarted,
    JobDone,
    JobCanceled,

    ProjectNotClosed = 201, ///< project: the file of a design
    DraftNotRemoved,
    ProjectOpened,
    ProjectRecovered,
    ProjectCreated,
    ProjectSaved,
    ProjectNotWritten,
    ProjectWrittenAgain,
    ProjectRefused,
    StorageFault,

    ProgramStarted = 301, ///< program
    ProgramEnded,
    CommandFailed,
    WindowShows,
    WindowFault,

    FollowingNotEnded = 401, ///< sources: of measured values
    SourceStarted,
    SourceRefused,
    SourceLost,
    SourceBack,
    SourceFault,
    SourceTrouble,
    SourceEnded,

    Bound = 501, ///< hall: what is judged of the built hall
    BindingFault,
    FollowingStarted,
    FollowingEnded,
    CauseFound,
    CauseChanged,
    CauseCleared,
    AlarmRaised,
    AlarmCleared,
    DeviationFound,
    DeviationCleared,
    JudgeFault,
    JudgeRestarted,
    FollowerFault,

    HistoryOpened = 601, ///< history: measured values that are kept
    HistoryRefused,
    HistoryFault,
    HistoryNotWritten,
    HistoryWrittenAgain,
    HistoryPruned,
    RecordingFault,

    Imported = 701, ///< import
    ImportRefused,

    EmulatorFault = 801, ///< emulator
};

struct Target {
    std::filesystem::path file;  ///< written to its end
    Level level = Level::Info;   ///< of the least messages that are written
    std::uint64_t mostBytes = 0; ///< then the file is renamed to FILE.1 and a new one begun; 0: it grows
    unsigned olderFiles = 2;     ///< that are kept then
};

/// From here on messages are written there. Errors (Unreadable): it cannot be written; it is a file of another kind.
[[nodiscard]] Result<void> open(const Target& target);
void close();
[[nodiscard]] bool writes(Level level) noexcept;

/// "debug", "info", "warning", "error". Error (Refused): another word; `where` is the option.
[[nodiscard]] Result<Level> levelOf(std::string_view word, std::string where);
/// The file that the environment asks for, HALLWRIGHT_LOG; empty: none.
[[nodiscard]] std::filesystem::path fileOfEnvironment();

/// Without the users and passwords of URLs, without the values of passwords, tokens and keys. Every message goes through it.
[[nodiscard]] std::string withoutSecrets(std::string_view text);

namespace detail {
void write(Level level, Id id, std::string_view text) noexcept;

/// Never throws: it is called where a fault is being handled.
template <class... A>
void put(Level level, Id id, fmt::format_string<A...> text, A&&... values) noexcept
{
    if (!writes(level)) return;
    try {
        write(level, id, fmt::format(text, std::forward<A>(values)...));
    } catch (...) {
        const fmt::string_view kind = text; // at least what it is about
        write(level, id, {kind.data(), kind.size()});
    }
}
} // namespace detail

template <class... A>
void debug(Id id, fmt::format_string<A...> text, A&&... values) noexcept
{
    detail::put<A...>(Level::Debug, id, text, std::forward<A>(values)...);
}
template <class... A>
void info(Id id, fmt::format_string<A...> text, A&&... values) noexcept
{
    detail::put<A...>(Level::Info, id, text, std::forward<A>(values)...);
}
template <class... A>
void warn(Id id, fmt::format_string<A...> text, A&&... values) noexcept
{
    detail::put<A...>(Level::Warning, id, text, std::forward<A>(values)...);
}
template <class... A>
void error(Id id, fmt::format_string<A...> text, A&&... values) noexcept
{
    detail::put<A...>(Level::Error, id, text, std::forward<A>(values)...);
}

} // namespace hw::logging
