/** One attempt to deliver: signs, posts, and reads the reply. */
import { Webhook as Signer } from 'standardwebhooks'
import { m } from '#api-messages'
import type { Clock } from '#backend/platform/clock.ts'
import { AppError } from '#backend/platform/errors.ts'
import type { PostPublic } from '#backend/platform/outbound/guarded-client.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { WebhookRow } from './webhooks.queries.ts'

const TIMEOUT_MS = 10_000
/** The longest pause that a receiver can ask for with `Retry-After`. */
const MAX_PAUSE_SECONDS = 3600

type Secrets = Pick<WebhookRow, 'secret' | 'previous_secret' | 'previous_secret_until' | 'older_secrets'>

export interface Target extends Secrets, Pick<WebhookRow, 'kind' | 'url'> {
  readonly event_id: string
  readonly body: string
  /** Of the request that caused it. */
  readonly traceparent: string | null
}

/** What one attempt did. */
export interface Attempt {
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly response: { readonly status: number; readonly body: string; readonly retryAfterSeconds: number | undefined } | undefined
  /** Undefined after a success. */
  readonly error: string | undefined
}

/** Rejects only if something else than the receiver failed. */
export async function sendAttempt(post: PostPublic, clock: Clock, { url, body, ...target }: Target): Promise<Attempt> {
  const [attemptedAt, startedAt] = [new Date(clock.now()), clock.uptime()]
  const headers = headersOf({ ...target, body }, attemptedAt)
  const done = (rest: Pick<Attempt, 'response' | 'error'>): Attempt => {
    const durationMs = Math.round(clock.uptime() - startedAt)
    return { attemptedAt, durationMs, headers: withoutSignature(headers), ...rest }
  }
  try {
    const { status, headers: replyHeaders, body: excerpt } = await post(url, { headers, body, timeoutMs: TIMEOUT_MS })
    // Postgres can't store NUL in a text.
    const text = excerpt.toString('utf8').replaceAll('\0', '\uFFFD')
    return done({
      response: { status, body: text, retryAfterSeconds: retryAfterOf(target.kind, replyHeaders, text, clock.now()) },
      error: errorOf(status),
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return done({ response: undefined, error: error.message })
  }
}

function headersOf({ kind, event_id: id, body, traceparent, ...secrets }: Omit<Target, 'url'>, at: Date): Record<string, string> {
  const headers = { 'content-type': 'application/json' }
  if (kind === 'discord') return headers
  const signatures = signingSecrets(secrets, at).map((each) => new Signer(each).sign(id, at, body))
  return {
    ...headers,
    ...(traceparent !== null && { traceparent }),
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    // The operator's webhook has no secret.
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  }
}

function signingSecrets(
  { secret, previous_secret: previous, previous_secret_until: until, older_secrets: older }: Secrets,
  at: Date,
): string[] {
  const formers = [{ secret: previous, until: until ?? 0 }, ...older].filter((former) => new Date(former.until) > at)
  return [secret, ...formers.map((former) => former.secret)].filter((each) => each !== null)
}

/** A log with signatures would let its readers replay deliveries. */
function withoutSignature({ 'webhook-signature': signature, ...headers }: Record<string, string>): Record<string, string> {
  return signature === undefined ? headers : { ...headers, 'webhook-signature': 'v1,…' }
}

function errorOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return m.delivery_redirects({}, STORED)
  return m.delivery_status({ status }, STORED)
}

export const endOf = ({ attemptedAt, durationMs }: Attempt) => new Date(attemptedAt.getTime() + durationMs)

/** Until when the receiver of a failed attempt asks to wait. */
export function pauseOf(attempt: Attempt): Date | undefined {
  const seconds = attempt.error === undefined ? undefined : attempt.response?.retryAfterSeconds
  return seconds === undefined ? undefined : new Date(endOf(attempt).getTime() + Math.min(seconds, MAX_PAUSE_SECONDS) * 1000)
}

/** Seconds, from Discord's body or the header, which has seconds or a date. */
function retryAfterOf(
  kind: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  now: number,
): number | undefined {
  const inBody = kind === 'discord' ? /"retry_after"\s*:\s*(\d+(?:\.\d+)?)/.exec(body)?.[1] : undefined
  const text = inBody ?? headers['retry-after']
  if (typeof text !== 'string') return undefined
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
