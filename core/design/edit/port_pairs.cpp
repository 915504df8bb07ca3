// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/port_pairs.h"

#include "core/design/edit/lookup.h"
#include "core/foundation/base/trim.h"
#include "core/foundation/catalog/entity.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace hw::edit {
namespace {

/// A piece of a pattern: text, numbers from `first` to `last`, or the number of a name.
struct Piece {
    std::string text;
    std::string name;
    bool range = false;
    std::int64_t first = 0, last = 0;
    int width = 0; ///< digits, with leading zeros
    [[nodiscard]] std::size_t size() const { return std::size_t(last - first + 1); }
};

/// How a pattern's numbers stand: the value of each of its ranges, and of the names so far.
using Numbers = std::map<std::string, std::int64_t>;

std::optional<std::int64_t> number(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty() || value < 0 || value > 10'000'000) return std::nullopt;
    return value;
}

tl::unexpected<Error> refusedPattern(std::string_view pattern, Text what)
{
    return fail(ErrorCode::Refused, std::string(pattern), std::move(what), i18n("write ranges as [1-8] or [r=1-8], and repeat a name as [r]"));
}

Result<std::vector<Piece>> piecesOf(std::string_view pattern)
{
    std::vector<Piece> pieces;
    for (std::string_view rest = pattern; !rest.empty();) {
        const auto open = std::min(rest.find('['), rest.size());
        if (open > 0) pieces.push_back({.text = std::string(rest.substr(0, open)), .name = {}});
        rest.remove_prefix(open);
        if (rest.empty()) break;
        const auto close = rest.find(']');
        if (close == rest.npos) return refusedPattern(pattern, i18n("a bracket is not closed"));
        std::string_view inside = trimmed(rest.substr(1, close - 1));
        rest.remove_prefix(close + 1);
        Piece piece{.text = {}, .name = {}};
        if (const auto equals = inside.find('='); equals != inside.npos) {
            piece.name = trimmed(inside.substr(0, equals));
            inside = trimmed(inside.substr(equals + 1));
            if (piece.name.empty()) return refusedPattern(pattern, i18n("a range has an empty name"));
        }
        const auto dash = inside.find('-');
        if (dash == inside.npos && piece.name.empty() && !number(inside)) {
            piece.name = inside;
            if (piece.name.empty()) return refusedPattern(pattern, i18n("a bracket is empty"));
            pieces.push_back(std::move(piece));
            continue;
        }
        const std::string_view low = trimmed(inside.substr(0, dash)), high = dash == inside.npos ? low : trimmed(inside.substr(dash + 1));
        const auto first = number(low), last = number(high);
        if (!first || !last || *last < *first) return refusedPattern(pattern, i18n("'{}' is not a range", inside));
        piece.range = true, piece.first = *first, piece.last = *last;
        if (low.size() > 1 && low.front() == '0') piece.width = int(low.size());
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

/// How many names a pattern stands for, at most one more than kMostPairs.
std::size_t countOf(const std::vector<Piece>& pieces)
{
    std::size_t count = 1;
    for (const Piece& piece : pieces)
        if (piece.range) count = std::min(count * std::min(piece.size(), kMostPairs + 1), kMostPairs + 1);
    return count;
}

/// The name of a number: that of the ranges counts up from the right, as digits do.
Result<std::string> nameAt(std::string_view pattern, const std::vector<Piece>& pieces, std::size_t at, Numbers& numbers)
{
    std::vector<std::int64_t> values(pieces.size(), 0);
    for (std::size_t i = pieces.size(); i-- > 0;) {
        if (!pieces[i].range) continue;
        values[i] = pieces[i].first + std::int64_t(at % pieces[i].size());
        at /= pieces[i].size();
        if (!pieces[i].name.empty()) numbers[pieces[i].name] = values[i];
    }
    std::string name;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        if (piece.range) {
            name += fmt::format("{:0{}}", values[i], piece.width);
        } else if (!piece.name.empty()) {
            const auto found = numbers.find(piece.name);
            if (found == numbers.end()) return refusedPattern(pattern, i18n("no range is named '{}'", piece.name));
            name += std::to_string(found->second);
        } else {
            name += piece.text;
        }
    }
    return name;
}

} // namespace

