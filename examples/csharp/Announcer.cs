// Keeps a game server on a Muster list: copy this file into your game. Needs .NET Core 3.1 or newer, Mono, or
// .NET Standard 2.1 (such as Unity), and no packages.
//
//   var server = new Announcer(url, credential, port, new Announcer.State { MaxPlayers = 64 });
//   server.On("rejected", text => Log(text));
//   server.Start();                                   // once players can join
//   server.Update(state => state.Players = 12);       // whenever it changes, from any thread
//   server.Stop();                                    // before the game ends
//   var answer = server.AnswerProbe(datagram);        // of your UDP socket: send it back, unless it is empty
//
// It installs no signal handlers. Nothing throws into the game. Listeners run in the announcer's thread.
#if NET6_0_OR_GREATER
#nullable disable
#endif
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Sockets;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

public sealed class Announcer : IDisposable
{
    [DataContract]
    public sealed class State
    {
        [DataMember(Name = "playersCount")] public int Players;
        [DataMember(Name = "maxPlayersCount")] public int MaxPlayers;
        [DataMember(Name = "queueCount")] public int Queue;
        [DataMember(Name = "passworded")] public bool Passworded;
        [DataMember(Name = "version")] public string Version = "1.0";
        [DataMember(Name = "branch")] public string Branch = "release";
        [DataMember(Name = "gameMode")] public string GameMode = "";
        [DataMember(Name = "port")] internal int Port;
        [DataMember(Name = "host", EmitDefaultValue = false)] internal string Host;
        [DataMember(Name = "probe", EmitDefaultValue = false)] internal string Probe;
    }

    [DataContract] sealed class Goodbye { [DataMember(Name = "port")] public int Port { get; set; } }
    [DataContract] sealed class Notice { [DataMember(Name = "message")] public string Message { get; set; } }

    [DataContract]
    sealed class Accepted
    {
        [DataMember(Name = "publicId")] public string PublicId { get; set; }
        [DataMember(Name = "listed")] public bool Listed { get; set; }
        [DataMember(Name = "nextAnnounceSeconds", IsRequired = true)] public double Seconds { get; set; }
        [DataMember(Name = "notices")] public Notice[] Notices { get; set; }
    }

