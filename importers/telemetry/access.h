// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace hw::telemetry {

/// Who asks, and whom it trusts. Never part of a URL, a project or a recording.
struct Access {
    std::string user, password, token;      ///< token: sent as "Bearer" over HTTP, to Redfish as that of a session
    std::filesystem::path ca;               ///< certificates that servers are checked against, PEM; empty: those of the system
    std::filesystem::path certificate, key; ///< of ours, PEM
    friend bool operator==(const Access&, const Access&) = default;
};

/// Looks an address ("mqtts://broker:8883") up in the desktop's keychain; nothing: it is not there, or there is no keychain.
using Keychain = std::function<std::optional<Access>(const std::string& address)>;

/// A token that a person typed, for requests to one address as long as this lives: in memory alone.
class TypedToken {
public:
    /// `kind` and `url` as for `accessOf`; an empty token or a URL that is none: nothing.
    TypedToken(const std::string& url, const std::string& kind, const std::string& token);
    ~TypedToken();
    TypedToken(const TypedToken&) = delete;
    TypedToken& operator=(const TypedToken&) = delete;

private:
    std::uint64_t m_number = 0; ///< 0: none
};

/// The access to a URL. Each part is taken from the first that has it:
///   typed         a TypedToken
///   environment   HALLWRIGHT_MQTT_USER, _PASSWORD, _TOKEN, _CA, _CERTIFICATE, _KEY; likewise HALLWRIGHT_PROMETHEUS_…, HALLWRIGHT_REDFISH_…
///   file          `file`, else $HALLWRIGHT_CREDENTIALS, else ~/.config/hallwright/credentials.yaml: a map of addresses (scheme://host:port)
///                 with the keys user, password, token, ca, certificate, key
///   keychain      where one is given
/// `kind` is "mqtt", "prometheus", "redfish" or "netbox". Errors: Unreadable (the file, or others than its owner can read it), Usage (a URL that is
/// none, or that holds a password).
[[nodiscard]] Result<Access> accessOf(const std::string& url, const std::string& kind, const std::filesystem::path& file = {},
                                      const Keychain& keychain = {});

/// The parts of a URL.
struct Url {
    std::string scheme, host, path;            ///< path: "" or "/…" without a slash at its end
    std::uint16_t port = 0;                    ///< that of the scheme where none is stated
    [[nodiscard]] std::string address() const; ///< scheme://host:port
    [[nodiscard]] std::string text() const;    ///< address and path
};
/// Errors: Usage: no scheme or host, a user or password in it, a query.
[[nodiscard]] Result<Url> parseUrl(const std::string& url);

} // namespace hw::telemetry
