// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/telemetry/server_process.h"

#include <QTest>
#include <arpa/inet.h>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>

namespace {

sockaddr_in local(std::uint16_t port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

bool run(const std::filesystem::path& folder, const QStringList& arguments)
{
    QProcess process;
    process.setWorkingDirectory(QString::fromStdString(folder.string()));
    process.start("openssl", arguments);
    const bool done = process.waitForFinished(20'000) && process.exitCode() == 0;
    if (!done) qWarning() << "openssl" << arguments << process.readAllStandardError();
    return done;
}

std::string field(const std::string& text) { return std::string{char(text.size() >> 8), char(text.size() & 255)} + text; }

std::string packet(char kind, const std::string& body)
{
    std::string out(1, kind);
    std::size_t left = body.size();
    do {
        out += char(left > 127 ? (left & 127) | 128 : left);
        left >>= 7;
    } while (left > 0);
    return out + body;
}

} // namespace

std::uint16_t freePort()
{
    const int handle = socket(AF_INET, SOCK_STREAM, 0);
    auto address = local(0);
    socklen_t length = sizeof address;
    if (bind(handle, reinterpret_cast<sockaddr*>(&address), length) == 0) getsockname(handle, reinterpret_cast<sockaddr*>(&address), &length);
    close(handle);
    return ntohs(address.sin_port);
}

bool listens(std::uint16_t port)
{
    const int handle = socket(AF_INET, SOCK_STREAM, 0);
    const auto address = local(port);
    const bool yes = connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(handle);
    return yes;
}

void writeText(const std::filesystem::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

std::string textOf(const std::filesystem::path& file)
{
    std::ostringstream out;
    out << std::ifstream(file, std::ios::binary).rdbuf();
    return out.str();
}

bool ServerProcess::start(const QString& program, const QStringList& arguments, std::uint16_t port)
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.start(program, arguments);
    if (!m_process.waitForStarted(5000)) {
        qWarning() << program << "cannot be started; it is one of installer/packages.txt";
        return false;
    }
    for (int i = 0; i < 1000 && m_process.state() == QProcess::Running; ++i) {
        if (listens(port)) return true;
        QTest::qWait(10);
    }
    qWarning() << program << "does not listen:" << m_process.readAll();
    return false;
}

void ServerProcess::stop()
{
    if (m_process.state() == QProcess::NotRunning) return;
    m_process.terminate();
    if (!m_process.waitForFinished(10'000)) abort();
}

void ServerProcess::abort()
{
    m_process.kill();
    m_process.waitForFinished(10'000);
}

QByteArray ServerProcess::said()
{
    QTest::qWait(50);
    return m_process.readAll();
}

bool makeCertificates(const std::filesystem::path& folder)
{
    const auto authority = [&](const char* name) {
        return run(folder, {"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                            QString("%1.key").arg(name), "-out", QString("%1.pem").arg(name), "-days", "30", "-subj", QString("/CN=%1").arg(name)});
    };
    const auto request = [&](const char* name, const char* subject) {
        return run(folder, {"req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", QString("%1.key").arg(name),
                            "-out", QString("%1.csr").arg(name), "-subj", subject});
    };
    const auto sign = [&](const char* csr, const char* out, const char* days) {
        return run(folder, {"x509", "-req", "-in", csr, "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", days, "-extfile", "names",
                            "-out", out});
    };
    writeText(folder / "names", "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
    return authority("ca") && authority("other-ca") && request("server", "/CN=localhost") && request("client", "/CN=hall") &&
           sign("server.csr", "server.pem", "30") && sign("server.csr", "expired.pem", "-1") && sign("client.csr", "client.pem", "30");
}

static int publishers = 0; // a name that comes again would end the session that had it

MqttPublisher::MqttPublisher(std::uint16_t port) : m_socket(socket(AF_INET, SOCK_STREAM, 0))
{
    const auto address = local(port);
    if (connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) qFatal("no broker to publish to");
    m_out = packet(0x10, field("MQTT") + std::string("\x04\x02\x00\x00", 4) +
                             field("publisher" + std::to_string(::getpid()) + '-' + std::to_string(++publishers)));
    flush();
    char answer[4];
    if (recv(m_socket, answer, sizeof answer, MSG_WAITALL) != 4 || answer[3] != 0) qFatal("the broker refuses the publisher");
}

MqttPublisher::~MqttPublisher()
{
    m_out += packet(char(0xE0), {});
    flush();
    char none = 0;
    (void)recv(m_socket, &none, 1, 0); // the broker hangs up when it has read all
    close(m_socket);
}

void MqttPublisher::publish(const std::string& topic, const std::string& payload, bool retained)
{
    m_out += packet(retained ? 0x31 : 0x30, field(topic) + payload);
    if (m_out.size() > 100'000) flush();
}

void MqttPublisher::flush()
{
    for (std::size_t at = 0; at < m_out.size();) {
        const auto sent = send(m_socket, m_out.data() + at, m_out.size() - at, MSG_NOSIGNAL);
        if (sent <= 0) qFatal("the broker hung up on the publisher");
        at += std::size_t(sent);
    }
    m_out.clear();
}
