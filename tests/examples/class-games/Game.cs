// Eight threads change the players at once, a listener throws, and the server starts twice.
using System;
using System.Linq;
using System.Threading;

static class Game
{
    static void Main()
    {
        string Setting(string name) => Environment.GetEnvironmentVariable(name);
        var server = new Announcer(Setting("MUSTER_URL"), Setting("MUSTER_CREDENTIAL"), int.Parse(Setting("PORT")), new Announcer.State { MaxPlayers = 64 });
        server.On("listed", _ => throw new InvalidOperationException());
        server.On("stopped", text => { Console.WriteLine(text); server.Stop(); });
        server.Start();
        server.Start();
        Thread.Sleep(1000);
        InThreads(8, () => { for (var change = 0; change < 1000; ++change) server.Update(state => state.Players = (state.Players + 1) % 65); });
        Thread.Sleep(5000);
        InThreads(2, server.Stop);
        server.Start();
        Thread.Sleep(1000);
        server.Stop();
    }

    static void InThreads(int count, ThreadStart run)
    {
        var threads = Enumerable.Range(0, count).Select(_ => new Thread(run)).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
    }
}
