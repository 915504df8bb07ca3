// SPDX-License-Identifier: GPL-3.0-or-later
// hw_fuzz READER [--seconds S] [--seed N] [--input FILE]: feeds mutated seeds to a reader, for HW_FUZZ_SECONDS or a second by default. `--list`
// prints the readers.
#include "tests/fuzz/readers.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kHangSeconds = 20;       ///< an input that takes longer is a finding
constexpr std::size_t kMostBytes = 1 << 20; ///< of an input
constexpr int kMostSteps = 6;               ///< mutations of an input

std::string g_reader, g_input; // for the signal handler

void keep(const char* why)
{
    char name[256];
    std::snprintf(name, sizeof name, "crash-%s-%d", g_reader.c_str(), int(getpid()));
    if (const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644); file >= 0) {
        [[maybe_unused]] const auto written = write(file, g_input.data(), g_input.size());
        close(file);
    }
    std::fprintf(stderr, "%s: %s; the input is in %s\n", g_reader.c_str(), why, name);
}

void onSignal(int signal)
{
    keep(signal == SIGALRM ? "hangs" : "crashes");
    _exit(1);
}

std::string read(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Changes inputs at random: the same seed gives the same inputs.
class Mutator {
public:
    Mutator(std::vector<std::string> seeds, std::uint64_t seed) : m_seeds(std::move(seeds)), m_random(seed)
    {
        for (const std::string& text : m_seeds) { // words of the seeds are what readers look for
            std::string word;
            for (const char c : text.substr(0, 50'000)) {
                if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.') {
                    word += c;
                } else {
                    if (word.size() > 1 && word.size() < 40) m_words.push_back(word);
                    word.clear();
                }
            }
        }
        std::ranges::sort(m_words);
        m_words.erase(std::unique(m_words.begin(), m_words.end()), m_words.end());
    }

    std::string next()
    {
        std::string s = m_seeds[below(m_seeds.size())];
        if (s.size() > 4096 && below(3) == 0) s = s.substr(0, below(s.size()) + 1); // cut off
        for (std::size_t steps = 1 + below(kMostSteps); steps > 0; --steps) step(s);
        s.resize(std::min(s.size(), kMostBytes));
        return s;
    }

private:
    std::size_t below(std::size_t n) { return n < 2 ? 0 : std::size_t(m_random() % n); }

    void step(std::string& s)
    {
        static constexpr std::array kNumbers = {"0",  "-1",     "1e308", "-1e308", "nan",        "inf", "18446744073709551616",
                                                "01", "999999", "1.5",   "1e-9",   "2147483648", "",    "-9223372036854775808"};
        static constexpr std::array kPieces = {"\n", "\r\n",     "\t",           "{",       "}",  "[", "]", "\"", ",", ";", ":",
                                               "\0", "\xff\xfe", "\xef\xbb\xbf", "\\u0000", "  ", "'", "#", "&",  "*"};
        const std::size_t at = below(s.size() + 1), length = below(std::min<std::size_t>(s.size() - at, 64) + 1);
        switch (below(10)) {
        case 0:
            if (!s.empty()) s[below(s.size())] ^= char(1u << below(8));
            break;
        case 1:
            if (!s.empty()) s[below(s.size())] = char(below(256));
            break;
        case 2: s.erase(at, length); break;
        case 3: s.insert(at, s.substr(below(s.size() + 1), length)); break;
        case 4: s.insert(at, kPieces[below(kPieces.size())]); break;
        case 5:
            if (!m_words.empty()) s.insert(at, m_words[below(m_words.size())]);
            break;
        case 6: { // another number
            const auto digit = [](char c) { return c >= '0' && c <= '9'; };
            const auto first = std::find_if(s.begin() + std::ptrdiff_t(at), s.end(), digit);
            const auto last = std::find_if_not(first, s.end(), digit);
            s.replace(first, last, kNumbers[below(kNumbers.size())]);
            break;
        }
        case 7: { // a piece of another seed
            const std::string& other = m_seeds[below(m_seeds.size())];
            const std::size_t from = below(other.size() + 1);
            s.insert(at, other.substr(from, below(200)));
            break;
        }
        case 8: { // lines: twice, or away
            const std::size_t begin = s.rfind('\n', at) == std::string::npos ? 0 : s.rfind('\n', at) + 1;
            const std::size_t end = std::min(s.find('\n', at), s.size());
            if (begin < end && below(2) == 0)
                s.insert(begin, s.substr(begin, end - begin) + "\n");
            else if (begin < end)
                s.erase(begin, end - begin);
            break;
        }
        default: s.resize(at); break;
        }
    }

    std::vector<std::string> m_seeds, m_words;
    std::mt19937_64 m_random;
};

/// False: a finding.
bool feed(const hw::fuzz::Reader& reader, const std::string& input, std::size_t& accepted)
{
    g_input = input;
    alarm(kHangSeconds);
    try {
        accepted += reader.read(input) ? 1 : 0;
    } catch (const std::exception& e) {
        keep((std::string("throws: ") + e.what()).c_str());
        return false;
    } catch (...) {
        keep("throws");
        return false;
    }
    alarm(0);
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    std::string name, inputFile;
    const char* asked = std::getenv("HW_FUZZ_SECONDS");
    double seconds = asked ? std::strtod(asked, nullptr) : 1;
    std::uint64_t seed = std::random_device{}();
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
        if (word == "--list") {
            for (const auto& reader : hw::fuzz::readers()) std::puts(reader.name.c_str());
            return 0;
        }
        if (word == "--seconds")
            seconds = std::strtod(value().c_str(), nullptr);
        else if (word == "--seed")
            seed = std::strtoull(value().c_str(), nullptr, 10);
        else if (word == "--input")
            inputFile = value();
        else
            name = word;
    }
    const auto& all = hw::fuzz::readers();
    const auto reader = std::ranges::find(all, name, &hw::fuzz::Reader::name);
    if (reader == all.end()) {
        std::fprintf(stderr, "usage: hw_fuzz READER [--seconds S] [--seed N] [--input FILE]; hw_fuzz --list names the readers\n");
        return 2;
    }
    g_reader = name;
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM}) std::signal(signal, onSignal);
    std::size_t runs = 0, accepted = 0;
    if (!inputFile.empty()) {
        const bool fine = feed(*reader, read(inputFile), accepted);
        std::printf("%s: %s\n", name.c_str(), !fine ? "failed" : accepted ? "accepted" : "refused");
        return fine ? 0 : 1;
    }
    std::vector<std::string> seeds;
    for (const auto& path : reader->seeds) seeds.push_back(read(path));
    if (seeds.empty()) {
        std::fprintf(stderr, "%s: no seeds\n", name.c_str());
        return 1;
    }
    for (const std::string& input : seeds) // as they are
        if (++runs, !feed(*reader, input, accepted)) return 1;
    const std::size_t good = accepted;
    Mutator mutator(seeds, seed);
    for (const auto end = Clock::now() + std::chrono::duration<double>(seconds); Clock::now() < end;)
        if (++runs, !feed(*reader, mutator.next(), accepted)) return 1;
    std::printf("%s: %zu inputs, %zu accepted, %zu of %zu seeds, seed %llu\n", name.c_str(), runs, accepted, good, seeds.size(),
                static_cast<unsigned long long>(seed));
    return good > 0 ? 0 : (std::fprintf(stderr, "%s: accepts none of its seeds\n", name.c_str()), 1);
}
