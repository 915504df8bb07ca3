// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox_export/client.h"

#include "core/foundation/base/fence.h"
#include "importers/telemetry/curl_setup.h"

#include <charconv>
#include <condition_variable>
#include <mutex>

#include <curl/curl.h>
#include <fmt/format.h>

namespace hw::netbox {

namespace {

constexpr std::size_t kLargestAnswer = std::size_t(256) << 20;
constexpr int kPerPage = 1000; // MAX_PAGE_SIZE of a NetBox that nobody changed

std::size_t keepBody(char* data, std::size_t, std::size_t size, void* to)
{
    auto& body = *static_cast<std::string*>(to);
    if (body.size() + size > kLargestAnswer) return 0;
    return faultIn([&] { body.append(data, size); }) ? 0 : size;
}

/// What NetBox says is wrong, short.
std::string detailOf(const nlohmann::json& body)
{
    if (body.is_object())
        if (const auto found = body.find("detail"); found != body.end() && found->is_string()) return found->get<std::string>();
    if (body.is_discarded() || body.is_null()) return {};
    std::string text = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (text.size() > 300) text.resize(300), text += "…";
    return text;
}

} // namespace

struct Client::State {
    CURL* curl = nullptr;
    CURLM* multi = nullptr;
    std::string url, authorization, branch;
    Patience patience;
    std::stop_token stop;
    char error[CURL_ERROR_SIZE] = {};
};

Client::Client() : m_state(std::make_unique<State>()) {}

Client::~Client()
{
    if (m_state->curl) curl_easy_cleanup(m_state->curl);
    if (m_state->multi) curl_multi_cleanup(m_state->multi);
}

Result<std::unique_ptr<Client>> Client::open(const std::string& url, const telemetry::Access& access, Patience patience, std::stop_token stop)
{
    auto parsed = telemetry::parseUrl(url);
    if (!parsed) return tl::unexpected(parsed.error());
    if (parsed->scheme != "http" && parsed->scheme != "https")
        return fail(ErrorCode::Usage, url, i18n("unsupported scheme: {}", parsed->scheme),
                    i18n("use an address such as {}", "https://netbox.example.com"));
    if (parsed->path.ends_with("/api")) parsed->path.resize(parsed->path.size() - 4);
    if (access.token.empty())
        return fail(ErrorCode::Refused, parsed->text(), i18n("no API token"),
                    i18n("set {} or add the address to the credentials file", "HALLWRIGHT_NETBOX_TOKEN"));
    for (const char c : access.token)
        if (static_cast<unsigned char>(c) < 33 || static_cast<unsigned char>(c) > 126)
            return fail(ErrorCode::Usage, parsed->text(), i18n("the API token contains a character not allowed in an HTTP header"),
                        i18n("copy the token again"));
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    std::unique_ptr<Client> client(new Client);
    State& s = *client->m_state;
    s.url = parsed->text(), s.patience = patience, s.stop = std::move(stop);
    s.authorization = (access.token.starts_with("nbt_") ? "Authorization: Bearer " : "Authorization: Token ") + access.token;
    s.curl = curl_easy_init(), s.multi = curl_multi_init();
    telemetry::setUpCurl(s.curl, access, 10, keepBody, s.error);
    return client;
}

Answer Client::ask(const char* method, const std::string& path, const nlohmann::json* body)
{
    State& s = *m_state;
    Answer answer;
    std::string received;
    s.error[0] = 0;
    const std::string url = s.url + "/api/" + path;
    const std::string sent = body ? body->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) : std::string();
    curl_slist* headers = curl_slist_append(nullptr, s.authorization.c_str());
    headers = curl_slist_append(headers, "Accept: application/json"); // no text: words of NetBox
    headers = curl_slist_append(headers, "Expect:");
    if (body) headers = curl_slist_append(headers, "Content-Type: application/json"); // no text: words of NetBox
    if (!s.branch.empty()) headers = curl_slist_append(headers, ("X-NetBox-Branch: " + s.branch).c_str());
    const auto set = [&](CURLoption option, auto value) { curl_easy_setopt(s.curl, option, value); };
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_HTTPHEADER, headers);
    set(CURLOPT_TIMEOUT, long(s.patience.limit.count()));
    set(CURLOPT_WRITEDATA, &received);
    set(CURLOPT_FRESH_CONNECT, body ? 1L : 0L); // the library repeats what is lost on an old connection, and would write it twice
    if (body) {
        set(CURLOPT_POST, 1L);
        set(CURLOPT_POSTFIELDS, sent.c_str());
        set(CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(sent.size()));
        set(CURLOPT_CUSTOMREQUEST, method);
    } else {
        set(CURLOPT_CUSTOMREQUEST, static_cast<const char*>(nullptr));
        set(CURLOPT_HTTPGET, 1L);
    }
    CURLcode code = CURLE_ABORTED_BY_CALLBACK;
    curl_multi_add_handle(s.multi, s.curl);
    for (int running = 1; running > 0 && !s.stop.stop_requested();) {
        if (curl_multi_perform(s.multi, &running) != CURLM_OK) break;
        if (running > 0) curl_multi_poll(s.multi, nullptr, 0, 100, nullptr);
    }
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(s.multi, &left))
        if (message->msg == CURLMSG_DONE) code = message->data.result;
    curl_multi_remove_handle(s.multi, s.curl);
    curl_slist_free_all(headers);
    if (code != CURLE_OK) {
        answer.stopped = s.stop.stop_requested();
        answer.why = verbatim(s.error[0] ? s.error : curl_easy_strerror(code));
        return answer;
    }
    long status = 0;
    curl_easy_getinfo(s.curl, CURLINFO_RESPONSE_CODE, &status);
    answer.status = int(status);
    answer.body = received.empty() ? nlohmann::json() : nlohmann::json::parse(received, nullptr, false);
    return answer;
}

