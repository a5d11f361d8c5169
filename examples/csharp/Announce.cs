// A game server with the class in Announcer.cs. Needs the .NET 8 SDK or newer, and no packages. With an older one, from .NET Core 3.1 on,
// set its version in Announce.csproj.
//
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 dotnet run
using System;
using System.Threading;

static class Game
{
    static void Main()
    {
        using (var server = new Announcer(Setting("MUSTER_URL"), Setting("MUSTER_CREDENTIAL"), int.Parse(Setting("PORT")),
            new Announcer.State { MaxPlayers = int.Parse(Setting("MAX_PLAYERS")) }))
        using (var stopping = new ManualResetEventSlim())
        using (var stopped = new ManualResetEventSlim())
        {
            server.On("rejected", Console.Error.WriteLine);
            Console.CancelKeyPress += (_, key) => { key.Cancel = true; stopping.Set(); }; // Ctrl+C
            AppDomain.CurrentDomain.ProcessExit += (_, __) => { Environment.ExitCode = 0; stopping.Set(); stopped.Wait(); }; // SIGTERM
            server.Start();
            stopping.Wait(); // your game
            server.Stop();
            stopped.Set();
        }
    }

    static string Setting(string name) =>
        Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set.");
}
