// Eight threads change the players at once, a listener throws, the server starts twice, and the game's UDP socket gets probes.
#include <atomic>
#include <vector>
#include "announcer.hpp"

int main() {
  using namespace std::chrono_literals;
  const int port = std::stoi(std::getenv("PORT"));
  Announcer::Settings settings{std::getenv("MUSTER_URL"), std::getenv("MUSTER_CREDENTIAL"), port, {64}};
  settings.host = std::getenv("MUSTER_HOST");
  Announcer server(settings);

  const int udp = socket(AF_INET, SOCK_DGRAM, 0);
  const timeval patience{0, 100'000};
  setsockopt(udp, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (bind(udp, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return 1;
  std::atomic<bool> over{false};
  std::thread receiver([&] {
    while (!over) {
      char buffer[1500];
      sockaddr_in from{};
      socklen_t length = sizeof from;
      const auto size = recvfrom(udp, buffer, sizeof buffer, 0, reinterpret_cast<sockaddr*>(&from), &length);
      const std::string answer = size < 0 ? "" : server.answer_probe({buffer, static_cast<std::size_t>(size)});
      if (!answer.empty()) sendto(udp, answer.data(), answer.size(), 0, reinterpret_cast<sockaddr*>(&from), length);
    }
  });

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
  over = true;
  receiver.join();
}
