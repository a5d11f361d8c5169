// Eight threads change the players at once, a listener throws, and the server starts twice.
#include <vector>
#include "announcer.hpp"

int main() {
  using namespace std::chrono_literals;
  Announcer server({std::getenv("MUSTER_URL"), std::getenv("MUSTER_CREDENTIAL"), std::stoi(std::getenv("PORT")), {64}});
  server.on("listed", [](const std::string&) { throw 1; });
  server.on("stopped", [&](const std::string& text) { std::cout << text << std::endl; server.stop(); });
  server.start();
  server.start();
  std::this_thread::sleep_for(1s);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&] { for (int change = 0; change < 1000; ++change) server.update([](auto& state) { state.players = (state.players + 1) % 65; }); });
  for (auto& thread : threads) thread.join();
  std::this_thread::sleep_for(5s);
  std::thread first([&] { server.stop(); }), second([&] { server.stop(); });
  first.join();
  second.join();
  server.start();
  std::this_thread::sleep_for(1s);
  server.stop();
}
