/** Reads the manifest from a file or URL, unless it is unchanged. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { MAX_BYTES, ManifestProblem } from './manifest.ts'

const FILE_INTERVAL_MS = 10_000
const URL_INTERVAL_MS = 300_000
const TIMEOUT_MS = 5000
const MAX_REDIRECTS = 5

export interface ManifestRead {
  readonly text: string
  /** Identifies this version for the next read; undefined if the source has no version. */
  readonly stamp: string | undefined
}

export interface ManifestSource {
  readonly intervalMs: number
  /** A hash, because a URL may contain a secret. */
  readonly fingerprint: string
  /** Undefined if unchanged since that stamp. Throws ManifestProblem. */
  read(previousStamp: string | undefined, closing: AbortSignal): Promise<ManifestRead | undefined>
}

/** @param manifest DOWNLOADS_MANIFEST: a path or URL. */
export function manifestSource(manifest: string): ManifestSource {
  const isAddress = /^https?:\/\//i.test(manifest)
  const place = isAddress ? manifest : resolve(manifest)
  return {
    intervalMs: isAddress ? URL_INTERVAL_MS : FILE_INTERVAL_MS,
    fingerprint: createHash('sha256').update(place).digest('hex'),
    read: isAddress ? (before, closing) => readAddress(place, before, closing) : (before) => readFileOnce(place, before),
  }
}

const TOO_LARGE = `It is larger than ${MAX_BYTES / 1024 / 1024} MiB.`

async function readFileOnce(path: string, previousStamp: string | undefined): Promise<ManifestRead | undefined> {
  try {
    const file = await stat(path)
    if (!file.isFile()) throw new ManifestProblem(`${path} is not a file.`)
    const stamp = `${file.mtimeMs} ${file.size} ${file.ino}`
    if (stamp === previousStamp) return undefined
    if (file.size > MAX_BYTES) throw new ManifestProblem(TOO_LARGE)
    return { text: await readFile(path, 'utf8'), stamp }
  } catch (error) {
    if (error instanceof ManifestProblem) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new ManifestProblem(code === 'ENOENT' ? `There is no file ${path}.` : `The file ${path} cannot be read (${code}).`)
  }
}

async function readAddress(address: string, previousStamp: string | undefined, closing: AbortSignal): Promise<ManifestRead | undefined> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await follow(address, previousStamp, AbortSignal.any([timeout, closing]))
    if (response.status === 304 && previousStamp !== undefined) {
      await response.body?.cancel()
      return undefined
    }
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new ManifestProblem(`${nameOf(address)} answers ${response.status}.`)
    }
    return { text: await boundedText(response), stamp: stampOf(response.headers) }
  } catch (error) {
    if (error instanceof ManifestProblem) throw error
    if (timeout.aborted) throw new ManifestProblem(`${nameOf(address)} did not answer within ${TIMEOUT_MS / 1000} seconds.`)
    throw new ManifestProblem(`${nameOf(address)} cannot be reached (${causeOf(error)}).`)
  }
}

/** Follows redirects itself: a few, and never from https to http. */
async function follow(address: string, previousStamp: string | undefined, signal: AbortSignal): Promise<Response> {
  const conditions = previousStamp === undefined ? {} : (JSON.parse(previousStamp) as Record<string, string>)
  let at = address
  for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
    const response = await fetch(at, { redirect: 'manual', signal, headers: { accept: 'application/json', ...conditions } })
    const next = response.headers.get('location')
    if (![301, 302, 303, 307, 308].includes(response.status) || next === null) return response
    await response.body?.cancel()
    if (!URL.canParse(next, at)) throw new ManifestProblem(`${nameOf(address)} redirects to an invalid URL.`)
    const target = new URL(next, at)
    if (target.protocol !== 'https:' && target.protocol !== new URL(at).protocol)
      throw new ManifestProblem(`${nameOf(address)} redirects to a URL without https.`)
    at = target.href
  }
  throw new ManifestProblem(`${nameOf(address)} redirects more than ${MAX_REDIRECTS} times.`)
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop aborts the transfer.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new ManifestProblem(TOO_LARGE)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function stampOf(headers: Headers): string | undefined {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')]
  if (etag === null && modified === null) return undefined
  return JSON.stringify({ ...(etag !== null && { 'if-none-match': etag }), ...(modified !== null && { 'if-modified-since': modified }) })
}

/** Without the query, which may contain a secret. */
function nameOf(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

function causeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return cause?.code ?? code ?? 'the connection failed'
}