bool Client::rest(int tried) const
{
    const State& s = *m_state;
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_for(lock, s.stop, s.patience.first * (1 << std::min(tried, 10)), [] { return false; });
    return !s.stop.stop_requested();
}

Error Client::error(const std::string& what, const Answer& answer) const
{
    const State& s = *m_state;
    const std::string where = what.empty() ? s.url : s.url + ": " + what;
    if (answer.stopped || s.stop.stop_requested()) return {ErrorCode::Canceled, where, i18n("stopped"), i18n("run the command again to continue")};
    const std::string detail = detailOf(answer.body);
    if (answer.status == 0)
        return {ErrorCode::Unreadable, where, i18n("no response: {}", answer.why), i18n("check the address and that NetBox is running")};
    if (answer.status == 401 || answer.status == 403)
        return {ErrorCode::Refused, where, i18n("access denied: {}", detail), i18n("use a valid token with the required permissions")};
    if (answer.status >= 300 && answer.status < 400)
        return {ErrorCode::Unreadable, where, i18n("redirected (HTTP {})", answer.status), i18n("use the target address of the redirect")};
    if (answer.passing())
        return {ErrorCode::Unreadable, where, i18n("HTTP {} after {} attempts: {}", answer.status, s.patience.tries, detail),
                i18n("run the command again later; completed steps are not repeated")};
    return {ErrorCode::Refused, where, i18n("HTTP {}: {}", answer.status, detail), i18n("correct the reported error")};
}

Result<nlohmann::json> Client::get(const std::string& path)
{
    Answer answer;
    for (int tried = 0; tried < m_state->patience.tries; ++tried) {
        answer = ask("GET", path);
        if (!answer.passing() || tried + 1 == m_state->patience.tries || !rest(tried)) break;
    }
    const std::string what = path.substr(0, path.find('?'));
    if (!answer.good()) return tl::unexpected(error(what, answer));
    if (answer.body.is_discarded())
        return fail(ErrorCode::Unreadable, m_state->url + ": " + what, i18n("the response is not JSON"),
                    i18n("check that the address is that of a NetBox server"));
    return std::move(answer.body);
}

Result<std::vector<nlohmann::json>> Client::list(const std::string& table, const std::string& query)
{
    std::vector<nlohmann::json> rows;
    for (std::size_t offset = 0;;) {
        auto page = get(fmt::format("{}/?{}{}limit={}&offset={}", table, query, query.empty() ? "" : "&", kPerPage, offset));
        if (!page) return tl::unexpected(page.error());
        const auto results = page->find("results");
        if (!page->is_object() || results == page->end() || !results->is_array())
            return fail(ErrorCode::Unreadable, m_state->url + ": " + table, i18n("the response is not a NetBox list"),
                        i18n("check that the address is that of a NetBox server"));
        const std::size_t got = results->size();
        offset += got;
        for (auto& row : *results)
            if (row.is_object()) rows.push_back(std::move(row));
        const auto next = page->find("next");
        if (got == 0 || next == page->end() || next->is_null()) return rows;
    }
}

const std::string& Client::url() const { return m_state->url; }
const Patience& Client::patience() const { return m_state->patience; }
bool Client::stopRequested() const { return m_state->stop.stop_requested(); }
void Client::setStop(std::stop_token stop) { m_state->stop = std::move(stop); }
void Client::useBranch(const std::string& schemaId) { m_state->branch = schemaId; }

std::string Client::escaped(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || c == '-' || c == '_' || c == '.' ||
            c == '~')
            out += c;
        else
            out += fmt::format("%{:02X}", byte);
    }
    return out;
}

Result<ServerStatus> statusOf(Client& client)
{
    const auto body = client.get("status/");
    if (!body) return tl::unexpected(body.error());
    ServerStatus status;
    const auto version = body->is_object() ? body->find("netbox-version") : body->end();
    if (!body->is_object() || version == body->end() || !version->is_string())
        return fail(ErrorCode::Unreadable, client.url() + ": status", i18n("does not report a NetBox version"),
                    i18n("check that the address is that of a NetBox server"));
    status.version = version->get<std::string>();
    const char *at = status.version.data(), *end = at + status.version.size();
    const auto major = std::from_chars(at, end, status.major);
    if (major.ec == std::errc() && major.ptr != end) (void)std::from_chars(major.ptr + 1, end, status.minor);
    if (status.major < 4 || (status.major == 4 && status.minor < 4))
        return fail(ErrorCode::Refused, client.url(), i18n("NetBox {} is not supported", status.version), i18n("update NetBox to 4.4 or later"));
    if (const auto plugins = body->find("plugins"); plugins != body->end() && plugins->is_object())
        for (const auto& [name, value] : plugins->items()) status.plugins.insert(name);
    return status;
}

} // namespace hw::netbox
