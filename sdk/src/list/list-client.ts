/** Reads a master list, and follows it: the whole list once, then its stream. Without a stream it polls for changes. */
import { Emitter } from '../emitter.ts'
import { readEvents } from './event-stream.ts'
import { Rows, rowsOf } from './rows.ts'
import { type ListDelta, ListError, type ListEvents, type ListOptions, type ListedServer } from './types.ts'

const TIMEOUT_MS = 30_000
/** The list sends something every 15 seconds. */
const SILENT_STREAM_MS = 35_000
/** How long it polls before it tries the stream again, unless the list says otherwise. */
const POLLING_MS = 60_000
/** The limit of the waits that double while the list does not reply. */
const MAX_RETRY_MS = 30_000

type Fields = Readonly<Record<string, unknown>>

export class ListClient extends Emitter<ListEvents> {
  readonly #options: ListOptions
  readonly #rows = new Rows()
  #etag: string | undefined
  #version: string | undefined
  /** Until then it polls. Infinity for never a stream. */
  #pollsUntil: number
  #failures = 0
  #following: AbortController | undefined

  constructor(options: ListOptions) {
    super()
    this.#options = options
    this.#pollsUntil = options.stream === false ? Infinity : 0
  }

  /** The servers in the order of the list. A new array after each change. */
  get servers(): readonly ListedServer[] {
    return this.#rows.inOrder
  }

  /** The version of the list; undefined before the first read. */
  get version(): string | undefined {
    return this.#version
  }

  get(publicId: string): ListedServer | undefined {
    return this.#rows.get(publicId)
  }

  /** Reads the whole list. An unchanged list is not sent again. Rejects with a `ListError`. */
  async read(): Promise<readonly ListedServer[]> {
    const response = await this.#fetch('/servers?format=columns', this.#etag === undefined ? {} : { 'if-none-match': this.#etag })
    this.#version = response.headers.get('x-list-version') ?? undefined
    if (response.status === 304) return this.servers
    const rows = rowsOf(await readJson(response))
    if (rows === undefined) throw new ListError('The reply is not a list of servers.', { status: response.status })
    this.#etag = response.headers.get('etag') ?? undefined
    this.emit('change', this.#rows.replace(rows))
    return this.servers
  }

  /** Keeps `servers` up to date until `stop()`. Never throws. */
  follow(): this {
    if (this.#following !== undefined) return this
    const following = new AbortController()
    this.#following = following
    void this.#follow(following.signal)
    return this
  }

  stop(): void {
    this.#following?.abort()
    this.#following = undefined
  }

  async #follow(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      let wait: number
      try {
        wait = await this.#step(stopped)
        this.#recover()
      } catch (error) {
        wait = this.#fail(error, stopped)
      }
      await sleep(wait, stopped)
    }
  }

  /** Returns the milliseconds before the next step. */
  async #step(stopped: AbortSignal): Promise<number> {
    const pollMs = (this.#options.pollSeconds ?? 5) * 1000
    if (this.#version === undefined) {
      await this.read()
      // A list without versions is read again and again; with its ETag, that costs almost nothing.
      return this.#version === undefined ? pollMs : 0
    }
    if (performance.now() >= this.#pollsUntil) return this.#stream(this.#version, stopped)
    const response = await this.#fetch(`/servers?since=${encodeURIComponent(this.#version)}`)
    const delta = await readJson(response)
    if (!stopped.aborted) this.#apply(delta)
    return pollMs
  }

  async #stream(version: string, stopped: AbortSignal): Promise<number> {
    const ending = new AbortController()
    const end = () => ending.abort()
    stopped.addEventListener('abort', end)
    let silence = setTimeout(end, SILENT_STREAM_MS)
    let retryMs = 1000
    let hasData = false
    try {
      const response = await this.#fetch(`/servers/stream?since=${encodeURIComponent(version)}`, { accept: 'text/event-stream' }, ending)
      for await (const { data, retry } of readEvents(response)) {
        clearTimeout(silence)
        silence = setTimeout(end, SILENT_STREAM_MS)
        retryMs = retry ?? retryMs
        if (data === '') continue
        hasData = true
        this.#recover()
        this.#apply(parse(data))
        if (this.#version === undefined) break
      }
    } catch (error) {
      if (error instanceof ListError) throw error
    } finally {
      clearTimeout(silence)
      stopped.removeEventListener('abort', end)
      ending.abort()
    }
    // A proxy may hold the stream back.
    if (!hasData) this.#pollsUntil = performance.now() + POLLING_MS
    return retryMs
  }

  /** A delta that does not fit makes the next step read the whole list. */
  #apply(reply: unknown): void {
    const delta = Object(reply) as ListDelta
    const isDelta = Array.isArray(delta.changed) && Array.isArray(delta.removed) && typeof delta.version === 'string'
    const change = isDelta ? this.#rows.apply(delta) : undefined
    this.#version = change === undefined ? undefined : delta.version
    if (change === undefined || change.changed.length + change.removed.length === 0) return
    this.#etag = undefined
    this.emit('change', change)
  }

