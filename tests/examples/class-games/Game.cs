// Eight threads change the players at once, a listener throws, the server starts twice, and the game's UDP socket gets probes.
using System;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;

static class Game
{
    static void Main()
    {
        string Setting(string name) => Environment.GetEnvironmentVariable(name);
        var port = int.Parse(Setting("PORT"));
        var initial = new Announcer.State { MaxPlayers = 64 };
        var server = new Announcer(Setting("MUSTER_URL"), Setting("MUSTER_CREDENTIAL"), port, initial, host: Setting("MUSTER_HOST"));
        new Thread(() => AnswerProbes(server, new UdpClient(port))) { IsBackground = true }.Start();
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

    static void AnswerProbes(Announcer server, UdpClient socket)
    {
        for (;;)
        {
            var from = new IPEndPoint(IPAddress.Any, 0);
            var answer = server.AnswerProbe(socket.Receive(ref from));
            if (answer.Length > 0) socket.Send(answer, answer.Length, from);
        }
    }

    static void InThreads(int count, ThreadStart run)
    {
        var threads = Enumerable.Range(0, count).Select(_ => new Thread(run)).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
    }
}
