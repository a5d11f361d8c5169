#!/usr/bin/env php
<?php
// Keeps a game server on a Muster list. Needs PHP 8.2 or newer on Linux, with the extensions curl and pcntl.
//
// Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 php announce.php
// Optional: MUSTER_HOST, MUSTER_PROBE, MUSTER_FAMILIES=4,6
declare(strict_types=1);

const SIGNALS = [SIGTERM, SIGINT];

/** @return array{int, int, string} the status, Retry-After (0 without one) and the body */
function call(string $family, string $method, int $timeout, string $body): array
{
    $curl = curl_init(preg_replace('~/*(/announce)?/*$~', '', getenv('MUSTER_URL')) . '/announce');
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . trim(getenv('MUSTER_CREDENTIAL')), 'Content-Type: application/json'],
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_IPRESOLVE => ['4' => CURL_IPRESOLVE_V4, '6' => CURL_IPRESOLVE_V6][$family] ?? CURL_IPRESOLVE_WHATEVER,
        CURLOPT_TIMEOUT => $timeout,
    ]);
    $text = curl_exec($curl);
    if ($text === false) {
        throw new RuntimeException(curl_error($curl));
    }
    return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), curl_getinfo($curl, CURLINFO_RETRY_AFTER), $text];
}

/** @return array{string, int} what the list says, and the seconds until the next announce */
function announce(string $family): array
{
    $endpoint = array_filter(['host' => getenv('MUSTER_HOST'), 'probe' => getenv('MUSTER_PROBE')]);
    [$status, $retryAfter, $text] = call($family, 'POST', 5, json_encode($endpoint + [
        'port' => (int) getenv('PORT'), 'maxPlayersCount' => (int) getenv('MAX_PLAYERS'),
        // Set these from your game.
        'playersCount' => 0, 'passworded' => false, 'version' => '1.0', 'branch' => 'release',
    ]));
    if ($status !== 200) { // never give up: the owner can remove the cause in the panel
        return ["Rejected with $status: $text", $retryAfter ?: 30];
    }
    $reply = json_decode($text, flags: JSON_THROW_ON_ERROR);
    if (!is_int($reply->nextAnnounceSeconds ?? null)) {
        throw new UnexpectedValueException('it has no nextAnnounceSeconds');
    }
    $seconds = $reply->nextAnnounceSeconds > 3600 ? 30 : $reply->nextAnnounceSeconds; // more than an hour is a mistake
    return [implode("\n", ['Announced.', ...array_column($reply->notices ?? [], 'message')]), $seconds];
}

pcntl_sigprocmask(SIG_BLOCK, SIGNALS); // they wait for pcntl_sigtimedwait
$families = explode(',', getenv('MUSTER_FAMILIES') ?: '');
$due = array_fill_keys($families, 0);
$backoff = $printed = [];
do {
    $family = (string) array_search(min($due), $due);
    try {
        [$message, $seconds] = announce($family);
        unset($backoff[$family]);
    } catch (Throwable $error) { // a broken connection or an unusable reply: the list may be restarting
        $backoff[$family] = min(30, ($backoff[$family] ?? 2) * 2);
        [$message, $seconds] = ["No usable reply: {$error->getMessage()}", random_int(intdiv($backoff[$family], 2), $backoff[$family])];
    }
    echo $message === ($printed[$family] ?? '') ? '' : ($family ? "IPv$family: $message\n" : "$message\n");
    $printed[$family] = $message;
    $due[$family] = microtime(true) + max(1, min(3600, $seconds));
    $wait = max(0, min($due) - microtime(true));
} while (pcntl_sigtimedwait(SIGNALS, $info, (int) $wait, (int) (fmod($wait, 1) * 1e9)) < 1);

foreach ($families as $family) {
    try {
        call($family, 'DELETE', 3, json_encode(['port' => (int) getenv('PORT')]));
        break;
    } catch (RuntimeException) {
        // The server stops anyway.
    }
}
