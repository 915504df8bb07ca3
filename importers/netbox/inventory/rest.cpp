// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/rest.h"

#include "importers/netbox/inventory/objects.h"
#include "importers/netbox/inventory/resolve.h"
#include "importers/telemetry/access.h"
#include "importers/telemetry/http_reader.h"

#include <algorithm>
#include <set>
#include <thread>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

namespace {

constexpr std::size_t kPage = 500;          ///< objects asked for at a time; servers cap it as they like
constexpr std::size_t kDevicesAtATime = 50; ///< device_id in one URL
constexpr std::size_t kLongestUrl = 7'500;  ///< bytes; proxies refuse 8 KiB
constexpr std::size_t kMostObjects = 20'000'000;
constexpr int kCursorSince = 46;

std::string excerpt(const std::string& body)
{
    const Json json = Json::parse(body, nullptr, false);
    std::string said = json.is_discarded() ? std::string() : textOf(member(json, "detail"));
    if (said.size() > 200) said.resize(200);
    return said;
}

/// 46 of "4.6.8-Docker-3.4"; 0 where it is none.
int releaseOf(const std::string& version)
{
    int major = 0, minor = 0;
    char rest = 0;
    return std::sscanf(version.c_str(), "%2d.%2d%c", &major, &minor, &rest) >= 2 ? major * 10 + std::min(minor, 9) : 0;
}

class Server {
public:
    Server(std::string base, telemetry::Access access, const std::string& tokenHeader, const Progress& progress, const Patience& patience)
        : m_http(std::move(base), std::move(access), tokenHeader), m_progress(progress), m_patience(patience)
    {
    }

    /// JSON of a path; a status that says "no" is given back with it.
    struct Answer {
        int status = 0;
        Json json;
        std::string said; ///< by the server, about a refusal
    };
    Result<Answer> get(const std::string& path)
    {
        const std::string where = m_http.server() + path.substr(0, path.find('?'));
        auto pause = m_patience.pause;
        for (int tried = 1;; ++tried) {
            auto answer = m_http.get(path, m_progress.stop, m_patience.answer);
            if (m_progress.stopRequested()) return canceled();
            const bool busy = answer.status == 0 ? !answer.distrusted : answer.status == 429 || answer.status >= 500;
            if (busy && tried < m_patience.tries) {
                if (!wait(pause)) return canceled();
                pause *= 2;
                continue;
            }
            if (answer.status == 0)
                return fail(ErrorCode::Unreadable, where, i18n("no response: {}", answer.why),
                            answer.distrusted ? i18n("set HALLWRIGHT_NETBOX_CA to the CA certificate of the server")
                                              : i18n("check the URL and that NetBox is running"));
            if (answer.status >= 500 || answer.status == 429)
                return fail(ErrorCode::Unreadable, where, i18n("HTTP status {}", answer.status), i18n("try again later"));
            if (answer.status >= 300 && answer.status < 400)
                return fail(ErrorCode::Unreadable, where, i18n("redirects to another address (HTTP status {})", answer.status),
                            i18n("specify the target address of the redirect, such as https://…"));
            if (answer.status != 200) return Answer{answer.status, {}, excerpt(answer.body)};
            Json json = Json::parse(answer.body, nullptr, false);
            if (json.is_discarded() || !json.is_object())
                return fail(ErrorCode::Unreadable, where, i18n("the response is not NetBox JSON"),
                            i18n("check the URL: it must be the address of the NetBox server, without /api"));
            return Answer{200, std::move(json), {}};
        }
    }
    [[nodiscard]] const std::string& name() const { return m_http.server(); }
    [[nodiscard]] tl::unexpected<Error> canceled() const { return fail(ErrorCode::Canceled, m_http.server(), i18n("canceled")); }

private:
    /// False when asked to stop.
    bool wait(std::chrono::milliseconds time) const
    {
        for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
            if (m_progress.stopRequested()) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        return !m_progress.stopRequested();
    }

    telemetry::HttpReader m_http;
    const Progress& m_progress;
    Patience m_patience;
};

class Reader {
public:
    Reader(Server& server, const Selection& selection, const PlaceFields& fields, const Progress& progress, Inventory& into)
        : m_server(server), m_selection(selection), m_fields(fields), m_progress(progress), m_into(into)
    {
    }

