// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace hw::views {

/// What a person wants to follow. Holds a password only on its way from the dialog to the source; it is never written down here.
struct LiveRequest {
    enum class Kind { Mqtt, Prometheus, Redfish, Recording };
    Kind kind = Kind::Mqtt;
    std::string url; ///< or the recording's file
    std::string user, password;
    std::filesystem::path credentials;             ///< file with users and passwords by address; empty: the usual places
    std::filesystem::path ca, certificate, key;    ///< PEM; empty: the system's, none
    std::vector<std::filesystem::path> mappings{}; ///< what to ask or subscribe to; none: the shipped ones of the kind
    double intervalS = 10;                         ///< between questions to Prometheus and Redfish
    bool keep = true;                              ///< a history beside the project
    int rawDays = 0, stepDays = 0;                 ///< how long samples and means of minutes are kept; 0: as the project says
    std::filesystem::path record;                  ///< everything is also written there; empty: it is not
    double speed = 1;                              ///< of a recording; 0: as fast as it goes
    std::string scenario;                          ///< that its links are held against: a shipped one's name, or a file; empty: none
    friend bool operator==(const LiveRequest&, const LiveRequest&) = default;
};

/// By the scheme: mqtt, mqtts; http(s) is Prometheus; a file that is there is a recording.
[[nodiscard]] LiveRequest::Kind kindOfUrl(const std::string& url);
[[nodiscard]] std::string kindWord(LiveRequest::Kind kind); ///< "mqtt", "prometheus", "redfish"

/// Errors: Refused, with the field as place: an address that is none or of another kind, a password in it, a file that is not there, a
/// certificate without its key, times that cannot be.
[[nodiscard]] Result<void> checked(const LiveRequest& request);

} // namespace hw::views
