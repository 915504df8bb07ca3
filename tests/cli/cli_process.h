// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

/// What one run of `hallwright-cli` left behind.
struct CliRun {
    int code = -1;
    QByteArray out, error;
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out.toStdString()); }
    /// Standard error without notes: `error: WHERE: WHAT; WHAT TO DO` or nothing.
    [[nodiscard]] QByteArray errorLine() const
    {
        for (const QByteArray& line : error.split('\n'))
            if (line.startsWith("error: ")) return line;
        return {};
    }
};

inline CliRun runCli(const QStringList& arguments, int timeout_ms = 240'000)
{
    QProcess process;
    process.start(QStringLiteral(HW_BIN_DIR "/hallwright-cli"), arguments);
    if (!process.waitForFinished(timeout_ms)) {
        process.kill();
        process.waitForFinished();
        return {-1, {}, "timed out"};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2, process.readAllStandardOutput(), process.readAllStandardError()};
}