    Result<void> run()
    {
        if (const auto known = readVersion(); !known) return known;
        double done = 0;
        for (const List& list : lists()) {
            if (list.since > m_release || (list.kind == Kind::Floorplans && !m_floorplans)) continue;
            m_progress.report(0.9 * done++ / double(lists().size()), list.path);
            if (const auto read = readList(list); !read) return read;
            if (list.kind == Kind::Locations)
                if (const auto chosen = choose(); !chosen) return chosen;
        }
        return {};
    }

private:
    Result<void> readVersion()
    {
        const auto status = m_server.get("/api/status/");
        if (!status) return tl::unexpected(status.error());
        if (status->status != 200) return refused("/api/status/", *status);
        m_into.version = textOf(member(status->json, "netbox-version"));
        m_release = releaseOf(m_into.version);
        if (m_release == 0)
            return fail(ErrorCode::Unreadable, m_server.name() + "/api/status/", i18n("does not report a NetBox version"),
                        i18n("check the URL: it must be the address of the NetBox server, without /api"));
        if (m_release < 44) m_into.remarks.push_back({m_server.name(), i18n("NetBox {}: older than 4.4, not tested", m_into.version)});
        const Json& plugins = member(status->json, "plugins");
        m_floorplans = plugins.is_object() && plugins.contains("netbox_floorplan");
        return {};
    }

    tl::unexpected<Error> refused(const std::string& path, const Server::Answer& answer) const
    {
        const bool token = answer.status == 401 || answer.status == 403;
        Text what = answer.said.empty() ? i18n("HTTP status {}", answer.status) : i18n("HTTP status {}: {}", answer.status, answer.said);
        return fail(token ? ErrorCode::Refused : ErrorCode::Unreadable, m_server.name() + path, std::move(what),
                    token ? i18n("set HALLWRIGHT_NETBOX_TOKEN to a token with view permission for this list")
                          : i18n("check the URL and the NetBox version"));
    }

    /// Sites and locations that were asked for, as filters of the other lists.
    Result<void> choose()
    {
        const auto chosen = chosenPlaces(m_into, m_selection);
        if (!chosen) return tl::unexpected(chosen.error());
        if (m_selection.sites.empty() && m_selection.locations.empty()) return {};
        m_filtered = true;
        for (const std::size_t location : chosen->locations) m_filter += fmt::format("&location_id={}", m_into.locations[location].id);
        if (m_selection.locations.empty())
            for (const std::size_t site : chosen->sites) m_filter += fmt::format("&site_id={}", m_into.sites[site].id);
        return {};
    }

    static bool ofPlaces(Kind kind)
    {
        return kind == Kind::Racks || kind == Kind::Devices || kind == Kind::PowerPanels || kind == Kind::Cables || kind == Kind::CoolingSources;
    }
    /// Without these there is no design.
    static bool needed(Kind kind) { return kind == Kind::Sites || kind == Kind::Racks || kind == Kind::Devices; }

    Result<void> readList(const List& list)
    {
        std::string query;
        if (!list.fields.empty()) query += fmt::format("&fields={}", list.fields);
        if (!m_filtered || (!ofPlaces(list.kind) && !list.ofDevices)) return readPages(list, query);
        if (!list.ofDevices) {
            if (m_filter.size() + query.size() < kLongestUrl) return readPages(list, query + m_filter);
            return readPages(list, query); // so many places: what does not belong to them is dropped later
        }
        std::string batch;
        std::size_t count = 0;
        for (std::size_t i = 0; i <= m_into.devices.size(); ++i) {
            const bool last = i == m_into.devices.size();
            if (!last) batch += fmt::format("&device_id={}", m_into.devices[i].id), ++count;
            if (count == 0 || (!last && count < kDevicesAtATime && batch.size() + query.size() < kLongestUrl)) continue;
            if (const auto read = readPages(list, query + batch); !read) return read;
            batch.clear(), count = 0;
            if (m_gone) break;
        }
        m_gone = false;
        return {};
    }

