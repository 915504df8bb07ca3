// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/access.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <yaml-cpp/yaml.h>

namespace hw::telemetry {

namespace {

std::uint16_t usualPort(std::string_view scheme)
{
    constexpr std::pair<std::string_view, std::uint16_t> kPorts[] = {{"mqtt", 1883}, {"mqtts", 8883}, {"http", 80}, {"https", 443}};
    const auto* found = std::ranges::find(kPorts, scheme, &std::pair<std::string_view, std::uint16_t>::first);
    return found == std::end(kPorts) ? 0 : found->second;
}

constexpr std::string_view kParts[] = {"user", "password", "token", "ca", "certificate", "key"};

/// Sets a part that nothing has set yet.
void fill(Access& access, std::string_view part, const std::string& value)
{
    const auto put = [&](auto& to) {
        if (to.empty()) to = value;
    };
    if (part == "user") put(access.user);
    if (part == "password") put(access.password);
    if (part == "token") put(access.token);
    if (part == "ca") put(access.ca);
    if (part == "certificate") put(access.certificate);
    if (part == "key") put(access.key);
}

void fillAll(Access& access, const Access& more)
{
    const std::string values[] = {more.user, more.password, more.token, more.ca.string(), more.certificate.string(), more.key.string()};
    for (std::size_t i = 0; i < std::size(kParts); ++i) fill(access, kParts[i], values[i]);
}

Access environmentAccess(std::string kind)
{
    std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    Access access;
    for (const auto part : kParts) {
        std::string name(part);
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::toupper(c)); });
        if (const char* value = std::getenv(("HALLWRIGHT_" + kind + '_' + name).c_str())) fill(access, part, value);
    }
    return access;
}

std::filesystem::path usualFile()
{
    if (const char* file = std::getenv("HALLWRIGHT_CREDENTIALS")) return file;
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && *config) return std::filesystem::path(config) / "hallwright/credentials.yaml";
    const char* home = std::getenv("HOME");
    return home ? std::filesystem::path(home) / ".config/hallwright/credentials.yaml" : std::filesystem::path();
}

tl::unexpected<Error> malformed(const std::filesystem::path& file, const YAML::Mark& mark, Text what)
{
    return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file.string(), mark.line + 1), std::move(what),
                i18n("list addresses (scheme://host:port) with the keys {} below them", listedNames(kParts)));
}

Result<void> fillFrom(const YAML::Node& keys, const std::filesystem::path& file, Access& access)
{
    if (!keys.IsMap()) return malformed(file, keys.Mark(), i18n("must be a mapping"));
    for (const auto& entry : keys) {
        const auto part = entry.first.as<std::string>();
        if (std::ranges::find(kParts, part) == std::end(kParts)) return malformed(file, entry.first.Mark(), i18n("\"{}\" is not a valid key", part));
        if (!entry.second.IsScalar()) return malformed(file, entry.second.Mark(), i18n("{} must be a string", part));
        fill(access, part, entry.second.Scalar());
    }
    return {};
}

struct Typed {
    std::string address, kind, token;
};
std::mutex typedMutex;
std::map<std::uint64_t, Typed> typed; ///< by number: the last one counts

std::string typedToken(const std::string& address, const std::string& kind)
{
    const std::scoped_lock lock(typedMutex);
    for (auto it = typed.rbegin(); it != typed.rend(); ++it)
        if (it->second.address == address && it->second.kind == kind) return it->second.token;
    return {};
}

/// Secrets that others can read are none.
Result<bool> fitToRead(const std::filesystem::path& file, bool named)
{
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) {
        if (errno == ENOENT && !named) return false;
        return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be read: {}", std::strerror(errno)), i18n("check the path"));
    }
    if ((status.st_mode & 077) != 0)
        return fail(ErrorCode::Unreadable, file.string(), i18n("contains passwords and is readable by other users"),
                    i18n("restrict its permissions: chmod 600 {}", file.string()));
    return true;
}

