// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/listing/natural_order.h"

#include <algorithm>

namespace hw {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
char smallLetter(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

/// The digits at the start of a text without leading zeros; what comes behind them stays in `text`.
std::string_view takeDigits(std::string_view& text)
{
    const auto end = std::size_t(std::ranges::find_if_not(text, digit) - text.begin());
    std::string_view number = text.substr(0, end);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    text.remove_prefix(end);
    return number;
}

} // namespace

bool naturallyBefore(std::string_view a, std::string_view b)
{
    std::string_view x = a, y = b;
    while (!x.empty() && !y.empty()) {
        if (digit(x.front()) && digit(y.front())) {
            const auto m = takeDigits(x), n = takeDigits(y);
            if (m.size() != n.size()) return m.size() < n.size();
            if (m != n) return m < n;
            continue;
        }
        if (smallLetter(x.front()) != smallLetter(y.front()))
            return static_cast<unsigned char>(smallLetter(x.front())) < static_cast<unsigned char>(smallLetter(y.front()));
        x.remove_prefix(1), y.remove_prefix(1);
    }
    if (x.empty() != y.empty()) return x.empty();
    return a < b;
}

} // namespace hw
