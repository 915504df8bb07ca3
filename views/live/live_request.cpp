// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/live_request.h"

#include <QUrl>

#include <system_error>

namespace hw::views {

namespace {

using Kind = LiveRequest::Kind;

Result<void> refused(std::string where, Text what, Text todo) { return fail(ErrorCode::Refused, std::move(where), std::move(what), std::move(todo)); }

bool isFile(const std::filesystem::path& path)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

Result<void> checkedUrl(const LiveRequest& request)
{
    const QUrl url(QString::fromStdString(request.url), QUrl::StrictMode);
    const QString scheme = url.scheme().toLower();
    const bool mqtt = request.kind == Kind::Mqtt;
    const Text like = mqtt ? i18n("use mqtt://broker:1883 or mqtts://broker:8883") : i18n("use https://server:9090");
    if (request.url.empty()) return refused("URL", i18n("missing"), like);
    if (!url.isValid() || url.host().isEmpty()) return refused("URL", i18n("“{}” is not a valid address", request.url), like);
    if (mqtt ? scheme != "mqtt" && scheme != "mqtts" : scheme != "http" && scheme != "https")
        return refused("URL", i18n("“{}” is not a valid scheme for this type of source", scheme.toStdString()), like);
    if (!url.userInfo().isEmpty()) return refused("URL", i18n("the address contains a user or password"), i18n("enter them in their own fields"));
    if (url.hasQuery() || url.hasFragment()) return refused("URL", i18n("“{}” contains more than host, port and path", request.url), like);
    if (!request.user.empty() && !request.password.empty() && !request.credentials.empty())
        return refused("Credentials", i18n("both a password and a credentials file are given"), i18n("omit one of them"));
    if (request.user.empty() && !request.password.empty()) return refused("User", i18n("a password without a user"), i18n("specify the user"));
    return {};
}

Result<void> checkedFiles(const LiveRequest& request)
{
    for (const auto& [where, file] :
         {std::pair("CA", &request.ca), {"Certificate", &request.certificate}, {"Key", &request.key}, {"Credentials", &request.credentials}})
        if (!file->empty() && !isFile(*file)) return refused(where, i18n("{} is not a file", file->string()), i18n("choose an existing file"));
    for (const auto& file : request.mappings)
        if (!isFile(file)) return refused("Mapping", i18n("{} is not a file", file.string()), i18n("choose an existing file"));
    if (request.certificate.empty() != request.key.empty())
        return refused(request.key.empty() ? "Key" : "Certificate", i18n("a certificate and its key must be given together"),
                       i18n("specify both, or neither"));
    if (request.record.empty()) return {};
    const auto folder = std::filesystem::absolute(request.record).parent_path();
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
        return refused("Record", i18n("{} is not a folder", folder.string()), i18n("create it first"));
    if (std::filesystem::is_directory(request.record, ignored))
        return refused("Record", i18n("{} is a folder", request.record.string()), i18n("specify a file in it"));
    return {};
}

} // namespace

Kind kindOfUrl(const std::string& url)
{
    if (isFile(url)) return Kind::Recording;
    return url.starts_with("mqtt") ? Kind::Mqtt : Kind::Prometheus;
}

std::string kindWord(Kind kind)
{
    switch (kind) {
    case Kind::Mqtt: return "mqtt";
    case Kind::Prometheus: return "prometheus";
    case Kind::Redfish: return "redfish";
    case Kind::Recording: return "recording";
    }
    return {};
}

Result<void> checked(const LiveRequest& request)
{
    if (request.kind == Kind::Recording) {
        if (!isFile(request.url)) return refused("Recording", i18n("{} is not a file", request.url), i18n("choose a recording"));
        if (!(request.speed >= 0))
            return refused("Speed", i18n("{} is not a valid speed", request.speed), i18n("1 = real time, 0 = as fast as possible"));
        return checkedFiles(request);
    }
    if (const auto url = checkedUrl(request); !url) return url;
    if (const auto files = checkedFiles(request); !files) return files;
    if (request.kind != Kind::Mqtt && !(request.intervalS >= 1 && request.intervalS <= 3600))
        return refused("Interval", i18n("{} s is not a valid interval", request.intervalS), i18n("use 1 s to 3,600 s"));
    if (request.keep && (request.rawDays < 0 || request.stepDays < request.rawDays))
        return refused("History", i18n("samples are kept longer than one-minute averages, or for less than a day"),
                       i18n("averages must be kept at least as long"));
    return {};
}

} // namespace hw::views