    /// Page after page. The `next` of an answer is not followed: behind a proxy it names an inner host. Since 4.6 long lists are read from one
    /// id to the next, so that what is added meanwhile shifts nothing.
    Result<void> readPages(const List& list, const std::string& query)
    {
        bool cursor = m_release >= kCursorSince && (list.ofDevices || list.kind == Kind::Devices || list.kind == Kind::Cables);
        std::set<std::int64_t> seen; // twice where something was added or removed between two pages
        std::int64_t last = 0;
        int stale = 0;
        for (std::size_t offset = 0;;) {
            if (m_progress.stopRequested()) return m_server.canceled();
            const std::string path = fmt::format("/api/{}/", list.path);
            const auto page = m_server.get(
                path + (cursor ? fmt::format("?limit={}&start={}", kPage, last) : fmt::format("?limit={}&offset={}", kPage, offset)) + query);
            if (!page) return tl::unexpected(page.error());
            if (page->status == 400 && cursor) {
                cursor = false, offset = 0;
                continue;
            }
            if (page->status != 200) return missing(list, path, *page);
            const Json& results = member(page->json, "results");
            if (!results.is_array())
                return fail(ErrorCode::Unreadable, m_server.name() + path, i18n("the response contains no list of results"),
                            i18n("check the URL: it must be the address of the NetBox server, without /api"));
            std::size_t fresh = 0; // objects with a number that was not there before
            for (const Json& object : results) {
                const std::int64_t id = wholeOf(member(object, "id"));
                if (id > 0 && !seen.insert(id).second) continue;
                if (id > 0) ++fresh, last = std::max(last, id);
                take(list.kind, object, fmt::format("{}{}{}/", m_server.name(), path, id), m_fields, m_into);
            }
            offset += results.size();
            const Json& total = member(page->json, "count");
            const bool all = total.is_number() ? std::int64_t(offset) >= wholeOf(total) : member(page->json, "next").is_null();
            const bool ended = cursor ? member(page->json, "next").is_null() : all;
            if (results.empty() || ended) return {};
            if (fresh == 0 && (!cursor || ++stale > 2)) return {}; // a server that never ends
            if (cursor && fresh == 0) ++last;                      // a page of one, which begins with what was read
            if (fresh > 0) stale = 0;
            if (seen.size() > kMostObjects)
                return fail(ErrorCode::Unreadable, m_server.name() + path, i18n("too many objects"), i18n("select sites with --site"));
        }
    }

    Result<void> missing(const List& list, const std::string& path, const Server::Answer& answer)
    {
        if (needed(list.kind)) return refused(path, answer);
        m_gone = true;
        if (list.since > 0 && answer.status == 404) return {}; // a beta without it
        m_into.remarks.push_back({m_server.name() + path, answer.status == 401 || answer.status == 403
                                                              ? i18n("no view permission for this list: not imported")
                                                              : i18n("HTTP status {}: not imported", answer.status)});
        return {};
    }

    Server& m_server;
    const Selection& m_selection;
    const PlaceFields& m_fields;
    const Progress& m_progress;
    Inventory& m_into;
    int m_release = 0;
    bool m_floorplans = false, m_filtered = false;
    bool m_gone = false; ///< the list cannot be read, nor any further part of it
    std::string m_filter;
};

} // namespace

bool isUrl(const std::string& text) { return text.starts_with("http://") || text.starts_with("https://"); }

Result<void> readServer(const std::string& text, const Selection& selection, const PlaceFields& fields, const Progress& progress, Inventory& into,
                        const std::filesystem::path& credentials, const Patience& patience)
{
    const auto url = telemetry::parseUrl(text);
    if (!url) return tl::unexpected(url.error());
    std::string base = url->text();
    if (base.ends_with("/api")) base.resize(base.size() - 4);
    auto access = telemetry::accessOf(url->address(), "netbox", credentials);
    if (!access) return tl::unexpected(access.error());
    const bool second = access->token.starts_with("nbt_"); // tokens since 4.5
    Server server(base, std::move(*access), second ? "Authorization: Bearer " : "Authorization: Token ", progress, patience);
    into.source = base;
    return Reader(server, selection, fields, progress, into).run();
}

} // namespace hw::importers::netbox_in
