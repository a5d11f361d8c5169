/** Compares what the fake list received with the rules. */
import type { Scenario } from './scenario.ts'
import type { RuleId } from './rules.ts'
import type { Seen } from './fake-list.ts'

export interface Settings {
  readonly credential: string
  readonly port: number
  readonly maxPlayers: number
}

/** A broken rule, and what was seen. */
export interface Failure {
  readonly rule: RuleId
  readonly seen: string
}

const MAX_BODY_BYTES = 8192
const MIN_PACE_MS = 950
/** A second less than the waits that the rules ask for, for imprecise timers. */
const MIN_REJECTION_MS = 29_000
const EARLY_SHARE = 0.8
const TIMER_MS = 100

export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Judges single requests, and the waits between them. */
export function* judgeRequests(seen: readonly Seen[], settings: Settings): Generator<Failure> {
  for (const request of seen) yield* judgeRequest(request, settings)
  const goodbyeAt = seen.find(({ method }) => method === 'DELETE')?.at ?? Infinity
  const announces = seen.filter(({ method }) => method !== 'DELETE')
  for (const [index, request] of announces.entries()) {
    const previous = announces[index - 1]
    if (request.at > goodbyeAt)
      return yield { rule: 'last-word', seen: `POST /announce came ${secondsText(request.at - goodbyeAt)} after the goodbye` }
    if (request.overlaps) yield { rule: 'one-at-a-time', seen: `announce ${index + 1} came while an earlier one waited for its reply` }
    else if (previous !== undefined) yield* judgeWait(previous, request, index + 1)
  }
}

function* judgeRequest({ method, path, headers, body }: Seen, { credential, port, maxPlayers }: Settings): Generator<Failure> {
  if (path !== '/announce' || !['POST', 'DELETE'].includes(method)) yield { rule: 'path', seen: `${method} ${path}` }
  if (path.includes(credential)) yield { rule: 'keeps-secret', seen: 'the credential is in the URL' }
  const { authorization = '' } = headers
  if (!/^bearer +/i.test(String(authorization)) || String(authorization).replace(/^bearer +/i, '') !== credential)
    yield { rule: 'credential', seen: authorization === '' ? `${method} without Authorization` : `${method} with another Authorization` }
  if (method === 'DELETE') return
  const type = headers['content-type']
  if (type !== undefined && !/^(application|text)\/([\w.-]+\+)?json\s*(;|$)/i.test(String(type)))
    yield { rule: 'json', seen: `Content-Type: ${String(type)}` }
  else if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    yield { rule: 'json', seen: `Content-Encoding: ${String(headers['content-encoding'])}` }
  else if (Buffer.byteLength(body) > MAX_BODY_BYTES) yield { rule: 'json', seen: `${Buffer.byteLength(body)} bytes` }
  else yield* judgeBody(body, port, maxPlayers)
}

function* judgeBody(text: string, port: number, maxPlayers: number): Generator<Failure> {
  let body: Readonly<Record<string, unknown>>
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error('not an object')
    body = parsed as typeof body
  } catch {
    return yield { rule: 'json', seen: `the body ${JSON.stringify(text.slice(0, 200))}` }
  }
  const isCount = (name: string, min: number, max: number) =>
    Number.isInteger(body[name]) && (body[name] as number) >= min && (body[name] as number) <= max
  const isWord = (name: string) => typeof body[name] === 'string' && body[name] !== '' && body[name].length <= 32
  const valid = {
    port: isCount('port', 1, 65_535),
    playersCount: isCount('playersCount', 0, 4096),
    maxPlayersCount: isCount('maxPlayersCount', 1, 4096),
    passworded: typeof body['passworded'] === 'boolean',
    version: isWord('version'),
    branch: isWord('branch'),
  }
  const invalid = Object.entries(valid).filter(([, isValid]) => !isValid)
  if (invalid.length > 0)
    yield { rule: 'fields', seen: invalid.map(([name]) => `${name}: ${JSON.stringify(body[name]) ?? 'missing'}`).join(', ') }
  if (valid.port && body['port'] !== port) yield { rule: 'settings', seen: `port ${String(body['port'])} instead of ${port}` }
  if (valid.maxPlayersCount && body['maxPlayersCount'] !== maxPlayers)
    yield { rule: 'settings', seen: `maxPlayersCount ${String(body['maxPlayersCount'])} instead of ${maxPlayers}` }
}

