/** Compares what the fake list received with the rules. */
import { isHost } from '../endpoint.ts'
import type { VERDICTS } from './answers.ts'
import { isCredential } from './credential.ts'
import type { Scenario } from './scenario.ts'
import type { RuleId } from './rules.ts'
import type { Seen } from './fake-list.ts'

export interface Settings {
  readonly credential: string
  readonly port: number
  readonly maxPlayers: number
  readonly host?: string | undefined
  readonly probe?: string | undefined
}

/** A broken rule, and what was seen. */
export interface Failure {
  readonly rule: RuleId
  readonly seen: string
  /** The code with which a master list rejects the request. */
  readonly code?: keyof typeof VERDICTS
}

/** The paths that a master list takes for an announce. */
const ANNOUNCE = /^\/announce\/?(\?|$)/
const MAX_BODY_BYTES = 8192
const MIN_PACE_MS = 950
/** A second less than the waits that the rules ask for, for imprecise timers. */
const MIN_REJECTION_MS = 29_000
const EARLY_SHARE = 0.8
/** A second goodbye after this time follows a timeout. */
const GOODBYE_TIMEOUT_MS = 1500
const TIMER_MS = 100

export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Judges single requests, and the waits between them. */
export function* judgeRequests(seen: readonly Seen[], settings: Settings): Generator<Failure> {
  for (const request of seen) yield* judgeRequest(request, settings)
  const goodbyeAt = seen.find(({ method }) => method === 'DELETE')?.at ?? Infinity
  const announces = seen.filter(({ method }) => method !== 'DELETE')
  for (const { at } of announces)
    if (at > goodbyeAt) return yield { rule: 'last-word', seen: `POST /announce came ${secondsText(at - goodbyeAt)} after the goodbye` }
  // Each family has waits of its own.
  for (const family of [4, 6]) yield* judgeWaits(announces.filter((request) => request.family === family))
}

function* judgeWaits(announces: readonly Seen[]): Generator<Failure> {
  for (const [index, request] of announces.entries()) {
    const previous = announces[index - 1]
    if (request.overlaps) yield { rule: 'one-at-a-time', seen: `announce ${index + 1} came while an earlier one waited for its reply` }
    else if (previous !== undefined) yield* judgeWait(previous, request, index + 1)
  }
}

/** Judges what only some scenarios ask for. */
export function* judgeScenario(seen: readonly Seen[], { families, isReplaced = false }: Scenario): Generator<Failure> {
  const goodbyes = seen.filter(({ method }) => method === 'DELETE')
  const other = families && seen.find(({ family }) => !families.includes(family))
  if (other !== undefined)
    yield { rule: 'families', seen: `${other.method} over IPv${other.family}, with MUSTER_FAMILIES=${families?.join()}` }
  const [first, second] = goodbyes
  if (families !== undefined && first !== undefined && second !== undefined && second.at - first.at < GOODBYE_TIMEOUT_MS)
    yield { rule: 'families', seen: `${goodbyes.length} times DELETE /announce` }
  if (isReplaced && goodbyes.some(({ body }) => body === ''))
    yield { rule: 'goodbye-port', seen: 'DELETE /announce without a body, while another process announces' }
}

