// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/listing/entity_list.h"
#include "core/foundation/base/trim.h"

#include <algorithm>
#include <array>

namespace hw {
namespace {

struct Sign {
    std::string_view text;
    ListFilter::Test test;
};
/// Those of two characters before those of one.
constexpr std::array<Sign, 7> kSigns{{{"!=", ListFilter::Test::Differs},
                                      {"<=", ListFilter::Test::AtMost},
                                      {">=", ListFilter::Test::AtLeast},
                                      {"<", ListFilter::Test::Less},
                                      {">", ListFilter::Test::More},
                                      {"=", ListFilter::Test::Equals},
                                      {":", ListFilter::Test::Contains}}};

/// The first sign in a text, and where.
std::pair<const Sign*, std::size_t> signIn(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i)
        for (const Sign& sign : kSigns)
            if (text.substr(i).starts_with(sign.text)) return {&sign, i};
    return {nullptr, text.npos};
}

std::vector<std::string> keysOf(const EntityList& list)
{
    std::vector<std::string> keys;
    for (const ListColumn& column : list.columns()) keys.push_back(column.key);
    return keys;
}

Result<void> readNumber(const EntityList& list, ListFilter& filter, std::string_view condition)
{
    const ListColumn& column = list.columns()[*filter.column];
    if (!column.number)
        return fail(ErrorCode::Refused, std::string(condition), i18n("'{}' is not a numeric column", column.key),
                    i18n("use = for equal, != for different or : for contains"));
    const auto number = edit::readQuantity(filter.text, column.unit);
    if (!number) return fail(ErrorCode::Refused, std::string(condition), number.error().what, number.error().todo);
    if (!column.unit.empty() && filter.text.find_first_not_of("0123456789.+- ") == filter.text.npos && *number != 0)
        return fail(ErrorCode::Refused, std::string(condition), i18n("the unit is missing"),
                    i18n("specify a unit, for example {}", edit::quantityText(*number * (column.unit == "mW" ? 1'000'000 : 1000), column.unit)));
    filter.number = double(*number);
    return {};
}

} // namespace

Result<std::vector<ListFilter>> readFilters(const EntityList& list, std::string_view text)
{
    std::vector<ListFilter> filters;
    while (!text.empty()) {
        const auto end = std::min(text.find(';'), text.size());
        const std::string_view condition = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (condition.empty()) continue;
        const auto [sign, at] = signIn(condition);
        const std::string_view name = sign ? trimmed(condition.substr(0, at)) : std::string_view();
        const auto column = sign ? list.column(name) : std::nullopt;
        if (sign && sign->test == ListFilter::Test::Contains && !column) { // "tor-1:port3" is a name of a port, no condition
            filters.push_back({.text = std::string(condition)});
            continue;
        }
        if (!sign) {
            for (std::string_view rest = condition; !rest.empty();) {
                const auto word = rest.substr(0, rest.find(' '));
                if (!word.empty()) filters.push_back({.text = std::string(word)});
                rest.remove_prefix(std::min(word.size() + 1, rest.size()));
            }
            continue;
        }
        if (!column)
            return fail(ErrorCode::Refused, std::string(condition), i18n("'{}' is not a column", name),
                        i18n("choose from {}", listedNames(keysOf(list))));
        ListFilter filter{.column = column, .test = sign->test, .text = std::string(trimmed(condition.substr(at + sign->text.size())))};
        const bool ordered =
            filter.test != ListFilter::Test::Contains && filter.test != ListFilter::Test::Equals && filter.test != ListFilter::Test::Differs;
        const bool counts = list.columns()[*column].number && filter.test != ListFilter::Test::Contains && !filter.text.empty();
        if (ordered || counts)
            if (const auto read = readNumber(list, filter, condition); !read) return tl::unexpected(read.error());
        filters.push_back(std::move(filter));
    }
    return filters;
}

} // namespace hw
