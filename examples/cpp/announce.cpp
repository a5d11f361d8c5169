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

using namespace std::chrono_literals;
using nlohmann::json;

struct Reply { long status = 0; curl_off_t retry_after = 0; std::string body; };
struct Result { std::string message; double seconds; };
volatile std::sig_atomic_t stopping = 0;

std::string setting(const char* name) {
  if (const char* value = std::getenv(name)) return value;
  throw std::runtime_error(std::string(name) + " is not set");
}

size_t append(char* data, size_t, size_t size, std::string* text) { text->append(data, size); return size; }

Reply call(const char* method, long timeout_seconds, const std::string& body = "") {
  const std::string list = setting("MUSTER_URL");
  const std::string url = list.substr(0, list.find_last_not_of('/') + 1) + "/announce";
  static curl_slist* headers = curl_slist_append(
      curl_slist_append(nullptr, ("Authorization: Bearer " + setting("MUSTER_CREDENTIAL")).c_str()), "Content-Type: application/json");
  Reply reply;
  CURL* curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply.body);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, timeout_seconds);
  const CURLcode code = curl_easy_perform(curl);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
  curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &reply.retry_after);
  curl_easy_cleanup(curl);
  return code == CURLE_OK ? reply : throw std::runtime_error(curl_easy_strerror(code));
}

// Returns what the list says, and the seconds until the next announce. Throws without a usable reply.
Result announce() {
  // Set the other fields from your game.
  const json state = {{"port", std::stoi(setting("PORT"))}, {"maxPlayersCount", std::stoi(setting("MAX_PLAYERS"))},
                      {"playersCount", 0}, {"passworded", false}, {"version", "1.0"}, {"branch", "release"}};
  const Reply reply = call("POST", 5, state.dump());
  if (reply.status != 200)  // never give up: the owner can remove the cause in the panel
    return {"Rejected with " + std::to_string(reply.status) + ": " + reply.body, reply.retry_after > 0 ? reply.retry_after : 30.0};
  const json accepted = json::parse(reply.body);
  std::string message = "Announced.";
  for (const json& notice : accepted.value("notices", json::array())) message += "\n" + notice.at("message").get<std::string>();
  const double seconds = accepted.at("nextAnnounceSeconds").get<double>();
  return {message, seconds > 3600 ? 30 : seconds};  // more than an hour is a mistake
}

int main() {
  for (int number : {SIGTERM, SIGINT}) std::signal(number, [](int) { stopping = 1; });
  std::random_device random;
  std::string printed;
  for (double backoff = 2; !stopping;) {
    Result result;
    try {
      result = announce();
      backoff = 2;
    } catch (const std::exception& error) {  // a broken connection or an unusable reply: the list may be restarting
      backoff = std::min(30.0, backoff * 2);
      result = {std::string("No usable reply: ") + error.what(), std::uniform_real_distribution(backoff / 2, backoff)(random)};
    }
    if (result.message != printed) std::cout << (printed = result.message) << std::endl;
    for (double left = std::clamp(result.seconds, 1.0, 3600.0); left > 0 && !stopping; left -= 0.1) std::this_thread::sleep_for(100ms);
  }
  try { call("DELETE", 3); } catch (const std::exception&) {}  // the server stops anyway
}
