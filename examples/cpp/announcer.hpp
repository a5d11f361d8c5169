// Keeps a game server on a Muster list: copy this file into your game. Needs C++17, libcurl and nlohmann/json.
//
//   Announcer server({url, credential, port, {max_players}});
//   server.on("rejected", [](const std::string& text) { log(text); });
//   server.start();                                            // once players can join
//   server.update([](auto& state) { state.players = 12; });    // whenever it changes, from any thread
//   server.stop();                                             // before the game ends
//
// It installs no signal handlers. Nothing throws into the game. Listeners run in the announcer's thread.
#pragma once
#include <algorithm>
#include <chrono>
#include <condition_variable>
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
  };
  using Listener = std::function<void(const std::string& text)>;

  explicit Announcer(Settings settings) : settings_(std::move(settings)), state_(settings_.state) {
    static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    static_cast<void>(ready);
    strip(settings_.url, {" ", "\n", "/", "/announce"});  // a pasted path
    strip(settings_.credential, {" ", "\n"});
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
    thread_ = std::thread([this] { keep_listed(); });
  }

  // The change must not call the announcer.
  void update(const std::function<void(State&)>& change) {
    const std::lock_guard lock(mutex_);
    change(state_);
    changed_ = true;
    wake_.notify_all();
  }

  // Takes the server off the list. Takes at most eight seconds.
  void stop() {
    if (current_ == this) return set_stopping(true);  // in a listener: for good
    const std::lock_guard one_at_a_time(thread_mutex_);
    set_stopping(true);
    if (thread_.joinable()) thread_.join();
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

  void keep_listed() {
    current_ = this;
#ifndef _WIN32
    sigset_t all;  // the game's own threads handle its signals
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
#endif
    std::thread probes;
    std::mt19937 random{std::random_device{}()};
    double backoff = 2;
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      const std::string body = body_of(state_);
      changed_ = false;
      lock.unlock();
      double seconds = 30;
      bool accepted = false;
      try {
        accepted = announce(body, seconds);
        backoff = 2;
      } catch (const std::exception& error) {  // a broken connection or an unusable reply: the list may be restarting
        backoff = std::min(30.0, backoff * 2);
        seconds = std::uniform_real_distribution(backoff / 2, backoff)(random);
        emit("offline", std::string("No usable reply: ") + error.what());
      }
      if (accepted && settings_.answers_probes && !probes.joinable()) probes = std::thread([this] { answer_probes(); });
      lock.lock();
      const auto due = Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(std::clamp(seconds, 1.0, 3600.0)));
      // A change is announced at once after an accepted announce, but not within four seconds of it.
      wake_.wait_until(lock, accepted ? std::min(due, Clock::now() + std::chrono::seconds(4)) : due, [this] { return stopping_; });
      if (accepted) wake_.wait_until(lock, due, [this] { return stopping_ || changed_; });
    }
    lock.unlock();
    emit("stopped", "The server leaves the list.");
    try { call("DELETE", 3, nlohmann::json{{"port", settings_.port}}.dump()); } catch (const std::exception&) {}  // it stops anyway
    if (probes.joinable()) probes.join();
  }

  std::string body_of(const State& state) const {
    return nlohmann::json{{"port", settings_.port}, {"maxPlayersCount", state.max_players}, {"playersCount", state.players},
                          {"queueCount", state.queue}, {"passworded", state.passworded}, {"version", state.version},
                          {"branch", state.branch}, {"gameMode", state.game_mode}}
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  // Returns whether the list accepted the announce. Throws without a usable reply.
  bool announce(const std::string& body, double& seconds) {
    const Reply reply = call("POST", 5, body);
    if (reply.status != 200) {  // never give up: the owner can remove the cause in the panel
      if (reply.retry_after > 0) seconds = static_cast<double>(reply.retry_after);
      emit("rejected", "Rejected with " + std::to_string(reply.status) + ": " + reply.body);
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
    emit(listed ? "listed" : "unlisted", listed ? "The server is on the list as " + id + "." : "Players do not see the server.");
    std::string notices;
    for (const auto& notice : accepted.value("notices", nlohmann::json::array())) notices += notice.at("message").get<std::string>() + "\n";
    emit("notice", notices.substr(0, notices.find_last_not_of('\n') + 1));
    return true;
  }

  Reply call(const char* method, long timeout_seconds, const std::string& body) const {
    Reply reply;
    const std::string url = settings_.url + "/announce", bearer = "Authorization: Bearer " + settings_.credential;
    curl_slist* headers = curl_slist_append(curl_slist_append(nullptr, bearer.c_str()), "Content-Type: application/json");
    CURL* curl = curl_easy_init();
    if (curl == nullptr) throw std::runtime_error("out of memory");
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
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

  // Passes a text on, unless it is empty or the same as before.
  void emit(const std::string& event, const std::string& text) {
    Listener listener;
    {
      const std::lock_guard lock(mutex_);
      // What the list says replaces what it said before; notices stand beside it.
      std::string& previous = event == "notice" ? last_notices_ : last_text_;
      if (std::exchange(previous, text) == text || text.empty()) return;
      const auto found = listeners_.find(event);
      if (found != listeners_.end()) listener = found->second;
    }
    try {
      listener ? listener(text) : static_cast<void>(std::cout << "muster: " << text << std::endl);
    } catch (...) {}  // a listener that fails stops nothing
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
  bool stopping_ = false, changed_ = false;
  std::map<std::string, Listener> listeners_;
  std::string public_id_, last_text_, last_notices_;
  std::mutex thread_mutex_;
  std::thread thread_;
  static inline thread_local const Announcer* current_ = nullptr;
};
