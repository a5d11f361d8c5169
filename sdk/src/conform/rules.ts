/** What every announcer must do, why, and how to mend one that does not. docs/announcing.md explains each rule. */

export interface Rule {
  readonly id: string
  readonly must: string
  readonly reason: string
  readonly fix: string
}

export const RULES = [
  {
    id: 'first-announce',
    must: 'Announce within 30 seconds of the start.',
    reason: 'Players find the server only after its first announce.',
    fix: 'If the program ended, run the command by hand and read its last output. Otherwise, send POST /announce as soon as players can join. Read MUSTER_URL from the environment.',
  },
  {
    id: 'path',
    must: 'Send announces and the goodbye to MUSTER_URL + /announce, with one slash between them.',
    reason: 'Any other path is 404 NOT_FOUND.',
    fix: 'Remove a slash at the end of MUSTER_URL before you append /announce. Use POST to announce and DELETE to leave.',
  },
  {
    id: 'credential',
    must: 'Send the header "Authorization: Bearer" with MUSTER_CREDENTIAL.',
    reason: 'The credential says which server announces. Without it, the list rejects the call with CREDENTIAL_MISSING.',
    fix: 'Add the header to POST and to DELETE, with the whole credential, without quotes or spaces.',
  },
  {
    id: 'redirect',
    must: 'Do not follow redirects.',
    reason: 'A master list never sends one. The other address would get the credential, and could then announce as this server.',
    fix: 'Turn off redirects in the HTTP client. Many follow them by default.',
  },
  {
    id: 'json',
    must: 'Send one JSON object of at most 8 KiB, not compressed, as application/json.',
    reason: 'The list rejects anything else: BODY_NOT_JSON, BODY_WRONG_TYPE or BODY_TOO_LARGE.',
    fix: 'Use a JSON library, set "Content-Type: application/json", and send no Content-Encoding.',
  },
  {
    id: 'fields',
    must: 'Send every required field in every announce, with a valid value.',
    reason: 'Each announce replaces the previous one, and an invalid field rejects the whole announce with BODY_INVALID.',
    fix: 'Send port, playersCount, maxPlayersCount (numbers, not texts), passworded (boolean), version and branch (1 to 32 characters).',
  },
  {
    id: 'settings',
    must: 'Announce PORT as port and MAX_PLAYERS as maxPlayersCount.',
    reason: 'Players connect to the announced port. A wrong one makes the server UNREACHABLE.',
    fix: 'Read PORT and MAX_PLAYERS from the environment, and convert them to numbers.',
  },
  {
    id: 'endpoint',
    must: 'Announce MUSTER_HOST as host and MUSTER_PROBE as probe, in every announce, if they are set.',
    reason: 'Behind a tunnel or proxy, players connect to the named host. Without it, the list shows the source address.',
    fix: 'Read MUSTER_HOST and MUSTER_PROBE from the environment, and send both as they are. Leave out what is empty. Otherwise, pass --without endpoint.',
  },
  {
    id: 'families',
    must: 'Send each announce over each family that MUSTER_FAMILIES names, and the goodbye once.',
    reason: 'Players with IPv4 alone and players with IPv6 alone then find an address that they can reach.',
    fix: 'For 4,6, resolve the list for each family and send the same body to both. Go on with one if the other fails. Otherwise, pass --without families.',
  },
  {
    id: 'interval',
    must: 'After an accepted announce, wait for its nextAnnounceSeconds.',
    reason:
      'The list spreads announces by this number. Earlier ones can be rejected as TOO_OFTEN; later ones can be too late to stay online.',
    fix: 'Read nextAnnounceSeconds from each reply with a JSON parser, and sleep for that long. Never use a fixed interval.',
  },
  {
    id: 'retry-after',
    must: 'After 429 or 503, wait for the seconds in Retry-After, then announce again.',
    reason: 'Earlier announces are rejected too, and keep a busy list busy.',
    fix: 'Read the header Retry-After of 429 and 503, whatever the body is, and sleep for that long. Header names can be in lower case.',
  },
  {
    id: 'rejection-pace',
    must: 'After any other rejection, wait at least 30 seconds.',
    reason: 'Only the owner or the operator can remove the cause. Fast retries are found as ANNOUNCE_FLOOD.',
    fix: 'Sleep for 30 seconds after any status from 400 that has no Retry-After.',
  },
  {
    id: 'rejection-retry',
    must: 'After a rejection, announce again within a minute.',
    reason: 'The owner can remove the cause in the panel. The server returns to the list without a restart.',
    fix: 'Keep the loop running after a rejection. Do not exit.',
  },
  {
    id: 'reconnect',
    must: 'After a broken connection or an unusable reply, announce again within 45 seconds.',
    reason: 'The list can be restarting. A server is offline 75 seconds after its last accepted announce.',
    fix: 'Catch every error of the call and of parsing the reply. Wait a few seconds, at most 30, then announce again. Do the same if nextAnnounceSeconds is more than an hour.',
  },
  {
    id: 'timeout',
    must: 'Give up on a list that does not reply, and announce again within 45 seconds.',
    reason: 'A connection can hang forever, for example behind a firewall. The server would silently leave the list.',
    fix: 'Set a timeout of about 5 seconds for the whole call.',
  },
  {
    id: 'pace',
    must: 'Never send two announces within a second.',
    reason: 'A credential may announce ten times in a burst, then once every two seconds.',
    fix: 'Wait at least a second before every announce, also after errors and with a nextAnnounceSeconds of 0 or a billion.',
  },
  {
    id: 'one-at-a-time',
    must: 'Wait for the reply before the next announce.',
    reason: 'Announces that overtake each other show an older state.',
    fix: 'Announce from one loop: send, wait for the reply or the timeout, sleep.',
  },
  {
    id: 'stays-alive',
    must: 'Keep running, whatever the list replies.',
    reason: 'The list must never end a game server.',
    fix: 'Catch every error in the loop. The output below shows what ended the program.',
  },
  {
    id: 'prints-rejections',
    must: 'Print errors and remedy of a rejection.',
    reason: 'They tell the owner what is wrong and how to fix it.',
    fix: 'Print each sentence of errors, and remedy, to the console.',
  },
  {
    id: 'prints-notices',
    must: 'Print the message of each notice.',
    reason: 'They tell the owner what keeps the server off the list although its announces are accepted.',
    fix: 'Print message of each entry of notices to the console.',
  },
  {
    id: 'keeps-secret',
    must: 'Never print the credential.',
    reason: 'Logs are shared. Anyone with the credential can announce as this server.',
    fix: 'Remove the credential from what you log, also from dumps of the request.',
  },
  {
    id: 'goodbye',
    must: 'Send DELETE /announce within 8 seconds of SIGTERM or SIGINT.',
    reason: 'Otherwise players see a server that they cannot join for more than a minute.',
    fix: 'Handle both signals, also during a sleep: wait in a way that a signal interrupts. Then send DELETE with the credential.',
  },
  {
    id: 'goodbye-port',
    must: 'Send {"port": PORT} in DELETE /announce if it has a body, or if another process announces.',
    reason: 'The list passes over the goodbye of a process that was replaced. It tells them apart by the port.',
    fix: 'Send the announced port as a number, as application/json. Without a body, the goodbye can take the other process off the list.',
  },
  {
    id: 'udp-answer',
    must: 'Answer a UDP probe at PORT with the 40 bytes that follow from the credential, its random bytes and the endpoint.',
    reason: 'Only the holder of the credential can compute them. The list shows a named host only after this answer.',
    fix: 'Answer in the receive loop of the game, before its own protocol. docs/announcing.md has the code and a test vector. Otherwise, pass --without udp.',
  },
  {
    id: 'udp-silence',
    must: 'Answer no datagram that is not a UDP probe.',
    reason: 'Anyone could fake a sender and make the server send data to others.',
    fix: 'Compare the length with 64 and the first eight bytes with "MUSTER1 " before you compute an answer.',
  },
  {
    id: 'tcp-answer',
    must: 'Answer a TCP probe at PORT with its token, whatever the Host header is.',
    reason: 'With a named host, the list connects to it and sends its name as Host.',
    fix: 'Answer GET /.well-known/muster/TOKEN with TOKEN as the whole body. Otherwise, pass --without tcp.',
  },
  {
    id: 'tcp-silence',
    must: 'Answer no TCP probe for another server, or with the signature of another credential.',
    reason: 'The answer would prove that another server is here.',
    fix: 'Compare the public ID, and the signature if you check it. To leave the signature unchecked, pass --without signatures.',
  },
  {
    id: 'ends',
    must: 'End within 10 seconds of SIGTERM or SIGINT, whatever the list replies.',
    reason: 'Containers and service managers kill a program that takes longer.',
    fix: 'Give every call a timeout of about 5 seconds, ignore the result of the goodbye, and exit.',
  },
  {
    id: 'last-word',
    must: 'Send no announce after the goodbye.',
    reason: 'It would put the stopped server back on the list.',
    fix: 'Stop the loop first, wait for an announce in flight, then send the goodbye.',
  },
] as const satisfies readonly Rule[]

export type RuleId = (typeof RULES)[number]['id']
