// Keeps a game server on a Muster list: copy this file into your game. Needs C++17, libcurl and nlohmann/json.
//
//   Announcer server({url, credential, port, {max_players}});
//   server.on("rejected", [](const std::string& text) { log(text); });
//   server.start();                                            // once players can join
//   server.update([](auto& state) { state.players = 12; });    // whenever it changes, from any thread
//   server.stop();                                             // before the game ends
//   std::string answer = server.answer_probe(datagram);        // of your UDP socket: send it back, unless it is empty
//
// It installs no signal handlers. Nothing throws into the game. Listeners run in the announcer's thread.
#pragma once
#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include <curl/curl.h>
#include <nlohmann/json.hpp>
#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#include <csignal>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

class Announcer {
 public:
  struct State {
    int max_players, players = 0, queue = 0;
    bool passworded = false;
    std::string version = "1.0", branch = "release", game_mode = "";
  };
  struct Settings {
    std::string url, credential;
    int port;
    State state;
    bool answers_probes = true;  // false if the game uses TCP on its port, too
    std::string host = "";       // the name or IP address that players connect to, if it is not the machine's own
    std::string probe = "";      // how the list can probe the server: tcp, udp or none
    std::vector<int> families = {};  // 4, 6 or both: announces over each of them
  };
  using Listener = std::function<void(const std::string& text)>;

  explicit Announcer(Settings settings) : settings_(std::move(settings)), state_(settings_.state) {
    static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    static_cast<void>(ready);
    strip(settings_.url, {" ", "\n", "/", "/announce"});  // a pasted path
    strip(settings_.credential, {" ", "\n"});
    if (settings_.families.empty()) settings_.families = {0};  // what the system chooses
  }
  Announcer(const Announcer&) = delete;
  ~Announcer() { stop(); }

  // Events: listed, unlisted, notice, rejected, offline, stopped. Those without a listener are printed.
  void on(const std::string& event, Listener listener) {
    const std::lock_guard lock(mutex_);
    listeners_[event] = std::move(listener);
  }

  void start() {
    const std::lock_guard one_at_a_time(thread_mutex_);
    if (thread_.joinable()) return;
    set_stopping(false);
    thread_ = std::thread([this] { run(); });
  }

  // The change must not call the announcer.
  void update(const std::function<void(State&)>& change) {
    const std::lock_guard lock(mutex_);
    change(state_);
    ++changes_;
    wake_.notify_all();
  }

  // Takes the server off the list. Takes at most eight seconds.
  void stop() {
    if (current_ == this) return set_stopping(true);  // in a listener: for good
    const std::lock_guard one_at_a_time(thread_mutex_);
    set_stopping(true);
    if (thread_.joinable()) thread_.join();
  }