  /** Returns the milliseconds before the next attempt. */
  #fail(error: unknown, stopped: AbortSignal): number {
    if (stopped.aborted) return 0
    const failure = error instanceof ListError ? error : new ListError(messageOf(error))
    if (failure.status === 410) {
      this.#version = undefined
      // After a restart, all readers read the whole list.
      return Math.random() * 2000
    }
    if (failure.code === 'STREAMS_FULL' || failure.code === 'TOO_MANY_STREAMS') {
      this.#pollsUntil = performance.now() + Math.max(POLLING_MS, failure.retryAfter * 1000)
      return 0
    }
    this.#failures += 1
    if (this.#failures === 1) this.emit('offline', failure)
    const backoff = Math.min(MAX_RETRY_MS, 1000 * 2 ** this.#failures) * (0.5 + Math.random() / 2)
    return Math.max(failure.retryAfter * 1000, backoff)
  }

  #recover(): void {
    if (this.#failures === 0) return
    this.#failures = 0
    this.emit('recovered', { version: this.#version })
  }

  /** Rejects unless the status is 200 or 304. @param ending ends the reply; by default it must be complete in time. */
  async #fetch(path: string, headers: Readonly<Record<string, string>> = {}, ending?: AbortController): Promise<Response> {
    const { url, fetch: send = fetch } = this.#options
    let response: Response
    try {
      const signal = ending?.signal ?? AbortSignal.timeout(TIMEOUT_MS)
      response = await send(url.replace(/\/+$/, '') + path, { headers, signal })
    } catch (error) {
      throw new ListError(messageOf(error))
    }
    if (response.ok || response.status === 304) return response
    throw await rejectionOf(response)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    throw new ListError(messageOf(error), { status: response.status })
  }
}

async function rejectionOf(response: Response): Promise<ListError> {
  const { status, headers } = response
  const { errors, code, remedy } = Object(await response.json().catch(() => undefined)) as Fields
  return new ListError(Array.isArray(errors) ? errors.join(' ') : `The list replied with status ${status}.`, {
    status,
    code: typeof code === 'string' ? code : '',
    remedy: typeof remedy === 'string' ? remedy : '',
    retryAfter: Number(headers.get('retry-after')) || 0,
  })
}

function messageOf(error: unknown): string {
  const { message, cause } = Object(error) as { message?: string; cause?: { code?: string } }
  return cause?.code ?? message ?? String(error)
}

function sleep(ms: number, stopped: AbortSignal): Promise<void> {
  const { promise, resolve } = deferred()
  const timer = setTimeout(resolve, ms)
  const wake = () => {
    clearTimeout(timer)
    resolve()
  }
  stopped.addEventListener('abort', wake, { once: true })
  return promise.finally(() => stopped.removeEventListener('abort', wake))
}

/** `Promise.withResolvers` needs Node 22. */
function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