Result<std::vector<PortPair>> expandPairs(std::string_view from, std::string_view to)
{
    const auto left = piecesOf(from), right = piecesOf(to);
    if (!left) return tl::unexpected(left.error());
    if (!right) return tl::unexpected(right.error());
    const std::size_t count = countOf(*left), other = countOf(*right);
    if (count > kMostPairs) return refusedPattern(from, i18n("more than {} pairs", kMostPairs));
    if (other != 1 && other != count)
        return fail(ErrorCode::Refused, fmt::format("{} – {}", from, to), i18n("{} ports on one side, {} on the other", count, other),
                    i18n("specify ranges of the same size, or repeat a named range such as [r]"));
    const bool repeats = std::ranges::any_of(*right, [](const Piece& piece) { return !piece.range && !piece.name.empty(); });
    if (count > 1 && other == 1 && !repeats)
        return fail(ErrorCode::Refused, std::string(to), i18n("one port for {} others", count), i18n("specify a range on both sides"));
    std::vector<PortPair> pairs;
    pairs.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        Numbers numbers;
        auto a = nameAt(from, *left, i, numbers);
        if (!a) return tl::unexpected(a.error());
        auto b = nameAt(to, *right, other == 1 ? 0 : i, numbers);
        if (!b) return tl::unexpected(b.error());
        pairs.push_back({.from = std::move(*a), .to = std::move(*b)});
    }
    return pairs;
}

std::vector<PortPair> freePairs(const Snapshot& s, const ProjectParts& parts, const DesignIndex& index, DeviceId a, DeviceId b)
{
    const auto freeOf = [&](DeviceId device) {
        std::vector<PortId> ports;
        for (const PortId port : index.portsOfDevice[device.value])
            if (!index.linkOf(port)) ports.push_back(port);
        return ports;
    };
    const auto fits = [&](PortId x, PortId y) {
        if (s.ports.medium[x] != s.ports.medium[y] || s.ports.rate[x] != s.ports.rate[y]) return false;
        if (s.ports.network[x] && s.ports.network[y] && s.ports.network[x] != s.ports.network[y]) return false;
        if (s.ports.medium[x] == Medium::Data) return true;
        return s.ports.role[x] != s.ports.role[y]; // an outlet and an inlet
    };
    std::vector<PortPair> pairs;
    auto others = freeOf(b);
    for (const PortId port : freeOf(a)) {
        const auto found = std::ranges::find_if(others, [&](PortId other) { return fits(port, other); });
        if (found == others.end()) continue;
        pairs.push_back({.from = entityName(s, parts, ref(port)), .to = entityName(s, parts, ref(*found))});
        others.erase(found);
    }
    return pairs;
}

std::size_t connectPairs(Transaction& transaction, const ProjectParts& parts, Lookup& lookup, std::vector<PortPair>& pairs)
{
    std::size_t connected = 0;
    std::set<PortId> taken; // since the lookup's state
    const Snapshot& s = *transaction;
    const auto split = [&](PortId port) { return s.cages.split[s.ports.cage[port]] > 1; };
    for (PortPair& pair : pairs) {
        std::array<PortId, 2> ports{};
        pair.problem = {};
        for (std::size_t i = 0; i < 2 && pair.problem.empty(); ++i) {
            const std::string& name = i == 0 ? pair.from : pair.to;
            const auto found = lookup.find(parts, name, EntityKind::Port);
            if (!found || found->kind != EntityKind::Port)
                pair.problem = i18n("{}: port not found", name.empty() ? std::string("-") : name);
            else
                ports[i] = PortId(found->id);
        }
        for (std::size_t i = 0; i < 2 && pair.problem.empty(); ++i)
            if (taken.contains(ports[i]))
                pair.problem = i18n("{}: {}; {}", i == 0 ? pair.from : pair.to, i18n("port is in use"), i18n("it is listed twice"));
        if (!pair.problem.empty()) continue;
        const auto link = connect(transaction, parts, ports[0], ports[1], &lookup);
        if (!link) {
            const Error& error = link.error();
            pair.problem = error.todo.empty() ? i18n("{}: {}", error.where, error.what) : i18n("{}: {}; {}", error.where, error.what, error.todo);
            continue;
        }
        ++connected;
        taken.insert(ports.begin(), ports.end());
        if (!split(ports[0]) && !split(ports[1])) continue;
        lookup.follow(transaction.preview()); // further ports of these sockets share their breakout cable
        taken.clear();
    }
    lookup.follow(transaction.preview());
    return connected;
}

} // namespace hw::edit