Result<void> fillFromFile(const std::filesystem::path& file, bool named, const std::string& address, Access& access)
{
    const auto fit = fitToRead(file, named);
    if (!fit) return tl::unexpected(fit.error());
    if (!*fit) return {};
    try {
        const YAML::Node all = YAML::LoadFile(file.string());
        if (all.IsNull()) return {};
        if (!all.IsMap()) return malformed(file, all.Mark(), i18n("must be a mapping"));
        for (const auto& entry : all) {
            const auto url = parseUrl(entry.first.as<std::string>());
            if (!url) return malformed(file, entry.first.Mark(), url.error().what);
            Access unused; // all of the file is checked
            if (auto read = fillFrom(entry.second, file, url->address() == address ? access : unused); !read) return read;
        }
    } catch (const YAML::Exception& error) { // the message of the library may quote what stands there
        return malformed(file, error.mark, i18n("is not valid YAML"));
    }
    return {};
}

} // namespace

std::string Url::address() const
{
    return host.find(':') == std::string::npos ? fmt::format("{}://{}:{}", scheme, host, port) : fmt::format("{}://[{}]:{}", scheme, host, port);
}

std::string Url::text() const { return address() + path; }

Result<Url> parseUrl(const std::string& text)
{
    const auto refuse = [&](const std::string& shown, Text what) {
        return fail(ErrorCode::Usage, shown, std::move(what), i18n("use an address such as {} or {}", "mqtts://broker:8883", "https://server:9090"));
    };
    const auto begin = text.find("://");
    if (begin == std::string::npos) return refuse(text, i18n("is not a valid address"));
    Url url;
    url.scheme = text.substr(0, begin);
    url.port = usualPort(url.scheme);
    if (url.port == 0) return refuse(text, i18n("unsupported scheme: {}", url.scheme));
    const auto slash = std::min(text.find_first_of("/?#", begin + 3), text.size());
    std::string place = text.substr(begin + 3, slash - begin - 3);
    if (const auto at = place.rfind('@'); at != std::string::npos)
        return refuse(url.scheme + "://…@" + place.substr(at + 1),
                      i18n("contains a user name or password that others could see; put them in the environment, a file or the keychain"));
    url.path = text.substr(slash);
    if (url.path.find_first_of("?#") != std::string::npos) return refuse(text, i18n("contains a query, which is not sent"));
    while (url.path.ends_with('/')) url.path.pop_back();
    const auto bracket = place.find(']');
    if (const auto colon = place.rfind(':'); colon != std::string::npos && (bracket == std::string::npos || colon > bracket)) {
        const char *from = place.data() + colon + 1, *to = place.data() + place.size();
        const auto read = std::from_chars(from, to, url.port);
        if (read.ec != std::errc() || read.ptr != to || url.port == 0) return refuse(text, i18n("port must be a number from 1 to 65535"));
        place.resize(colon);
    }
    if (place.starts_with('[') && place.ends_with(']')) place = place.substr(1, place.size() - 2);
    if (place.empty()) return refuse(text, i18n("host is missing"));
    url.host = place;
    return url;
}

Result<Access> accessOf(const std::string& text, const std::string& kind, const std::filesystem::path& file, const Keychain& keychain)
{
    const auto url = parseUrl(text);
    if (!url) return tl::unexpected(url.error());
    Access access;
    if (const std::string token = typedToken(url->address(), kind); !token.empty()) access.token = token;
    fillAll(access, environmentAccess(kind));
    const bool named = !file.empty() || std::getenv("HALLWRIGHT_CREDENTIALS");
    if (const auto path = file.empty() ? usualFile() : file; !path.empty())
        if (const auto read = fillFromFile(path, named, url->address(), access); !read) return tl::unexpected(read.error());
    const auto kept = keychain ? keychain(url->address()) : std::nullopt;
    if (!kept) return access;
    fillAll(access, *kept);
    return access;
}

TypedToken::TypedToken(const std::string& url, const std::string& kind, const std::string& token)
{
    const auto parsed = parseUrl(url);
    if (!parsed || token.empty()) return;
    const std::scoped_lock lock(typedMutex);
    static std::uint64_t last = 0;
    typed[m_number = ++last] = {parsed->address(), kind, token};
}

TypedToken::~TypedToken()
{
    const std::scoped_lock lock(typedMutex);
    typed.erase(m_number);
}

} // namespace hw::telemetry