/** Judges one request. The first failure with a code is why a master list rejects it. */
export function* judgeRequest(request: Seen, settings: Settings): Generator<Failure> {
  const { method, path, headers, body } = request
  const { credential } = settings
  if (path !== '/announce') yield { rule: 'path', seen: `${method} ${path}`, ...(!ANNOUNCE.test(path) && { code: 'NOT_FOUND' }) }
  else if (!['POST', 'DELETE'].includes(method)) yield { rule: 'path', seen: `${method} ${path}`, code: 'METHOD_NOT_ALLOWED' }
  if (path.includes(credential)) yield { rule: 'keeps-secret', seen: 'the credential is in the URL' }
  const [, sent] = /^bearer +(.*)$/i.exec(String(headers['authorization'] ?? '')) ?? []
  if (sent === undefined) yield { rule: 'credential', seen: `${method} without Authorization`, code: 'CREDENTIAL_MISSING' }
  else if (sent !== credential) {
    const code = isCredential(sent) ? 'CREDENTIAL_UNKNOWN' : 'CREDENTIAL_MALFORMED'
    yield { rule: 'credential', seen: `${method} with another Authorization`, code }
  }
  if (method === 'DELETE' && body === '') return
  const type = String(headers['content-type'] ?? 'application/json')
  if (!/^(application|text)\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    yield { rule: 'json', seen: `Content-Type: ${type}`, code: 'BODY_WRONG_TYPE' }
  const encoding = String(headers['content-encoding'] ?? 'identity')
  if (encoding !== 'identity') return yield { rule: 'json', seen: `Content-Encoding: ${encoding}`, code: 'BODY_WRONG_TYPE' }
  const bytes = Buffer.byteLength(body)
  if (bytes > MAX_BODY_BYTES) yield { rule: 'json', seen: `${bytes} bytes`, code: 'BODY_TOO_LARGE' }
  yield* judgeBody(request, settings)
}

function* judgeBody({ method, body: text }: Seen, settings: Settings): Generator<Failure> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return yield { rule: 'json', seen: `the body ${JSON.stringify(text.slice(0, 200))}`, code: 'BODY_NOT_JSON' }
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return yield { rule: 'json', seen: `the body ${JSON.stringify(text.slice(0, 200))}`, code: 'BODY_INVALID' }
  yield* (method === 'DELETE' ? judgeGoodbye : judgeFields)(body as Fields, settings)
}

type Fields = Readonly<Record<string, unknown>>

function* judgeGoodbye({ port }: Fields, settings: Settings): Generator<Failure> {
  if (port === settings.port) return
  const isValid = port === undefined || port === null || isCount(port, 1, 65_535)
  yield {
    rule: 'goodbye-port',
    seen: `DELETE /announce with the port ${JSON.stringify(port) ?? 'missing'} instead of ${settings.port}`,
    ...(!isValid && { code: 'BODY_INVALID' }),
  }
}

const isCount = (value: unknown, min: number, max: number) =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max
const isText = (value: unknown, max: number) => typeof value === 'string' && value.length <= max
const isWord = (value: unknown) => isText(value, 32) && value !== ''
const isFlag = (value: unknown) => typeof value === 'boolean'
const isUrl = (value: unknown) =>
  isText(value, 255) && (value === '' || (/^https?:/i.test(value as string) && URL.canParse(value as string)))

const REQUIRED: Readonly<Record<string, (value: unknown) => boolean>> = {
  port: (value) => isCount(value, 1, 65_535),
  playersCount: (value) => isCount(value, 0, 4096),
  maxPlayersCount: (value) => isCount(value, 1, 4096),
  passworded: isFlag,
  version: isWord,
  branch: isWord,
}
const OPTIONAL: typeof REQUIRED = {
  queueCount: (value) => isCount(value, 0, 65_535),
  host: (value) => isText(value, 255) && (value === '' || isHost(value as string)),
  probe: (value) => ['tcp', 'udp', 'none', ''].includes(value as string),
  gameMode: (value) => isText(value, 32),
  useVoiceChat: isFlag,
  useEarlyAuth: isFlag,
  earlyAuthUrl: isUrl,
  useCdn: isFlag,
  cdnUrl: isUrl,
}

function* judgeFields(body: Fields, { port, maxPlayers, host, probe }: Settings): Generator<Failure> {
  const invalid = [
    ...Object.entries(REQUIRED).filter(([name, isValid]) => !isValid(body[name])),
    // Null counts as missing.
    ...Object.entries(OPTIONAL).filter(([name, isValid]) => !isValid(body[name]) && (body[name] ?? undefined) !== undefined),
  ].map(([name]) => name)
  if (invalid.length > 0) {
    const seen = invalid.map((name) => `${name}: ${JSON.stringify(body[name]) ?? 'missing'}`).join(', ')
    yield { rule: 'fields', seen, code: 'BODY_INVALID' }
  }
  for (const [name, expected] of Object.entries({ port, maxPlayersCount: maxPlayers }))
    if (!invalid.includes(name) && body[name] !== expected)
      yield { rule: 'settings', seen: `${name} ${String(body[name])} instead of ${expected}` }
  for (const [name, expected] of Object.entries({ host, probe }))
    if (expected !== undefined && !invalid.includes(name) && (body[name] ?? '') !== expected)
      yield { rule: 'endpoint', seen: `${name} ${JSON.stringify(body[name]) ?? 'missing'} instead of ${JSON.stringify(expected)}` }
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
