// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/incident_report.h"

#include "app/cli/arguments.h"
#include "app/cli/commands/drawing_program.h"
#include "app/cli/output_file.h"

#include <cstdlib>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace hw::cli {

namespace {

/// A file of its own that only its owner reads, gone with this object.
class PassedFile {
public:
    PassedFile() : m_path((std::filesystem::temp_directory_path() / "hallwright-incident-XXXXXX").string()), m_file(::mkstemp(m_path.data())) {}
    ~PassedFile()
    {
        if (m_file < 0) return;
        ::close(m_file);
        ::unlink(m_path.c_str());
    }
    PassedFile(const PassedFile&) = delete;
    PassedFile& operator=(const PassedFile&) = delete;

    [[nodiscard]] bool write(const std::string& text) const
    {
        for (std::size_t at = 0; m_file >= 0 && at < text.size();) {
            const auto wrote = ::write(m_file, text.data() + at, text.size() - at);
            if (wrote <= 0) return false;
            at += std::size_t(wrote);
        }
        return m_file >= 0;
    }
    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    std::string m_path;
    int m_file;
};

} // namespace

void declareIncident(CLI::App& app, std::string& output, std::string& paper)
{
    app.add_option("--incident", output,
                   words(i18n("Write an incident report at the end: root causes with impact, measured vs predicted values, loads over time")))
        ->option_text("OUT.pdf|.html");
    app.add_option("--paper", paper, words(i18n("Paper size of the report: a4 or letter (default: a4)")))
        ->option_text("NAME")
        ->check(CLI::IsMember({"a4", "letter"}));
}

Result<void> checkIncident(const std::string& output, const std::string& paper)
{
    if (output.empty() && !paper.empty())
        return fail(ErrorCode::Usage, "--paper", i18n("a paper size applies only to a document"), i18n("specify one with {}", "--incident"));
    if (output.empty()) return {};
    if (const auto format = outputFormat(output, {".pdf", ".html"}); !format) return tl::unexpected(format.error());
    return {};
}

Outcome writeIncident(const std::string& project, const std::optional<monitoring::Incident>& incident, const std::string& output,
                      const std::string& paper, const Progress& progress)
{
    if (!incident) return fail(ErrorCode::Refused, "--incident", i18n("no data was evaluated; nothing to report"), i18n("run for longer"));
    const PassedFile file;
    const auto document = monitoring::incidentDocument(*incident, DesignStamp::of(*incident->frame->design->snapshot));
    if (!file.write(monitoring::documentText(document)))
        return fail(ErrorCode::Unreadable, file.path(), i18n("cannot be written"), i18n("free up disk space or choose another folder"));
    const auto arguments = [&](const std::filesystem::path& path) {
        return std::vector<std::string>{"--incident", project, path.string(), paper.empty() ? "a4" : paper, file.path(), {}};
    };
    return runDrawing(output, DrawsWith::Nothing, arguments, progress);
}

} // namespace hw::cli