/** Whether an announce came too early after the answer to the previous one. */
function* judgeWait(previous: Seen, { at }: Seen, number: number): Generator<Failure> {
  const { expected, text } = previous.answer
  const sinceReply = at - (previous.answeredAt ?? previous.at)
  const sinceAnnounce = at - previous.at
  const early = `announce ${number} came ${secondsText(sinceReply)} after the reply "${text}"`
  if (expected.kind === 'interval' && sinceAnnounce < expected.seconds * 1000 * EARLY_SHARE) yield { rule: 'interval', seen: early }
  else if (expected.kind === 'retry-after' && sinceReply < expected.seconds * 1000 - TIMER_MS) yield { rule: 'retry-after', seen: early }
  else if (expected.kind === 'rejection' && sinceReply < MIN_REJECTION_MS) yield { rule: 'rejection-pace', seen: early }
  else if (sinceAnnounce < MIN_PACE_MS)
    yield { rule: 'pace', seen: `announce ${number} came ${secondsText(sinceAnnounce)} after the one before` }
}

/** @param elsewhere requests at the address that redirects lead to */
export function* judgeRedirects(elsewhere: readonly Seen[], credential: string): Generator<Failure> {
  for (const { method, headers } of elsewhere) {
    const what = String(headers.authorization).includes(credential) ? 'with' : 'without'
    yield { rule: 'redirect', seen: `${method} at the other address, ${what} the credential` }
  }
}

/** Whether the output has what the owner must see, and not what nobody must see. */
export function* judgeOutput(output: string, seen: readonly Seen[], credential: string): Generator<Failure> {
  if (output.includes(credential)) yield { rule: 'keeps-secret', seen: 'the credential is in the output' }
  // JSON that is printed as it came is fine.
  const plain = (text: string) => text.replaceAll('\\', '').replaceAll(/\s+/g, ' ')
  const printed = plain(output)
  for (const { answer, answeredAt } of seen) {
    if (answer.prints === undefined || answeredAt === undefined) continue
    const missing = answer.prints.sentences.filter((sentence) => !printed.includes(plain(sentence)))
    if (missing.length > 0)
      yield { rule: answer.prints.rule, seen: `not printed: ${missing.map((sentence) => JSON.stringify(sentence)).join(', ')}` }
  }
}

/** By when the announce after this one must come, in milliseconds since the start, and by which rule. */
export function deadlineAfter({ at, answeredAt = at, answer }: Seen): { readonly at: number; readonly rule: RuleId } {
  const { expected, downMs } = answer
  if (downMs !== undefined) return { at: answeredAt + downMs + 45_000, rule: 'reconnect' }
  if (expected.kind === 'failure') return { at: answeredAt + 45_000, rule: 'reconnect' }
  if (expected.kind === 'silence') return { at: at + 45_000, rule: 'timeout' }
  if (expected.kind === 'interval' || expected.kind === 'retry-after')
    return { at: answeredAt + expected.seconds * 1250 + 5000, rule: expected.kind }
  return { at: answeredAt + 60_000, rule: 'rejection-retry' }
}

/** By when the first announce must come. */
export function firstDeadline({ downAtStartMs }: Scenario): { readonly at: number; readonly rule: RuleId } {
  return downAtStartMs === undefined ? { at: 30_000, rule: 'first-announce' } : { at: downAtStartMs + 45_000, rule: 'reconnect' }
}
