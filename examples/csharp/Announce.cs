// Keeps a game server on a Muster list. Needs the .NET 8 SDK or newer, and no packages.
//
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 dotnet run
using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Runtime.InteropServices;
using System.Text.Json;

var url = Setting("MUSTER_URL").TrimEnd('/') + "/announce";
using var http = new HttpClient { Timeout = TimeSpan.FromSeconds(5) };
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Setting("MUSTER_CREDENTIAL"));

using var stopping = new CancellationTokenSource();
void Stop(PosixSignalContext signal)
{
    signal.Cancel = true; // the loop ends the program
    stopping.Cancel();
}
using var onTerminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
using var onInterrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);

var (backoff, printed) = (2.0, "");
while (!stopping.IsCancellationRequested)
{
    string message;
    double seconds;
    try
    {
        (message, seconds) = await Announce();
        backoff = 2;
    }
    catch (Exception error) // a broken connection or an unusable reply: the list may be restarting
    {
        backoff = Math.Min(30, backoff * 2);
        (message, seconds) = ($"No usable reply: {error.Message}", backoff * (0.5 + Random.Shared.NextDouble() / 2));
    }
    if (message != printed) Console.WriteLine(message);
    printed = message;
    await Task.Delay(TimeSpan.FromSeconds(Math.Clamp(seconds, 1, 3600)), stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
using var soon = new CancellationTokenSource(TimeSpan.FromSeconds(3));
await ((Task)http.DeleteAsync(url, soon.Token)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // the server stops anyway

// Returns what the list says, and the seconds until the next announce.
async Task<(string Message, double Seconds)> Announce()
{
    using var response = await http.PostAsJsonAsync(url, new
    {
        port = int.Parse(Setting("PORT")), maxPlayersCount = int.Parse(Setting("MAX_PLAYERS")),
        // Set these from your game.
        playersCount = 0, passworded = false, version = "1.0", branch = "release",
    });
    var text = await response.Content.ReadAsStringAsync();
    if (response.StatusCode != HttpStatusCode.OK) // never give up: the owner can remove the cause in the panel
        return ($"Rejected with {(int)response.StatusCode}: {text}", response.Headers.RetryAfter?.Delta?.TotalSeconds ?? 30);
    var reply = JsonDocument.Parse(text).RootElement;
    var notices = reply.TryGetProperty("notices", out var list) ? list.EnumerateArray() : Enumerable.Empty<JsonElement>();
    return (string.Join('\n', notices.Select(notice => notice.GetProperty("message").GetString()).Prepend("Announced.")), reply.GetProperty("nextAnnounceSeconds").GetDouble());
}

static string Setting(string name) => Environment.GetEnvironmentVariable(name)?.Trim() ?? throw new InvalidOperationException($"{name} is not set.");
