// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <string>

/// A port on this machine that nobody listens on.
[[nodiscard]] std::uint16_t freePort();
/// Whether somebody listens there.
[[nodiscard]] bool listens(std::uint16_t port);
void writeText(const std::filesystem::path& file, const std::string& text);
[[nodiscard]] std::string textOf(const std::filesystem::path& file);

/// A real server that a test starts and ends. Fails the test's start loudly where it is not installed.
class ServerProcess {
public:
    ~ServerProcess() { stop(); }
    /// True: it runs and listens on the port.
    bool start(const QString& program, const QStringList& arguments, std::uint16_t port);
    void stop();  ///< asks it to end, and waits
    void abort(); ///< kills it
    [[nodiscard]] QByteArray said();

private:
    QProcess m_process;
};

/// Certificates in a folder, made by openssl: ca.pem, server.pem/.key (localhost, 127.0.0.1), expired.pem (key as server's), client.pem/.key,
/// other-ca.pem.
bool makeCertificates(const std::filesystem::path& folder);

/// Publishes over a socket of its own, without any library: MQTT 3.1.1, QoS 0.
class MqttPublisher {
public:
    explicit MqttPublisher(std::uint16_t port);
    ~MqttPublisher();
    MqttPublisher(const MqttPublisher&) = delete;
    MqttPublisher& operator=(const MqttPublisher&) = delete;
    void publish(const std::string& topic, const std::string& payload, bool retained = false);
    void flush(); ///< hands over all that was published

private:
    int m_socket = -1;
    std::string m_out;
};
