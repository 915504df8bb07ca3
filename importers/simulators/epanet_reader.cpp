// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/epanet_reader.h"

#include "core/foundation/base/trim.h"
#include "importers/simulators/epanet_parts.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::epanet {

namespace {

constexpr std::size_t kLongestLine = 1024, kMostTokens = 40; ///< EPANET 2.3

/// EPANET knows sections by their first letters.
constexpr std::array kSections{std::pair{"[TITL", Section::Title},    std::pair{"[JUNC", Section::Junctions}, std::pair{"[RESE", Section::Reservoirs},
                               std::pair{"[TANK", Section::Tanks},    std::pair{"[PIPE", Section::Pipes},     std::pair{"[PUMP", Section::Pumps},
                               std::pair{"[VALV", Section::Valves},   std::pair{"[CONT", Section::Controls},  std::pair{"[RULE", Section::Rules},
                               std::pair{"[DEMA", Section::Demands},  std::pair{"[EMIT", Section::Emitters},  std::pair{"[LEAK", Section::Leakage},
                               std::pair{"[PATT", Section::Patterns}, std::pair{"[CURV", Section::Curves},    std::pair{"[STAT", Section::Status},
                               std::pair{"[TIME", Section::Times},    std::pair{"[OPTI", Section::Options},   std::pair{"[TAGS", Section::Tags},
                               std::pair{"[QUAL", Section::Ignored},  std::pair{"[SOUR", Section::Ignored},   std::pair{"[ENER", Section::Ignored},
                               std::pair{"[REAC", Section::Ignored},  std::pair{"[MIXI", Section::Ignored},   std::pair{"[REPO", Section::Ignored},
                               std::pair{"[COOR", Section::Ignored},  std::pair{"[VERT", Section::Ignored},   std::pair{"[LABE", Section::Ignored},
                               std::pair{"[BACK", Section::Ignored},  std::pair{"[ROUG", Section::Ignored},   std::pair{"[END", Section::End}};

} // namespace

std::string upper(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
    return out;
}

std::vector<std::string> EpanetReader::words(std::string_view line, int number) const
{
    constexpr std::string_view kBlank = " \t,\r";
    std::vector<std::string> out;
    for (std::size_t at = line.find_first_not_of(kBlank); at != line.npos; at = line.find_first_not_of(kBlank, at)) {
        if (out.size() == kMostTokens) refuse(number, i18n("has more than {} columns", kMostTokens), i18n("split the line"));
        std::size_t end;
        if (line[at] == '"') {
            end = std::min(line.find('"', at + 1), line.size());
            out.emplace_back(line.substr(at + 1, end - at - 1));
            at = std::min(end + 1, line.size());
            continue;
        }
        end = std::min(line.find_first_of(kBlank, at), line.size());
        out.emplace_back(line.substr(at, end - at));
        at = end;
    }
    return out;
}

void EpanetReader::split(std::string_view text)
{
    Section section = Section::None;
    for (int number = 1; !text.empty() && section != Section::End; ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t comment = line.find(';');
        if (std::min(comment, line.size()) > kLongestLine) refuse(number, i18n("line is longer than {} characters", kLongestLine), i18n("split it"));
        line = line.substr(0, comment);
        if (const auto title = trimmed(line); section == Section::Title && !title.empty() && title[0] != '[') {
            if (m_out.title.empty()) m_out.title = title;
            continue;
        }
        EpanetRow row{number, words(line, number)};
        if (row.words.empty()) continue;
        if (row.words[0][0] == '[') {
            const std::string name = upper(row.words[0]);
            const auto found = std::ranges::find_if(kSections, [&](const auto& known) { return name.starts_with(known.first); });
            if (found == kSections.end()) refuse(number, i18n("unknown section {}", row.words[0]), i18n("remove it, or correct its name"));
            section = found->second;
            continue;
        }
        if (section == Section::None) refuse(number, i18n("is in no section"), i18n("specify an EPANET input file (.inp)"));
        if (section != Section::Ignored) m_rows[section].push_back(std::move(row));
    }
}

void EpanetReader::unsupported()
{
    for (const auto& row : rows(Section::Emitters))
        if (row.words.size() > 1 && number(row, 1) != 0)
            refuse(row.line, i18n("emitters are not supported"), i18n("replace it by a demand"), ErrorCode::Refused);
    for (const auto& row : rows(Section::Leakage))
        refuse(row.line, i18n("leakage is not supported"), i18n("replace it by demands, or remove it"), ErrorCode::Refused);
    if (const auto& rules = rows(Section::Rules); !rules.empty()) note(rules.front().line, i18n("rules have no effect on a steady state"));
    const bool tanks = std::ranges::any_of(m_nodes, &EpanetNode::tank);
    if (tanks && m_hour > 0) note(0, i18n("tanks stay at their initial levels: steady state, not an extended-period simulation"));
}

void EpanetReader::count()
{
    for (const auto& n : m_nodes) ++(n.tank ? m_out.tanks : n.fixed ? m_out.reservoirs : m_out.junctions);
    for (const auto& l : m_links) ++(l.kind == EpanetLink::Kind::Pipe ? m_out.pipes : l.kind == EpanetLink::Kind::Pump ? m_out.pumps : m_out.valves);
}

} // namespace hw::importers::epanet

namespace hw::importers {

bool looksLikeEpanet(std::string_view content)
{
    bool nodes = false, links = false;
    for (std::size_t lines = 0; !content.empty() && lines < 200000 && !(nodes && links); ++lines) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        const std::string line = epanet::upper(trimmed(content.substr(0, end)));
        content.remove_prefix(std::min(end + 1, content.size()));
        if (line.starts_with("[COND") || line.starts_with("[SUBC")) return false; // of SWMM
        nodes = nodes || line.starts_with("[JUNC") || line.starts_with("[RESE");
        links = links || line.starts_with("[PIPE") || line.starts_with("[PUMP") || line.starts_with("[VALV");
    }
    return nodes && links;
}

Result<EpanetFile> readEpanet(std::string_view text, const std::string& file, const coolant::Library& library, double hour)
{
    try {
        epanet::EpanetReader reader(file, hour);
        reader.read(text);
        const nlohmann::json network = reader.network();
        EpanetFile out = reader.take();
        auto checked = hydraulics::readNetwork(network.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), file, library);
        if (!checked) return tl::unexpected(checked.error());
        out.network = std::move(*checked);
        return out;
    } catch (const epanet::EpanetFailure& failure) {
        return tl::unexpected(failure.error);
    } catch (const nlohmann::json::exception& e) {
        return fail(ErrorCode::Unreadable, file, i18n("cannot be read: {}", e.what()), i18n("correct the file"));
    }
}

} // namespace hw::importers
