// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/telemetry/access.h"

#include <cstddef>

#include <curl/curl.h>

namespace hw::telemetry {

/// What every request has, whatever it asks: HTTP alone, no redirects, the certificates of `access`. `keep` takes the body in pieces; `error`
/// has CURL_ERROR_SIZE characters and outlives the handle. `connectS`: seconds until a connection must be there.
inline void setUpCurl(CURL* curl, const Access& access, long connectS, std::size_t (*keep)(char*, std::size_t, std::size_t, void*), char* error)
{
    const auto set = [&](CURLoption option, auto value) { curl_easy_setopt(curl, option, value); };
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_ACCEPT_ENCODING, "");
    set(CURLOPT_CONNECTTIMEOUT, connectS);
    set(CURLOPT_ERRORBUFFER, error);
    set(CURLOPT_WRITEFUNCTION, keep);
    set(CURLOPT_USERAGENT, "hallwright");
    if (!access.ca.empty()) set(CURLOPT_CAINFO, access.ca.c_str());
    if (!access.certificate.empty()) set(CURLOPT_SSLCERT, access.certificate.c_str());
    if (!access.key.empty()) set(CURLOPT_SSLKEY, access.key.c_str());
}

} // namespace hw::telemetry
