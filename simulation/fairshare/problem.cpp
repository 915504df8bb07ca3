// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "text_file.h"

namespace hw::sim {
inline namespace fairshare {

namespace {

using Failure = tl::unexpected<ProblemError>;

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

/// Walks over numbers and words separated by white space and comments. Lines are only counted for an error.
class Scanner {
public:
    explicit Scanner(std::string_view text) : m_begin(text.data()), m_at(m_begin), m_end(m_begin + text.size()) {}

    size_t bytesLeft() const { return static_cast<size_t>(m_end - m_at); }
    int line() const { return 1 + static_cast<int>(std::count(m_begin, m_token, '\n')); }

    bool atEnd()
    {
        skip();
        return m_at == m_end;
    }

    bool word(std::string_view expected)
    {
        skip();
        if (!std::string_view(m_at, bytesLeft()).starts_with(expected)) return false;
        m_at += expected.size();
        return endsHere();
    }

    template <class Number>
    bool number(Number& value)
    {
        skip();
        const auto [after, error] = std::from_chars(m_at, m_end, value);
        if (error != std::errc()) return false;
        m_at = after;
        if (!endsHere()) m_at = m_token;
        return m_at == after;
    }

    /// The token an error is about, shortened for a message.
    Text token() const
    {
        const char* last = std::find_if(m_token, m_end, isBlank);
        if (last == m_token) return i18n("end of file");
        const auto length = static_cast<size_t>(last - m_token);
        std::string quoted("'");
        return verbatim(quoted.append(m_token, std::min<size_t>(length, 24)).append(length > 24 ? "...'" : "'"));
    }

private:
    static bool isBlank(char c) { return static_cast<unsigned char>(c) <= ' '; }
    bool endsHere() const { return m_at == m_end || isBlank(*m_at) || *m_at == '#'; }

    void skip()
    {
        while (m_at != m_end) {
            if (isBlank(*m_at))
                ++m_at;
            else if (*m_at == '#')
                m_at = std::find(m_at, m_end, '\n');
            else
                break;
        }
        m_token = m_at;
    }

    const char* m_begin;
    const char* m_at;
    const char* m_end;
    const char* m_token = m_begin;
};

class ProblemParser {
public:
    explicit ProblemParser(std::string_view text) : m_scan(text) {}

    tl::expected<FlowProblem, ProblemError> parse()
    {
        if (!header() || !capacities() || !flows()) return Failure(m_error);
        if (!m_scan.atEnd()) return Failure(at(i18n("trailing text {} after the last flow", m_scan.token()), i18n("check the count after 'flows'")));
        return std::move(m_problem);
    }

private:
    ProblemError at(Text what, Text todo) const { return {m_scan.line(), std::move(what), std::move(todo)}; }
    bool fail(Text what, Text todo)
    {
        m_error = at(std::move(what), std::move(todo));
        return false;
    }
    /// A value is not there or is no number: `key` names it.
    bool unreadable(const Text& key, const Text& wanted)
    {
        if (m_scan.atEnd()) return fail(i18n("{}: unexpected end of file", key), i18n("the file is truncated; create it again"));
        return fail(i18n("{}: {} is not {}", key, m_scan.token(), wanted), i18n("use {}", wanted));
    }

    bool header()
    {
        if (!m_scan.word("mmf"))
            return fail(i18n("header: found {} instead of 'mmf 1'", m_scan.token()), i18n("specify a problem file in mmf format"));
        uint32_t version = 0;
        if (!m_scan.number(version)) return unreadable(i18n("header: version"), i18n("the version number 1"));
        if (version != 1) return fail(i18n("header: version {} is not supported", version), i18n("write the file in format 'mmf 1'"));
        return true;
    }

    /// Reads "KEY count"; a count that the rest of the text cannot hold is refused before anything is allocated.
    bool count(const char* key, size_t bytesEach, uint32_t& value)
    {
        if (!m_scan.word(key)) return unreadable(verbatim(key), i18n("the word '{}'", key));
        if (!m_scan.number(value)) return unreadable(verbatim(key), i18n("a count"));
        if (value > (m_scan.bytesLeft() + 1) / bytesEach)
            return fail(i18n("{}: {} entries do not fit into this file", key, value),
                        i18n("correct the count, or create the file again if it is truncated"));
        return true;
    }

    bool capacities()
    {
        uint32_t links = 0;
        if (!count("links", 2, links)) return false;
        m_problem.capacity.resize(links);
        for (uint32_t l = 0; l < links; ++l) {
            double& capacity = m_problem.capacity[l];
            if (!m_scan.number(capacity)) return unreadable(i18n("capacity of link {}", l), i18n("a number"));
            if (!(capacity > 0) || !std::isfinite(capacity))
                return fail(i18n("capacity of link {}: {} is not a finite number above 0", l, m_scan.token()),
                            i18n("specify a positive capacity, or remove the link from every flow"));
        }
        return true;
    }

    bool flows()
    {
        uint32_t flows = 0;
        if (!count("flows", 6, flows)) return false;
        m_problem.size.resize(flows);
        m_problem.offset.reserve(size_t{flows} + 1);
        m_problem.link.reserve(std::min(size_t{flows} * 6, m_scan.bytesLeft() / 2));
        m_lastFlowOn.assign(m_problem.linkCount(), kNone);
        for (uint32_t f = 0; f < flows; ++f)
            if (!flow(f)) return false;
        return true;
    }

    bool flow(uint32_t f)
    {
        double& size = m_problem.size[f];
        if (!m_scan.number(size)) return unreadable(i18n("size of flow {}", f), i18n("a number"));
        if (!(size >= 0) || !std::isfinite(size))
            return fail(i18n("size of flow {}: {} is not a finite number of 0 or more", f, m_scan.token()), i18n("specify a size of 0 or more"));
        uint32_t hops = 0;
        if (!m_scan.number(hops)) return unreadable(i18n("link count of flow {}", f), i18n("a count"));
        if (hops == 0) return fail(i18n("flow {} has no links", f), i18n("specify at least one link per flow"));
        if (hops > (m_scan.bytesLeft() + 1) / 2)
            return fail(i18n("link count of flow {}: {} links do not fit into this file", f, hops),
                        i18n("correct the count, or create the file again if it is truncated"));
        for (uint32_t i = 0; i < hops; ++i)
            if (!hop(f)) return false;
        m_problem.offset.push_back(static_cast<uint32_t>(m_problem.link.size()));
        return true;
    }

    bool hop(uint32_t f)
    {
        uint32_t link = 0;
        if (!m_scan.number(link)) return unreadable(i18n("links of flow {}", f), i18n("a link number"));
        if (link >= m_problem.linkCount())
            return fail(i18n("flow {}: link {} does not exist", f, link), i18n("valid link numbers are 0 to {}", int64_t(m_problem.linkCount()) - 1));
        if (m_lastFlowOn[link] == f) return fail(i18n("flow {}: link {} is listed twice", f, link), i18n("list each link once"));
        if (m_problem.link.size() == kNone - 1) return fail(i18n("flow {}: more than {:L} hops in total", f, kNone - 1), i18n("split the problem"));
        m_lastFlowOn[link] = f;
        m_problem.link.push_back(link);
        return true;
    }

    Scanner m_scan;
    FlowProblem m_problem;
    ProblemError m_error;
    std::vector<uint32_t> m_lastFlowOn; ///< per link the last flow that listed it
};

} // namespace

uint32_t FlowProblem::addFlow(double flowSize, std::span<const uint32_t> links, double flowWeight)
{
    const auto flow = static_cast<uint32_t>(size.size());
    if (flowWeight != 1.0 && weight.empty()) weight.assign(flow, 1.0);
    if (!weight.empty() || flowWeight != 1.0) weight.push_back(flowWeight);
    size.push_back(flowSize);
    link.insert(link.end(), links.begin(), links.end());
    offset.push_back(static_cast<uint32_t>(link.size()));
    return flow;
}

std::string ProblemError::text(std::string_view path) const
{
    std::string where(path);
    if (line > 0) where.append(":").append(std::to_string(line));
    return where.append(": ").append(words(what)).append("; ").append(words(todo));
}

tl::expected<FlowProblem, ProblemError> parseProblem(std::string_view text) { return ProblemParser(text).parse(); }

tl::expected<FlowProblem, ProblemError> readProblem(const std::filesystem::path& path)
{
    return readTextFile(path).and_then([](const TextFile& file) { return parseProblem(file.view()); });
}

tl::expected<std::vector<double>, ProblemError> readValues(const std::filesystem::path& path)
{
    auto file = readTextFile(path);
    if (!file) return Failure(file.error());
    Scanner scan(file->view());
    std::vector<double> values;
    for (double value = 0; !scan.atEnd(); values.push_back(value))
        if (!scan.number(value))
            return Failure(ProblemError{scan.line(), i18n("{} is not a number", scan.token()), i18n("specify one number per line")});
    return values;
}

tl::expected<void, ProblemError> writeValues(const std::filesystem::path& path, std::span<const double> values)
{
    std::string text;
    text.reserve(values.size() * 25);
    for (const double value : values) {
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 17).ptr;
        text.append(digits, end).push_back('\n');
    }
    return writeTextFile(path, text);
}

} // namespace fairshare
} // namespace hw::sim
