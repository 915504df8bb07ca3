// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/functions.h"

#include <cmath>

#include <fmt/format.h>

namespace hw::rules {

std::string grouped(std::int64_t number)
{
    std::string digits = std::to_string(number < 0 ? -number : number);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return number < 0 ? '-' + digits : digits;
}

std::string counted(std::size_t number, std::string_view one)
{
    return fmt::format("{} {}{}", grouped(std::int64_t(number)), one, number == 1 ? "" : "s");
}

std::string lengthText(std::int64_t millimetres)
{
    const double metres = double(millimetres) / 1000.0;
    if (std::abs(metres) >= 999.95) return grouped(std::llround(metres)) + " m";
    std::string text = fmt::format("{:.{}f}", metres, std::abs(metres) < 10 ? 3 : std::abs(metres) < 100 ? 2 : 1);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text + " m";
}

std::string powerText(Milliwatts power)
{
    const double w = toWatts(power);
    return w >= 1e6 ? fmt::format("{:.2f} MW", w / 1e6) : fmt::format("{:.1f} kW", w / 1e3);
}

} // namespace hw::rules
