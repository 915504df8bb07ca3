// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

#include <algorithm>
#include <memory>
#include <span>

#include <CLI/CLI.hpp>

namespace hw::cli {

/// An option of one or several formats.
struct SharedFormatOption {
    exchange::FormatOption option;                   ///< repeats when one of the formats takes it several times
    std::vector<std::pair<std::string, Text>> helps; ///< names of the formats that word it in one way, and their words
};
/// Declares them; what is given goes to `choices`.
void addFormatOptions(CLI::App& app, std::span<const SharedFormatOption> options, exchange::FormatChoices& choices);

/// The options that formats (importers or exporters) offer: those of one name are one, in the order of the formats.
template <class Format>
void addFormatOptions(CLI::App& app, std::span<const std::unique_ptr<Format>> formats, exchange::FormatChoices& choices)
{
    std::vector<SharedFormatOption> shared;
    for (const auto& format : formats)
        for (const auto& option : format->options()) {
            auto found = std::ranges::find(shared, option.name, [](const SharedFormatOption& known) { return known.option.name; });
            if (found == shared.end()) found = shared.insert(found, {option, {}});
            auto help = std::ranges::find(found->helps, option.help, &std::pair<std::string, Text>::second);
            if (help == found->helps.end()) help = found->helps.insert(help, {{}, option.help});
            help->first += (help->first.empty() ? "" : ", ") + format->info().name;
            found->option.repeats = found->option.repeats || option.repeats;
        }
    addFormatOptions(app, std::span<const SharedFormatOption>(shared), choices);
}

} // namespace hw::cli