  // The answer to a UDP probe of the list, to send back from the game's socket. Empty for other datagrams.
  std::string answer_probe(const std::string& datagram) const {
    const std::string prefix = "MUSTER1 ";
    if (datagram.size() != 64 || datagram.compare(0, prefix.size(), prefix) != 0) return "";
    return prefix + hmac(sha256(settings_.credential), datagram.substr(prefix.size(), 32) + endpoint());
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  struct Reply { long status = 0; curl_off_t retry_after = 0; std::string body; };

  static void strip(std::string& text, const std::vector<std::string>& ends) {
    for (bool found = true; found;) {
      found = false;
      for (const auto& end : ends)
        if ((found = text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0)) {
          text.erase(text.size() - end.size());
          break;
        }
    }
  }

  void set_stopping(bool stopping) {
    const std::lock_guard lock(mutex_);
    stopping_ = stopping;
    wake_.notify_all();
  }

  // Announces over each family in a thread of its own, until the server stops.
  void run() {
    current_ = this;
#ifndef _WIN32
    sigset_t all;  // the game's own threads handle its signals
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
#endif
    std::vector<std::thread> loops;
    for (const int family : settings_.families) loops.emplace_back([this, family] { keep_listed(family); });
    for (auto& loop : loops) loop.join();
    emit("stopped", "The server leaves the list.");
    for (const int family : settings_.families) {
      try {
        call(family, "DELETE", 3, nlohmann::json{{"port", settings_.port}}.dump());
        break;
      } catch (const std::exception&) {}  // it stops anyway
    }
    if (probes_.joinable()) probes_.join();
  }

  void keep_listed(int family) {
    current_ = this;
    std::mt19937 random{std::random_device{}()};
    double backoff = 2;
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      const std::string body = body_of(state_);
      const int changes = changes_;
      lock.unlock();
      double seconds = 30;
      bool accepted = false;
      try {
        accepted = announce(family, body, seconds);
        backoff = 2;
      } catch (const std::exception& error) {  // a broken connection or an unusable reply: the list may be restarting
        backoff = std::min(30.0, backoff * 2);
        seconds = std::uniform_real_distribution(backoff / 2, backoff)(random);
        emit("offline", std::string("No usable reply: ") + error.what(), family);
      }
      lock.lock();
      if (accepted && answers_over_tcp() && !probes_.joinable()) probes_ = std::thread([this] { answer_probes(); });
      const auto due = Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(std::clamp(seconds, 1.0, 3600.0)));
      // A change is announced at once after an accepted announce, but not within four seconds of it, or eight with both families.
      const auto gap = std::chrono::seconds(4 * settings_.families.size());
      wake_.wait_until(lock, accepted ? std::min(due, Clock::now() + gap) : due, [this] { return stopping_; });
      if (accepted) wake_.wait_until(lock, due, [&] { return stopping_ || changes_ != changes; });
    }
  }

  bool answers_over_tcp() const { return settings_.answers_probes && (settings_.probe.empty() || settings_.probe == "tcp"); }

  std::string body_of(const State& state) const {
    nlohmann::json body{{"port", settings_.port}, {"maxPlayersCount", state.max_players}, {"playersCount", state.players},
                        {"queueCount", state.queue}, {"passworded", state.passworded}, {"version", state.version},
                        {"branch", state.branch}, {"gameMode", state.game_mode}};
    if (!settings_.host.empty()) body["host"] = settings_.host;
    if (!settings_.probe.empty()) body["probe"] = settings_.probe;
    return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  // Returns whether the list accepted the announce. Throws without a usable reply.
  bool announce(int family, const std::string& body, double& seconds) {
    const Reply reply = call(family, "POST", 5, body);
    if (reply.status != 200) {  // never give up: the owner can remove the cause in the panel
      if (reply.retry_after > 0) seconds = static_cast<double>(reply.retry_after);
      emit("rejected", "Rejected with " + std::to_string(reply.status) + ": " + reply.body, family);
      return false;
    }
    const auto accepted = nlohmann::json::parse(reply.body);
    const double next = accepted.at("nextAnnounceSeconds").get<double>();
    if (next <= 3600) seconds = next;  // more than an hour is a mistake
    const std::string id = accepted.value("publicId", "");
    {
      const std::lock_guard lock(mutex_);
      public_id_ = id;
    }
    const bool listed = accepted.value("listed", false);
    emit(listed ? "listed" : "unlisted", listed ? "The server is on the list as " + id + "." : "Players do not see the server.", family);
    std::string notices;
    for (const auto& notice : accepted.value("notices", nlohmann::json::array())) notices += notice.at("message").get<std::string>() + "\n";
    emit("notice", notices.substr(0, notices.find_last_not_of('\n') + 1), family);
    return true;
  }

  Reply call(int family, const char* method, long timeout_seconds, const std::string& body) const {
    Reply reply;
    const std::string url = settings_.url + "/announce", bearer = "Authorization: Bearer " + settings_.credential;
    curl_slist* headers = curl_slist_append(curl_slist_append(nullptr, bearer.c_str()), "Content-Type: application/json");
    CURL* curl = curl_easy_init();
    if (curl == nullptr) throw std::runtime_error("out of memory");
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_IPRESOLVE, long{family == 4 ? CURL_IPRESOLVE_V4 : family == 6 ? CURL_IPRESOLVE_V6 : CURL_IPRESOLVE_WHATEVER});
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &append);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply.body);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, timeout_seconds);
    const CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &reply.retry_after);
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    return code == CURLE_OK ? reply : throw std::runtime_error(curl_easy_strerror(code));
  }

  static size_t append(char* data, size_t, size_t size, std::string* text) { text->append(data, size); return size; }

  // Passes a text on, unless it is empty or the same as before over this family.
  void emit(const std::string& event, std::string text, int family = 0) {
    if (family != 0 && !text.empty()) text = "IPv" + std::to_string(family) + ": " + text;
    Listener listener;
    {
      const std::lock_guard lock(mutex_);
      // What the list says replaces what it said before; notices stand beside it.
      std::string& previous = previous_[{event == "notice", family}];
      if (std::exchange(previous, text) == text || text.empty()) return;
      const auto found = listeners_.find(event);
      if (found != listeners_.end()) listener = found->second;
    }
    try {
      listener ? listener(text) : static_cast<void>(std::cout << "muster: " << text << std::endl);
    } catch (...) {}  // a listener that fails stops nothing
  }

  // The endpoint as the answer to a UDP probe signs it: a name in lower case without a trailing dot, IPv6 in brackets in its shortest form.
  std::string endpoint() const {
    std::string host = settings_.host;
    strip(host, {"."});
    std::transform(host.begin(), host.end(), host.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    in6_addr address;
    char text[INET6_ADDRSTRLEN];
    if (inet_pton(AF_INET6, host.c_str(), &address) == 1) host = std::string("[") + inet_ntop(AF_INET6, &address, text, sizeof text) + "]";
    return host + ":" + std::to_string(settings_.port);
  }

  // HMAC-SHA256 (RFC 2104), with a key of at most 64 bytes.
  static std::string hmac(std::string key, const std::string& text) {
    key.resize(64);
    std::string inner = key, outer = key;
    for (char& byte : inner) byte ^= 0x36;
    for (char& byte : outer) byte ^= 0x5c;
    return sha256(outer + sha256(inner + text));
  }

  // SHA-256 (FIPS 180-4).
  static std::string sha256(std::string text) {
    static constexpr std::uint32_t constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
        0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
        0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
        0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
        0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
        0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    std::array<std::uint32_t, 8> hash{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const auto rotate = [](std::uint32_t word, int bits) { return word >> bits | word << (32 - bits); };
    const std::uint64_t bits = std::uint64_t{text.size()} * 8;
    text += '\x80';
    while (text.size() % 64 != 56) text += '\0';
    for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift);
    for (std::size_t block = 0; block < text.size(); block += 64) {
      std::uint32_t words[64];
      for (std::size_t i = 0; i < 64; ++i) {
        if (i < 16) {
          words[i] = 0;
          for (std::size_t byte = 0; byte < 4; ++byte) words[i] = words[i] << 8 | static_cast<unsigned char>(text[block + i * 4 + byte]);
          continue;
        }
        const std::uint32_t a = words[i - 15], b = words[i - 2];
        const std::uint32_t low = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3, high = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10;
        words[i] = words[i - 16] + low + words[i - 7] + high;
      }
      auto [a, b, c, d, e, f, g, h] = hash;
      for (int i = 0; i < 64; ++i) {
        const std::uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + words[i];
        const std::uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
      }
      const std::uint32_t results[8] = {a, b, c, d, e, f, g, h};
      for (std::size_t i = 0; i < 8; ++i) hash[i] += results[i];
    }
    std::string bytes;
    for (const std::uint32_t word : hash)
      for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift);
    return bytes;
  }

  // Answers the reachability check on TCP at the port, with the token after the last slash.
  void answer_probes() {
#ifdef _WIN32
    using Socket = SOCKET;
    const auto close = [](Socket socket) { closesocket(socket); };
    const auto poll = [](pollfd* socket, int, int milliseconds) { return WSAPoll(socket, 1, milliseconds); };
    const DWORD patience = 1000;
#else
    using Socket = int;
    const timeval patience{1, 0};
#endif
    Socket listener{};
    bool listens = false;
    for (const int family : {AF_INET6, AF_INET}) {
      const addrinfo hints{AI_PASSIVE, family, SOCK_STREAM, 0, 0, nullptr, nullptr, nullptr};
      addrinfo* address = nullptr;
      if (listens || getaddrinfo(nullptr, std::to_string(settings_.port).c_str(), &hints, &address) != 0) continue;
      listener = socket(family, SOCK_STREAM, 0);
      const int off = 0, on = 1;
      if (family == AF_INET6) setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, reinterpret_cast<const char*>(&off), sizeof off);
#ifndef _WIN32
      setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
#endif
      static_cast<void>(on);
      listens = bind(listener, address->ai_addr, static_cast<socklen_t>(address->ai_addrlen)) == 0 && listen(listener, 16) == 0;
      if (!listens) close(listener);
      freeaddrinfo(address);
    }
    if (!listens) return emit("notice", "The reachability check is not answered: the TCP port cannot be opened.");
    for (std::unique_lock lock(mutex_); !stopping_;) {
      const std::string prefix = "GET /.well-known/muster/" + public_id_ + ".";
      lock.unlock();
      pollfd waiting{listener, POLLIN, 0};
      if (poll(&waiting, 1, 200) > 0) {
        const Socket client = accept(listener, nullptr, nullptr);
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, reinterpret_cast<const char*>(&patience), sizeof patience);
        char buffer[1024];
        std::string request;
        const auto deadline = Clock::now() + std::chrono::seconds(2);
        while (request.find("\r\n\r\n") == std::string::npos && request.size() < 4096 && Clock::now() < deadline) {
          const auto size = recv(client, buffer, sizeof buffer, 0);
          if (size <= 0) break;
          request.append(buffer, static_cast<size_t>(size));
        }
        const bool is_probe = request.compare(0, prefix.size(), prefix) == 0;
        const std::string token = is_probe ? request.substr(24, request.find(' ', 24) - 24) : "";
        const std::string answer = std::string(is_probe ? "HTTP/1.1 200 OK" : "HTTP/1.1 404 Not Found") +
                                   "\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: " + std::to_string(token.size()) +
                                   "\r\n\r\n" + token;
        send(client, answer.data(), answer.size(), 0);
        close(client);
      }
      lock.lock();
    }
    close(listener);
  }

  Settings settings_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  State state_;
  bool stopping_ = false;
  int changes_ = 0;
  std::map<std::string, Listener> listeners_;
  std::string public_id_;
  std::map<std::pair<bool, int>, std::string> previous_;  // texts, by whether they are notices, and by family
  std::thread probes_;
  std::mutex thread_mutex_;
  std::thread thread_;
  static inline thread_local const Announcer* current_ = nullptr;
};
