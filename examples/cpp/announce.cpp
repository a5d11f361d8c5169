// Keeps a game server on a Muster list. Needs a C++17 compiler, libcurl and nlohmann/json
// (on Debian: g++, libcurl4-openssl-dev and nlohmann-json3-dev).
//
// Build: g++ -std=c++17 -o announce announce.cpp -lcurl
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 ./announce
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <curl/curl.h>
#include <nlohmann/json.hpp>

using nlohmann::json;

struct Reply { long status = 0; curl_off_t retry_after = 0; std::string body; };

volatile std::sig_atomic_t stopping = 0;

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : throw std::runtime_error(std::string(name) + " is not set");
}

size_t append(char* data, size_t, size_t size, void* text) {
  static_cast<std::string*>(text)->append(data, size);
  return size;
}

Reply call(const char* method, long timeout_seconds, const std::string& body = "") {
  std::string url = setting("MUSTER_URL");
  if (url.back() == '/') url.pop_back();
  static curl_slist* headers = curl_slist_append(
      curl_slist_append(nullptr, ("Authorization: Bearer " + setting("MUSTER_CREDENTIAL")).c_str()), "Content-Type: application/json");
  Reply reply;
  CURL* curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, (url + "/announce").c_str());
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply.body);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, timeout_seconds);
  CURLcode code = curl_easy_perform(curl);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
  curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &reply.retry_after);
  curl_easy_cleanup(curl);
  if (code != CURLE_OK) throw std::runtime_error(curl_easy_strerror(code));
  return reply;
}

// Returns what the list says, and the seconds until the next announce.
std::pair<std::string, double> announce() {
  json state = {{"port", std::stoi(setting("PORT"))}, {"maxPlayersCount", std::stoi(setting("MAX_PLAYERS"))},
                {"playersCount", 0}, {"passworded", false}, {"version", "1.0"}, {"branch", "release"}};  // from your game
  Reply reply = call("POST", 5, state.dump());
  if (reply.status != 200)  // never give up: the owner can remove the cause in the panel
    return {"Rejected with " + std::to_string(reply.status) + ": " + reply.body, reply.retry_after > 0 ? reply.retry_after : 30};
  json accepted = json::parse(reply.body);
  std::string message = "Announced.";
  for (const json& notice : accepted.value("notices", json::array())) message += "\n" + notice.at("message").get<std::string>();
  return {message, accepted.at("nextAnnounceSeconds").get<double>()};
}

int main() {
  for (int number : {SIGTERM, SIGINT}) std::signal(number, [](int) { stopping = 1; });
  std::mt19937 random(std::random_device{}());
  double backoff = 2;
  std::string printed;
  while (!stopping) {
    std::string message;
    double seconds;
    try {
      std::tie(message, seconds) = announce();
      backoff = 2;
    } catch (const std::exception& error) {  // a broken connection or an unusable reply: the list may be restarting
      message = std::string("No usable reply: ") + error.what();
      backoff = std::min(30.0, backoff * 2);
      seconds = std::uniform_real_distribution(backoff / 2, backoff)(random);
    }
    if (message != printed) std::cout << message << std::endl;
    printed = message;
    auto due = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::clamp(seconds, 1.0, 3600.0));
    while (!stopping && std::chrono::steady_clock::now() < due) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  try { call("DELETE", 3); } catch (const std::exception&) {}  // the server stops anyway
}
