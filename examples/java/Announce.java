// Keeps a game server on a Muster list. Needs Java 17 or newer, and no libraries.
//
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 java Announce.java
// Optional: MUSTER_HOST, MUSTER_PROBE
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

public class Announce {
    /** The only value that the loop needs. With a JSON library, read it with that. */
    private static final Pattern INTERVAL = Pattern.compile("\"nextAnnounceSeconds\"\\s*:\\s*(\\d+)\\b,?");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private record Result(String message, long seconds) {}

    private static HttpResponse<String> call(String method, String body, int timeoutSeconds) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(System.getenv("MUSTER_URL").replaceAll("/*(/announce)?/*$", "") + "/announce"))
            .header("Authorization", "Bearer " + System.getenv("MUSTER_CREDENTIAL").strip())
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
        var exchange = CLIENT.sendAsync(request, BodyHandlers.ofString());
        try {
            return exchange.get(timeoutSeconds, TimeUnit.SECONDS); // unlike HttpRequest.timeout, includes the body
        } finally {
            exchange.cancel(true);
        }
    }

    /** A field of the announce, unless its setting is empty. */
    private static String optional(String field, String setting) {
        var value = System.getenv(setting);
        return value == null || value.isBlank() ? "" : ",\"%s\":\"%s\"".formatted(field, value.strip());
    }

    /** Returns what the list says, and the seconds until the next announce. Throws without a usable reply. */
    private static Result announce() throws Exception {
        var state = """
            {"port":%d,"maxPlayersCount":%d,"playersCount":%d,"passworded":false,"version":"1.0","branch":"release"%s%s}
            """.formatted(Integer.parseInt(System.getenv("PORT")), Integer.parseInt(System.getenv("MAX_PLAYERS")), 0,
                optional("host", "MUSTER_HOST"), optional("probe", "MUSTER_PROBE"));
        var reply = call("POST", state, 5);
        if (reply.statusCode() != 200) { // never give up: the owner can remove the cause in the panel
            var seconds = reply.headers().firstValueAsLong("Retry-After").orElse(30);
            return new Result("Rejected with " + reply.statusCode() + ": " + reply.body(), seconds);
        }
        var interval = INTERVAL.matcher(reply.body());
        if (!interval.find()) throw new IllegalArgumentException("it has no nextAnnounceSeconds");
        // Without this number, which always changes, the reply has the notices and whether the server is listed.
        var seconds = Long.parseLong(interval.group(1));
        return new Result("Announced: " + interval.replaceFirst(""), seconds > 3600 ? 30 : seconds); // more than an hour is a mistake
    }

    public static void main(String[] args) throws InterruptedException {
        var stop = new CountDownLatch(1);
        var loop = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> { // on SIGTERM and Ctrl+C
            stop.countDown();
            try { loop.join(); } catch (InterruptedException ignored) {}
        }));
        var backoff = 2L;
        var printed = "";
        Result result;
        do {
            try {
                result = announce();
                backoff = 2;
            } catch (Exception failure) { // a broken connection or an unusable reply: the list may be restarting
                backoff = Math.min(30, backoff * 2);
                result = new Result("No usable reply: " + failure.getMessage(), ThreadLocalRandom.current().nextLong(backoff / 2, backoff + 1));
            }
            if (!result.message.equals(printed)) System.out.println(result.message);
            printed = result.message;
        } while (!stop.await(Math.max(1, Math.min(3600, result.seconds)), TimeUnit.SECONDS));
        try { call("DELETE", "{\"port\":%s}".formatted(System.getenv("PORT")), 3); } catch (Exception ignored) {} // the server stops anyway
    }
}
