// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace hw::importers {

/// Whether a line of a capture is what a terminal has written around it: the prompt of a shell or switch with or without a command
/// ("admin@tor1:~$ exit", "leaf1(config)# ", "<leaf1> display"), or the lines of `script`.
[[nodiscard]] bool isPrompt(std::string_view line);
/// What such a line says: whose prompt it is (without user, domain stays), and what was typed. Empty where it does not say.
struct Prompt {
    std::string host, command;
};
[[nodiscard]] Prompt promptIn(std::string_view line);
/// The text with such lines before and behind its content left empty, so that lines keep their numbers.
[[nodiscard]] std::string withoutPrompts(std::string_view text);

} // namespace hw::importers
