// Keeps a game server on a Muster list. Needs the .NET 8 SDK or newer, and no packages. With an older one, from .NET Core 3.1 on, set its
// version in Announce.csproj.
//
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 dotnet run
using System;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

static class Announcer
{
    static readonly HttpClient Http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = TimeSpan.FromSeconds(5) };
    static readonly CancellationTokenSource Stopping = new CancellationTokenSource();

    static async Task Main()
    {
        // Ctrl+C and SIGTERM end the loop.
        Console.CancelKeyPress += (_, key) => { key.Cancel = true; Stopping.Cancel(); };
#if NET6_0_OR_GREATER
        using var onTerminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal => { signal.Cancel = true; Stopping.Cancel(); });
        await KeepListed();
#else
        var listed = KeepListed();
        AppDomain.CurrentDomain.ProcessExit += (_, __) => // SIGTERM: the program ends when this returns
        {
            Environment.ExitCode = 0;
            Stopping.Cancel();
            listed.Wait();
        };
        await listed;
#endif
    }

    static async Task KeepListed()
    {
        var url = Setting("MUSTER_URL").TrimEnd('/') + "/announce";
        Http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Setting("MUSTER_CREDENTIAL"));
        var (backoff, printed, random) = (2.0, "", new Random());
        while (!Stopping.IsCancellationRequested)
        {
            var (message, seconds) = ("", 0.0);
            try
            {
                (message, seconds) = await Announce(url);
                backoff = 2;
            }
            catch (Exception error) // a broken connection or an unusable reply: the list may be restarting
            {
                backoff = Math.Min(30, backoff * 2);
                (message, seconds) = ($"No usable reply: {error.Message}", backoff * (0.5 + random.NextDouble() / 2));
            }
            if (message != printed) Console.WriteLine(message);
            printed = message;
            await Task.WhenAny(Task.Delay(TimeSpan.FromSeconds(Math.Clamp(seconds, 1, 3600)), Stopping.Token));
        }
        await Task.WhenAny(Http.DeleteAsync(url), Task.Delay(3000)); // never throws: the server stops anyway
    }

    // Returns what the list says, and the seconds until the next announce.
    static async Task<(string Message, double Seconds)> Announce(string url)
    {
        var state = JsonSerializer.Serialize(new
        {
            port = int.Parse(Setting("PORT")), maxPlayersCount = int.Parse(Setting("MAX_PLAYERS")),
            // Set these from your game.
            playersCount = 0, passworded = false, version = "1.0", branch = "release",
        });
        using var response = await Http.PostAsync(url, new StringContent(state, Encoding.UTF8, "application/json"));
        var text = await response.Content.ReadAsStringAsync();
        if (response.StatusCode != HttpStatusCode.OK) // never give up: the owner can remove the cause in the panel
            return ($"Rejected with {(int)response.StatusCode}: {text}", response.Headers.RetryAfter?.Delta?.TotalSeconds ?? 30);
        var reply = JsonDocument.Parse(text).RootElement;
        var notices = reply.TryGetProperty("notices", out var list) ? list.EnumerateArray() : Enumerable.Empty<JsonElement>();
        var messages = notices.Select(notice => notice.GetProperty("message").GetString()).Prepend("Announced.");
        var seconds = reply.GetProperty("nextAnnounceSeconds").GetDouble();
        return (string.Join('\n', messages), seconds > 3600 ? 30 : seconds); // more than an hour is a mistake
    }

    static string Setting(string name) =>
        Environment.GetEnvironmentVariable(name)?.Trim() ?? throw new InvalidOperationException($"{name} is not set.");
}
