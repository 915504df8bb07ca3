// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/format_options.h"

namespace hw::cli {

void addFormatOptions(CLI::App& app, std::span<const SharedFormatOption> options, exchange::FormatChoices& choices)
{
    for (const auto& [option, helps] : options) {
        std::string help;
        for (const auto& [formats, said] : helps) help += (help.empty() ? "" : "\n") + words(i18n("{}: {}", formats, said));
        if (option.value.empty()) {
            app.add_flag_function(
                "--" + option.name, [&choices, name = option.name](std::int64_t) { choices[name] = "yes"; }, help);
            continue;
        }
        auto* added = app.add_option_function<std::vector<std::string>>(
            "--" + option.name,
            [&choices, name = option.name](const std::vector<std::string>& values) {
                for (const auto& value : values) choices[name] += (choices[name].empty() ? "" : "\n") + value;
            },
            help);
        added->option_text(option.value)->type_size(1)->allow_extra_args(false)->expected(1, option.repeats ? 1000 : 1);
    }
}

} // namespace hw::cli
