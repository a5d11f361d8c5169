// A game server with the class in announcer.hpp. Needs a C++17 compiler, libcurl and nlohmann/json
// (on Debian: g++, libcurl4-openssl-dev and nlohmann-json3-dev).
//
// Build: g++ -std=c++17 -pthread -o announce announce.cpp -lcurl
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 ./announce
// Optional: MUSTER_HOST, MUSTER_PROBE, MUSTER_FAMILIES=4,6
#include <atomic>
#include <csignal>
#include <cstdlib>
#include "announcer.hpp"

volatile std::sig_atomic_t stopping = 0;

std::string setting(const char* name, bool is_required = true) {
  if (const char* value = std::getenv(name)) return value;
  if (!is_required) return "";
  std::cerr << name << " is not set.\n";
  std::exit(2);
}

int main() {
  for (int number : {SIGTERM, SIGINT}) std::signal(number, [](int) { stopping = 1; });
  Announcer::Settings settings{setting("MUSTER_URL"), setting("MUSTER_CREDENTIAL"), std::stoi(setting("PORT")), {std::stoi(setting("MAX_PLAYERS"))}};
  settings.host = setting("MUSTER_HOST", false);
  settings.probe = setting("MUSTER_PROBE", false);
  for (char family : setting("MUSTER_FAMILIES", false)) if (family != ',') settings.families.push_back(family - '0');
  Announcer server(settings);
  server.on("rejected", [](const std::string& text) { std::cerr << text << std::endl; });
  server.start();
  while (!stopping) std::this_thread::sleep_for(std::chrono::milliseconds(50));  // your game
  server.stop();
}
