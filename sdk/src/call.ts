/** One call to the master list. It never throws, and takes at most ten seconds. */
import type { Accepted, Notice } from './types.ts'

const TIMEOUT_MS = 10_000
const MAX_REPLY_CHARACTERS = 65_536
const DEFAULT_INTERVAL_SECONDS = 30
/** Below, a wrong reply would flood the list. Above, it would keep the server off the list. */
const [MIN_SECONDS, MAX_SECONDS] = [1, 3600]

export type Reply =
  | { readonly result: 'accepted'; readonly accepted: Accepted; readonly notices: readonly Notice[] }
  | { readonly result: 'rejected'; readonly status: number; readonly rejection: Notice; readonly retryAfter: number | undefined }
  /** No reply, with status 0, or one that no master list sends. */
  | { readonly result: 'failed'; readonly status: number; readonly message: string; readonly retryAfter: number | undefined }

export interface CallOptions {
  /** As `baseOf` returns it. */
  readonly url: string
  readonly credential: string
  readonly fetch?: typeof fetch | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** The address of the list, also if it was pasted with the path of an announce. */
export const baseOf = (url: string): string =>
  url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/+announce$/, '')

/** Announces. @param body the JSON text. @param signal ends the call early. */
export const sendAnnounce = (options: CallOptions, body: string, signal?: AbortSignal): Promise<Reply> =>
  call(options, 'POST', '/announce', body, signal)

/** Takes the server off the list, unless another port announced last. */
export const sendGoodbye = (options: CallOptions, port: number, signal?: AbortSignal): Promise<Reply> =>
  call(options, 'DELETE', '/announce', JSON.stringify({ port }), signal)

/** Asks the list about the credential. The server stays as it is: not online, not bound to this address, and no attempt is recorded. */
export const checkCredential = (options: CallOptions): Promise<Reply> => call(options, 'POST', '/cloud-auth/verify', '{"ticket":"dry-run"}')

async function call(
  { url, credential, fetch: send = fetch }: CallOptions,
  method: string,
  path: string,
  body?: string,
  signal?: AbortSignal,
): Promise<Reply> {
  const abort = new AbortController()
  signal?.addEventListener('abort', () => abort.abort(signal.reason), { once: true })
  let timer: ReturnType<typeof setTimeout> | undefined
  // The race also ends calls of a `fetch` that ignores its signal.
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no reply within 10 seconds')), TIMEOUT_MS)
  })
  const exchange = async () => {
    const response = await send(url + path, {
      method,
      redirect: 'manual',
      signal: abort.signal,
      headers: { authorization: `Bearer ${credential}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    })
    return readReply(response, await readText(response))
  }
  try {
    return await Promise.race([exchange(), timeout])
  } catch (error) {
    abort.abort()
    return { result: 'failed', status: 0, message: messageOf(error), retryAfter: undefined }
  } finally {
    clearTimeout(timer)
  }
}

/** An error of fetch hides its reason in `cause`. */
function messageOf(error: unknown): string {
  const { message, cause } = Object(error) as { message?: string; cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message ?? String(error)
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
    text += decoder.decode(chunk.value, { stream: true })
    if (text.length > MAX_REPLY_CHARACTERS) throw new Error('the reply is too large')
  }
  return text
}

/** Of rejections without a code of their own, such as those of the panel or a proxy: followed by the status. */
const FOREIGN_CODE = 'HTTP_'

/** Whether the rejection has the code of a master list. */
export const isFromList = ({ code }: Notice): boolean => !code.startsWith(FOREIGN_CODE)

function readReply({ status, headers }: Response, text: string): Reply {
  const reply = parseObject(text)
  const retryAfter = secondsOf(headers.get('retry-after') ?? undefined)
  if (status === 204 || (status === 200 && reply !== undefined)) return readAccepted(reply ?? {})
  if (status >= 400 && Array.isArray(reply?.['errors'])) {
    const rejection = {
      code: textOf(reply['code']) || `${FOREIGN_CODE}${status}`,
      message: reply['errors'].map(textOf).join(' '),
      remedy: textOf(reply['remedy']),
    }
    return { result: 'rejected', status, rejection, retryAfter }
  }
  const message = status === 200 ? 'the reply is not from a master list' : `the list replied with status ${status}`
  return { result: 'failed', status, message, retryAfter }
}

function readAccepted(reply: Fields): Reply {
  const accepted = {
    publicId: textOf(reply['publicId']),
    listed: reply['listed'] === true,
    nextAnnounceSeconds: intervalOf(reply['nextAnnounceSeconds']),
    cloudAuth: (Object(reply['features']) as Fields)['cloudAuth'] === true,
  }
  const notices = Array.isArray(reply['notices']) ? reply['notices'].map((notice) => Object(notice) as Fields) : []
  return {
    result: 'accepted',
    accepted,
    notices: notices.map(({ code, message, remedy }) => ({ code: textOf(code), message: textOf(message), remedy: textOf(remedy) })),
  }
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function secondsOf(value: unknown): number | undefined {
  const seconds = Number(value)
  return seconds > 0 ? Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, seconds)) : undefined
}

/** An interval of more than an hour is a mistake. */
function intervalOf(value: unknown): number {
  return Number(value) > MAX_SECONDS ? DEFAULT_INTERVAL_SECONDS : (secondsOf(value) ?? DEFAULT_INTERVAL_SECONDS)
}
