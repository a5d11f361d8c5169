// A game server with the class in Announcer.cs. Needs the .NET 8 SDK or newer, and no packages. With an older one, from .NET Core 3.1 on,
// set its version in Announce.csproj.
//
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 dotnet run
// Optional: MUSTER_HOST, MUSTER_PROBE, MUSTER_FAMILIES=4,6
using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;

static class Game
{
    static void Main()
    {
        var (stopping, stopped) = (new ManualResetEventSlim(), new ManualResetEventSlim());
        Console.CancelKeyPress += (_, key) => { key.Cancel = true; stopping.Set(); };
#if NET6_0_OR_GREATER
        using var onTerminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal => { signal.Cancel = true; stopping.Set(); });
#else
        AppDomain.CurrentDomain.ProcessExit += (_, __) => { Environment.ExitCode = 0; stopping.Set(); stopped.Wait(); }; // SIGTERM
#endif
        var families = Setting("MUSTER_FAMILIES", "").Split(',').Where(text => text != "").Select(int.Parse).ToArray();
        var state = new Announcer.State { MaxPlayers = int.Parse(Setting("MAX_PLAYERS")) };
        var server = new Announcer(Setting("MUSTER_URL"), Setting("MUSTER_CREDENTIAL"), int.Parse(Setting("PORT")), state,
            host: Setting("MUSTER_HOST", ""), probe: Setting("MUSTER_PROBE", ""), families: families);
        server.Start();
        stopping.Wait(); // your game
        server.Stop();
        stopped.Set();
    }

    static string Setting(string name, string initial = null) =>
        Environment.GetEnvironmentVariable(name) ?? initial ?? throw new InvalidOperationException($"{name} is not set.");
}
