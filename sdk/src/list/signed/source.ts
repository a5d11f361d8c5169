/** Reads the files of a signed list from the list or a mirror, within limits of bytes and time. */

const REQUEST_MS = 10_000
const MAX_KEY_BYTES = 256 * 1024
const MAX_HEAD_BYTES = 2 * 1024 * 1024

/** The address without what people paste at its end. */
export const baseOf = (url: string): string => url.replace(/\/+$/, '')

export class Source {
  readonly url: string
  readonly #fetch: typeof fetch
  readonly #stopped: AbortSignal

  /** @param stopped ends all requests. */
  constructor(url: string, send: typeof fetch, stopped: AbortSignal) {
    this.url = baseOf(url)
    this.#fetch = send
    this.#stopped = stopped
  }

  /** Key notes and head. Rejects with a clause about the source. */
  async texts(): Promise<readonly [keys: string, head: string]> {
    const [keys, head] = await Promise.all([this.#read('/signed/keys', MAX_KEY_BYTES), this.#read('/signed/head', MAX_HEAD_BYTES)])
    return [textOf(keys), textOf(head)]
  }

  /** The bytes, which are not verified yet. */
  chunk({ sha256, bytes }: { readonly sha256: string; readonly bytes: number }): Promise<Uint8Array> {
    return this.#read(`/signed/chunks/${sha256}`, bytes)
  }

  async #read(path: string, maxBytes: number): Promise<Uint8Array> {
    const ending = new AbortController()
    const end = () => ending.abort(new Error('its list did not arrive in time'))
    const timer = setTimeout(() => ending.abort(new Error(`it did not send ${path} within ${REQUEST_MS / 1000} seconds`)), REQUEST_MS)
    this.#stopped.addEventListener('abort', end)
    if (this.#stopped.aborted) end()
    try {
      return await this.#receive(path, maxBytes, ending.signal)
    } catch (error) {
      // What `fetch` throws then is another error in each environment.
      if (ending.signal.aborted) throw ending.signal.reason as Error
      throw error
    } finally {
      clearTimeout(timer)
      this.#stopped.removeEventListener('abort', end)
      ending.abort()
    }
  }

  async #receive(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const response = await until(
      signal,
      // A cached head or key notes may not fit to the rest.
      this.#fetch(this.url + path, { signal, cache: path.includes('/chunks/') ? 'default' : 'no-cache' }).catch((error: unknown) => {
        throw new Error(`it does not answer: ${causeOf(error)}`)
      }),
    )
    if (response.status !== 200) throw new Error(`it answered ${path} with status ${response.status}`)
    const reader = response.body?.getReader()
    const parts: Uint8Array[] = []
    let length = 0
    for (let part = await read(reader, signal); part !== undefined; part = await read(reader, signal)) {
      parts.push(part)
      length += part.length
      if (length > maxBytes) throw new Error(`it sent more than ${maxBytes} bytes for ${path}`)
    }
    return joined(parts, length)
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array> | undefined, signal: AbortSignal): Promise<Uint8Array | undefined> {
  if (reader === undefined) return undefined
  try {
    return (await until(signal, reader.read())).value
  } catch (error) {
    throw signal.aborted ? error : new Error(`its answer broke off: ${causeOf(error)}`)
  }
}

/** Rejects when the signal does, even if the promise never ends. */
async function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  let stop = () => {}
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop)
  })
  try {
    if (signal.aborted) throw signal.reason as Error
    return await Promise.race([promise, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('it sent a text that is not UTF-8')
  }
}

function causeOf(error: unknown): string {
  const { message, cause } = Object(error) as { message?: string; cause?: { code?: string } }
  return cause?.code ?? message ?? String(error)
}
