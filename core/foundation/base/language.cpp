// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/language.h"

#include "core/foundation/base/resources.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <locale>

#include <boost/locale/gnu_gettext.hpp>
#include <boost/locale/message.hpp>
#include <fmt/args.h>
#include <fmt/format.h>

namespace hw {

namespace {

namespace bl = boost::locale;

/// How a language writes numbers. The separator of thousands is shown for `{:L}` only.
class NumberMarks final : public std::numpunct<char> {
public:
    NumberMarks(char decimal, char thousands) : m_decimal(decimal), m_thousands(thousands) {}

private:
    char do_decimal_point() const override { return m_decimal; }
    char do_thousands_sep() const override { return m_thousands; }
    std::string do_grouping() const override { return "\3"; }
    char m_decimal, m_thousands;
};

/// In a pattern, decimal numbers follow the marks of the language too: {:.1f} becomes {:.1Lf}.
std::string withMarks(std::string_view pattern)
{
    std::string out;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const char c = pattern[at];
        const bool decimal = (c == 'f' || c == 'g' || c == 'e') && at + 1 < pattern.size() && pattern[at + 1] == '}';
        const std::size_t open = decimal ? pattern.rfind('{', at) : std::string_view::npos;
        if (open != std::string_view::npos && pattern.substr(open, at - open).find(':') != std::string_view::npos && pattern[at - 1] != 'L')
            out += 'L';
        out += c;
    }
    return out;
}

} // namespace

struct Language::Data {
    std::string name = "en";
    std::locale locale = std::locale(std::locale::classic(), new NumberMarks('.', ','));
    bool marks = false;                                ///< decimal numbers are not written as in English
    const bl::message_format<char>* catalog = nullptr; ///< of `locale`

    const char* one(const char* id) const { return catalog ? catalog->get(0, nullptr, id) : nullptr; }
    const char* many(const char* id, std::int64_t n) const
    {
        if (!catalog) return nullptr;
        const std::int64_t alike =
            n < 1'000'000 ? n : 1'000'000 + n % 1'000'000; // plural rules look at the last six digits, and whether there are more
        return catalog->get(0, nullptr, id, int(alike));
    }
};

Language::Language() : m_data(std::make_shared<Data>()) {}

Result<Language> Language::load(const std::string& name, const std::filesystem::path& catalogs)
{
    const auto file = catalogs / (name + ".mo");
    std::ifstream in(file, std::ios::binary);
    if (!in) return fail(ErrorCode::Unreadable, file.string(), i18n("no translation catalog for this language"), i18n("choose another language"));
    const std::vector<char> content{std::istreambuf_iterator<char>(in), {}};
    bl::gnu_gettext::messages_info info;
    info.language = name.substr(0, name.find('_'));
    info.encoding = "UTF-8";
    info.domains = {bl::gnu_gettext::messages_info::domain("hallwright")};
    info.paths = {catalogs.string()};
    info.callback = [&](const std::string&, const std::string&) { return content; };
    auto data = std::make_shared<Data>();
    bl::message_format<char>* facet = nullptr;
    try {
        facet = bl::gnu_gettext::create_messages_facet<char>(info);
    } catch (const std::exception& fault) {
        return fail(ErrorCode::Unreadable, file.string(), i18n("not a translation catalog: {}", fault.what()), i18n("create it with msgfmt"));
    }
    data->name = name;
    static constexpr std::array kCommaLanguages{"de", "fr", "es", "it", "nl", "ru", "pl", "pt", "sv", "cs", "tr"};
    for (const char* one : kCommaLanguages) data->marks = data->marks || info.language == one;
    data->locale = std::locale(std::locale(std::locale::classic(), facet), new NumberMarks(data->marks ? ',' : '.', data->marks ? '.' : ','));
    data->catalog = facet;
    Language language;
    language.m_data = std::move(data);
    return language;
}

const std::string& Language::name() const { return m_data->name; }

std::optional<std::string> Language::find(const char* pattern) const
{
    const char* found = m_data->one(pattern);
    return found ? std::optional<std::string>(found) : std::nullopt;
}

std::string Language::words(const Text& text) const
{
    const Data& data = *m_data;
    const auto& arguments = text.arguments();
    // Literals end with a zero, so that their view is a C string.
    const auto translated = [&](std::string_view id) {
        const char* found = id.empty() ? nullptr : data.one(id.data());
        return found ? std::string_view(found) : id;
    };
    const auto joined = [&](std::string_view between) {
        std::string out;
        for (const Text& item : std::get<std::vector<Text>>(arguments[0])) {
            if (!out.empty()) out += between;
            out += words(item);
        }
        return out;
    };
    // The arguments from one on, in their places; `own` is what the source says.
    const auto filled = [&](std::string_view pattern, std::string_view own, std::size_t first) {
        if (pattern.find_first_of("{}") == std::string_view::npos) return std::string(pattern);
        fmt::dynamic_format_arg_store<fmt::format_context> store;
        for (std::size_t i = first; i < arguments.size(); ++i)
            std::visit(
                [&](const auto& value) {
                    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::vector<Text>>)
                        store.push_back(words(value.front()));
                    else
                        store.push_back(value);
                },
                arguments[i]);
        try {
            return fmt::vformat(data.locale, data.marks ? withMarks(pattern) : std::string(pattern), store);
        } catch (const fmt::format_error&) { // a translation whose places are not those of the source
            return fmt::vformat(data.locale, own, store);
        }
    };
    std::string_view pattern;
    switch (text.kind()) {
    case Text::Kind::Verbatim: return std::get<std::string>(arguments[0]);
    case Text::Kind::Resource: {
        const auto& id = std::get<std::string>(arguments[0]);
        return arguments.size() > 1 ? filled(translated(id), id, 1) : std::string(translated(id));
    }
    case Text::Kind::List: return joined(words(i18n(", ")));
    case Text::Kind::Lines: return joined(words(i18n(" ")));
    case Text::Kind::Pattern: pattern = translated(text.id()); break;
    case Text::Kind::Plural: {
        const auto* count = std::get_if<std::int64_t>(&arguments[0]);
        const std::int64_t n = count ? std::abs(*count) : std::int64_t(std::get<std::uint64_t>(arguments[0]));
        const char* found = data.many(text.id().data(), n);
        pattern = found ? std::string_view(found) : n == 1 ? text.id() : text.many();
        break;
    }
    }
    return filled(pattern, text.id(), 0);
}

namespace {

Language& current()
{
    static Language language;
    return language;
}

} // namespace

const Language& language() { return current(); }

void setLanguage(Language language) { current() = std::move(language); }

Language languageOfEnvironment()
{
    std::string wanted;
    for (const char* variable : {"HALLWRIGHT_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* value = std::getenv(variable); value && *value) {
            wanted = value;
            break;
        }
    wanted = wanted.substr(0, wanted.find_first_of(".@"));
    const char* folder = std::getenv("HALLWRIGHT_CATALOGS");
    if (!folder) folder = std::getenv("HALLWRIGHT_CATALOGUES"); // its name until 0.3
    const std::filesystem::path catalogs = folder ? std::filesystem::path(folder) : resourceFolder() / "i18n";
    for (const std::string& name : {wanted, wanted.substr(0, wanted.find('_'))})
        if (!name.empty() && name.find('/') == std::string::npos)
            if (auto found = Language::load(name, catalogs)) return *std::move(found);
    return {};
}

} // namespace hw
