// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/kept_points.h"

namespace hw::sim {
inline namespace questions {

namespace {

void readLine(const std::string& line, std::vector<Json>& found)
{
    try {
        const Json entry = Json::parse(line);
        const auto point = entry.at("point").get<std::size_t>();
        if (point >= found.size()) return;
        if (entry.at("result").contains("values") && entry.at("result").contains("notes")) found[point] = entry.at("result");
    } catch (const Json::exception&) {
        // cut off while it was written: that point is run again
    }
}

} // namespace

void StoredPoints::read(const std::filesystem::path& file, const std::string& identity, std::vector<Json>& found)
{
    std::ifstream in(file);
    std::string line;
    const bool same = bool(std::getline(in, line)) && line == identity;
    while (same && std::getline(in, line)) readLine(line, found);
}

Result<StoredPoints> StoredPoints::open(const std::filesystem::path& file, const std::string& identity, std::vector<Json>& found)
{
    read(file, identity, found);
    StoredPoints kept;
    kept.m_out.open(file, std::ios::trunc); // written again: a line that was cut off must not stand before others
    kept.m_out << identity << '\n';
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!found[i].is_null()) kept.add(i, found[i]);
    kept.m_out.flush();
    if (!kept.m_out) return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be written"), i18n("choose another output"));
    return kept;
}

void StoredPoints::add(std::size_t point, const Json& result)
{
    m_out << Json{{"point", point}, {"result", result}}.dump() << '\n';
    m_out.flush();
}

} // namespace questions
} // namespace hw::sim
