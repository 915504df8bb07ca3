// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/http_reader.h"

#include "core/foundation/base/fence.h"
#include "importers/telemetry/curl_setup.h"

#include <mutex>

#include <curl/curl.h>

namespace hw::telemetry {

namespace {

/// What came of an answer so far.
struct Received {
    std::string body;
    std::size_t largest = 0;
    bool cut = false;
};

std::size_t keep(char* data, std::size_t, std::size_t size, void* to)
{
    auto& received = *static_cast<Received*>(to);
    received.cut = received.body.size() + size > received.largest;
    if (received.cut) return 0;                                           // ends the transfer
    return faultIn([&] { received.body.append(data, size); }) ? 0 : size; // a library without exceptions calls
}

bool aboutTrust(CURLcode code)
{
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_CACERT_BADFILE ||
           code == CURLE_SSL_ISSUER_ERROR;
}

} // namespace

struct HttpReader::State {
    CURL* curl = nullptr;
    CURLM* multi = nullptr; ///< to wait with an eye on stop requests
    curl_slist* headers = nullptr;
    std::string base;
    char error[CURL_ERROR_SIZE] = {};

    CURLcode perform(const std::stop_token& stop) const
    {
        CURLcode result = CURLE_ABORTED_BY_CALLBACK;
        curl_multi_add_handle(multi, curl);
        for (int running = 1; running > 0 && !stop.stop_requested();) {
            if (curl_multi_perform(multi, &running) != CURLM_OK) break;
            if (running > 0) curl_multi_poll(multi, nullptr, 0, 100, nullptr);
        }
        int left = 0;
        while (const CURLMsg* message = curl_multi_info_read(multi, &left))
            if (message->msg == CURLMSG_DONE) result = message->data.result;
        curl_multi_remove_handle(multi, curl);
        return result;
    }
};

HttpReader::HttpReader(std::string base, Access access, const std::string& token) : m_state(std::make_unique<State>())
{
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    State& s = *m_state;
    s.base = std::move(base);
    s.curl = curl_easy_init();
    s.multi = curl_multi_init();
    const auto set = [&](CURLoption option, auto value) { curl_easy_setopt(s.curl, option, value); };
    set(CURLOPT_HTTPGET, 1L);
    setUpCurl(s.curl, access, 5, keep, s.error);
    if (!access.token.empty()) {
        s.headers = curl_slist_append(s.headers, (token + access.token).c_str());
        set(CURLOPT_HTTPHEADER, s.headers);
    } else if (!access.user.empty()) {
        set(CURLOPT_HTTPAUTH, long(CURLAUTH_BASIC));
        set(CURLOPT_USERNAME, access.user.c_str());
        set(CURLOPT_PASSWORD, access.password.c_str());
    }
}

HttpReader::~HttpReader()
{
    curl_easy_cleanup(m_state->curl);
    curl_multi_cleanup(m_state->multi);
    curl_slist_free_all(m_state->headers);
}

const std::string& HttpReader::server() const { return m_state->base; }

HttpAnswer HttpReader::get(const std::string& path, const std::stop_token& stop, std::chrono::seconds limit, std::size_t largest)
{
    return ask(path, stop, limit, largest);
}

HttpAnswer HttpReader::greet(const std::stop_token& stop)
{
    curl_easy_setopt(m_state->curl, CURLOPT_CONNECT_ONLY, 1L);
    auto answer = ask("/", stop, std::chrono::seconds(5), kLargestAnswer);
    curl_easy_setopt(m_state->curl, CURLOPT_CONNECT_ONLY, 0L);
    return answer;
}

HttpAnswer HttpReader::ask(const std::string& path, const std::stop_token& stop, std::chrono::seconds limit, std::size_t largest)
{
    State& s = *m_state;
    HttpAnswer answer;
    Received received{{}, largest, false};
    s.error[0] = 0;
    const std::string url = s.base + path;
    curl_easy_setopt(s.curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(s.curl, CURLOPT_TIMEOUT, long(limit.count()));
    curl_easy_setopt(s.curl, CURLOPT_WRITEDATA, &received);
    const CURLcode code = s.perform(stop);
    if (code == CURLE_OK) {
        long status = 0;
        curl_easy_getinfo(s.curl, CURLINFO_RESPONSE_CODE, &status);
        answer.status = int(status);
        answer.body = std::move(received.body);
        return answer;
    }
    if (received.cut) {
        answer.why = i18n("response is larger than {} MiB and was truncated", largest >> 20);
        return answer;
    }
    answer.distrusted = aboutTrust(code);
    answer.why = verbatim(s.error[0] ? s.error : curl_easy_strerror(code));
    return answer;
}

std::string HttpReader::escaped(const std::string& text)
{
    char* const out = curl_easy_escape(nullptr, text.data(), int(text.size()));
    std::string kept = out ? out : "";
    curl_free(out);
    return kept;
}

} // namespace hw::telemetry