    static readonly HttpClient Http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = Timeout.InfiniteTimeSpan };
    [ThreadStatic] static Announcer current; // whose listener runs
    readonly string url, credential;
    readonly bool answersProbes;
    readonly int[] families; // 0 is what the system chooses
    readonly object gate = new object(); // guards what follows
    readonly State state;
    readonly Dictionary<string, Action<string>> listeners = new Dictionary<string, Action<string>>();
    readonly Dictionary<string, string> previous = new Dictionary<string, string>(); // texts, by their kind and family
    string publicId = "";
    TaskCompletionSource<bool> changed = NewChange();
    CancellationTokenSource stopping = new CancellationTokenSource();
    Task loop, probes;

    /// <param name="answersProbes">False if the game uses TCP on its port, too.</param>
    /// <param name="host">The name or IP address that players connect to, if it is not the machine's own.</param>
    /// <param name="probe">How the list can probe the server: tcp, udp or none.</param>
    /// <param name="families">4, 6 or both: announces over each of them.</param>
    public Announcer(string url, string credential, int port, State state, bool answersProbes = true, string host = "", string probe = "", params int[] families)
    {
        url = (url ?? "").Trim().TrimEnd('/');
        this.url = (url.EndsWith("/announce") ? url.Substring(0, url.Length - 9).TrimEnd('/') : url) + "/announce"; // a pasted path
        this.credential = (credential ?? "").Trim();
        this.state = state;
        this.answersProbes = answersProbes && (string.IsNullOrEmpty(probe) || probe == "tcp");
        this.families = families.Length > 0 ? families : new[] { 0 };
        state.Port = port;
        state.Host = string.IsNullOrEmpty(host) ? null : host;
        state.Probe = string.IsNullOrEmpty(probe) ? null : probe;
    }

    /// <summary>Events: listed, unlisted, notice, rejected, offline, stopped. Those without a listener are printed.</summary>
    public void On(string name, Action<string> listener)
    {
        lock (gate) listeners[name] = listener;
    }

    public void Start()
    {
        lock (gate)
        {
            if (loop != null) return;
            var stop = stopping = new CancellationTokenSource();
            loop = Task.Run(() => Run(stop.Token));
        }
    }

    /// <summary>The change must not call the announcer.</summary>
    public void Update(Action<State> change)
    {
        lock (gate)
        {
            change(state);
            changed.TrySetResult(true);
            changed = NewChange();
        }
    }

    /// <summary>Takes the server off the list. Takes at most eight seconds, but no time in a listener.</summary>
    public void Stop()
    {
        Task ending;
        lock (gate)
        {
            ending = loop;
            stopping.Cancel();
        }
        if (current == this) return;
        ending?.Wait(); // never throws
        lock (gate) loop = loop == ending ? null : loop;
    }

    public void Dispose() => Stop();

    /// <summary>The answer to a UDP probe of the list, to send back from the game's socket. Empty for other datagrams.</summary>
    public byte[] AnswerProbe(byte[] datagram)
    {
        var prefix = Encoding.ASCII.GetBytes("MUSTER1 ");
        if (datagram.Length != 64 || !datagram.Take(prefix.Length).SequenceEqual(prefix)) return new byte[0];
        // A name in lower case without a trailing dot, IPv6 in brackets in its shortest form.
        var host = (state.Host ?? "").ToLowerInvariant().TrimEnd('.');
        if (IPAddress.TryParse(host, out var address) && address.AddressFamily == AddressFamily.InterNetworkV6) host = $"[{address}]";
        using (var sha = SHA256.Create())
        using (var hmac = new HMACSHA256(sha.ComputeHash(Encoding.UTF8.GetBytes(credential))))
        {
            var signed = datagram.Skip(prefix.Length).Take(32).Concat(Encoding.UTF8.GetBytes($"{host}:{state.Port}"));
            return prefix.Concat(hmac.ComputeHash(signed.ToArray())).ToArray();
        }
    }

    /// <summary>Announces over each family until the server stops.</summary>
    async Task Run(CancellationToken stop)
    {
        await Task.WhenAll(families.Select(family => KeepListed(family, stop)));
        Emit("stopped", "The server leaves the list.");
        foreach (var family in families)
            try
            {
                await Call(family, HttpMethod.Delete, 3, Json(new Goodbye { Port = state.Port }));
                break;
            }
            catch (Exception) { } // it stops anyway
        if (probes != null) await probes;
        probes = null;
    }

    async Task KeepListed(int family, CancellationToken stop)
    {
        var stopped = Task.Delay(Timeout.Infinite, stop);
        var (backoff, random) = (2.0, new Random());
        while (!stop.IsCancellationRequested)
        {
            var (accepted, seconds, change) = (false, 0.0, (Task)null);
            try
            {
                var body = "";
                lock (gate)
                {
                    body = Json(state);
                    change = changed.Task;
                }
                (accepted, seconds) = await Announce(family, body);
                backoff = 2;
            }
            catch (Exception error) // a broken connection or an unusable reply: the list may be restarting
            {
                backoff = Math.Min(30, backoff * 2);
                seconds = backoff * (0.5 + random.NextDouble() / 2);
                Emit("offline", "No usable reply: " + error.Message, family);
            }
            if (accepted && answersProbes) lock (gate) probes = probes ?? AnswerProbes(stop);
            var due = Task.Delay(TimeSpan.FromSeconds(Math.Max(1, Math.Min(3600, seconds))));
            // A change is announced at once after an accepted announce, but not within four seconds of it, or eight with both families.
            if (accepted) await Task.WhenAny(stopped, due, Task.Delay(4000 * families.Length));
            await (accepted ? Task.WhenAny(stopped, due, change) : Task.WhenAny(stopped, due));
        }
    }

    /// <summary>Returns whether the list accepted the announce, and the seconds until the next one. Throws without a usable reply.</summary>
    async Task<(bool Accepted, double Seconds)> Announce(int family, string body)
    {
        var (status, retryAfter, text) = await Call(family, HttpMethod.Post, 5, body);
        if (status != 200) // never give up: the owner can remove the cause in the panel
        {
            Emit("rejected", $"Rejected with {status}: {text}", family);
            return (false, retryAfter ?? 30);
        }
        using (var stream = new MemoryStream(Encoding.UTF8.GetBytes(text)))
        {
            var reply = (Accepted)new DataContractJsonSerializer(typeof(Accepted)).ReadObject(stream);
            lock (gate) publicId = reply.PublicId;
            Emit(reply.Listed ? "listed" : "unlisted", reply.Listed ? $"The server is on the list as {reply.PublicId}." : "Players do not see the server.", family);
            Emit("notice", string.Join("\n", (reply.Notices ?? new Notice[0]).Select(notice => notice.Message)), family);
            return (true, reply.Seconds > 3600 ? 30 : reply.Seconds); // more than an hour is a mistake
        }
    }

    async Task<(int Status, double? RetryAfter, string Text)> Call(int family, HttpMethod method, int seconds, string body)
    {
        using (var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(seconds)))
        using (var request = new HttpRequestMessage(method, await Address(family)) { Content = new StringContent(body, Encoding.UTF8, "application/json") })
        {
            request.Headers.TryAddWithoutValidation("Authorization", "Bearer " + credential);
            request.Headers.Host = new Uri(url).Authority; // also the name that a certificate is checked for
            using (var response = await Http.SendAsync(request, timeout.Token))
                return ((int)response.StatusCode, response.Headers.RetryAfter?.Delta?.TotalSeconds, await response.Content.ReadAsStringAsync());
        }
    }

    /// <summary>The address of the list: over a family, with an IP address of it instead of the name.</summary>
    async Task<Uri> Address(int family)
    {
        var address = new Uri(url);
        if (family == 0) return address;
        var wanted = family == 4 ? AddressFamily.InterNetwork : AddressFamily.InterNetworkV6;
        var found = (await Dns.GetHostAddressesAsync(address.DnsSafeHost)).FirstOrDefault(ip => ip.AddressFamily == wanted);
        if (found == null) throw new IOException($"the list has no IPv{family} address");
        return new UriBuilder(address) { Host = found.ToString() }.Uri;
    }

    /// <summary>Passes a text on, unless it is empty or the same as before over this family.</summary>
    void Emit(string name, string text, int family = 0)
    {
        Action<string> listener;
        if (family != 0 && text != "") text = $"IPv{family}: {text}";
        lock (gate)
        {
            // What the list says replaces what it said before; notices stand beside it.
            var kind = (name == "notice" ? "notice" : "text") + family;
            previous.TryGetValue(kind, out var before);
            previous[kind] = text;
            if (text == before || text == "") return;
            if (!listeners.TryGetValue(name, out listener)) listener = Console.WriteLine;
        }
        current = this;
        try { listener(text); } catch (Exception) { } // a listener that fails stops nothing
        current = null;
    }

    /// <summary>Answers the reachability check on TCP at the port, with the token after the last slash. Never throws.</summary>
    async Task AnswerProbes(CancellationToken stop)
    {
        try
        {
            var listener = TcpListener.Create(state.Port);
            listener.Start();
            using (stop.Register(listener.Stop))
                while (!stop.IsCancellationRequested)
                    _ = AnswerRequest(await listener.AcceptTcpClientAsync());
        }
        catch (Exception error)
        {
            if (!stop.IsCancellationRequested) Emit("notice", "The reachability check is not answered: " + error.Message);
        }
    }

    async Task AnswerRequest(TcpClient client)
    {
        using (client)
        using (new Timer(_ => client.Close(), null, 2000, Timeout.Infinite))
            try
            {
                var (request, buffer, stream) = ("", new byte[1024], client.GetStream());
                for (var size = 1; size > 0 && request.Length < 4096 && !request.Contains("\r\n\r\n");)
                {
                    size = await stream.ReadAsync(buffer, 0, buffer.Length);
                    request += Encoding.ASCII.GetString(buffer, 0, size);
                }
                var path = request.Split(' ').ElementAtOrDefault(1) ?? "";
                var isProbe = request.StartsWith("GET ") && path.StartsWith($"/.well-known/muster/{publicId}.");
                var token = isProbe ? path.Substring(20) : "";
                var answer = $"HTTP/1.1 {(isProbe ? "200 OK" : "404 Not Found")}\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: {token.Length}\r\n\r\n{token}";
                await stream.WriteAsync(Encoding.ASCII.GetBytes(answer), 0, answer.Length);
            }
            catch (Exception) { } // the list checks again
    }

    static TaskCompletionSource<bool> NewChange() => new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);

    static string Json<T>(T value)
    {
        using (var stream = new MemoryStream())
        {
            new DataContractJsonSerializer(typeof(T)).WriteObject(stream, value);
            return Encoding.UTF8.GetString(stream.ToArray());
        }
    }
}
