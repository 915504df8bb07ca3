// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/cluster/node_list.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

namespace hw::importers {

namespace {
constexpr std::size_t kMostNodes = 1'000'000; ///< of one host list
} // namespace

std::vector<std::string> nodesOfList(const std::string& text)
{
    std::vector<std::string> out;
    const auto digits = [](const std::string& part) {
        return !part.empty() && part.size() < 10 && std::ranges::all_of(part, [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    for (std::size_t at = 0; at < text.size();) {
        const auto open = text.find('[', at), comma = text.find(',', at);
        if (open == text.npos || (comma != text.npos && comma < open)) {
            out.push_back(text.substr(at, comma == text.npos ? comma : comma - at));
            at = comma == text.npos ? text.size() : comma + 1;
            continue;
        }
        const auto close = text.find(']', open);
        if (close == text.npos) return {};
        const auto next = text.find(',', close);
        const std::string head = text.substr(at, open - at), tail = text.substr(close + 1, next == text.npos ? next : next - close - 1);
        if (tail.find('[') != tail.npos) return {};
        std::istringstream ranges(text.substr(open + 1, close - open - 1));
        for (std::string range; std::getline(ranges, range, ',');) {
            const auto dash = range.find('-');
            const std::string first = range.substr(0, dash), last = dash == range.npos ? first : range.substr(dash + 1);
            if (!digits(first) || !digits(last) || std::stol(last) < std::stol(first)) return {};
            if (out.size() + std::size_t(std::stol(last) - std::stol(first)) > kMostNodes) return {};
            for (long n = std::stol(first); n <= std::stol(last); ++n) out.push_back(fmt::format("{}{:0{}}{}", head, n, first.size(), tail));
        }
        at = next == text.npos ? text.size() : next + 1;
    }
    return out;
}

} // namespace hw::importers
