/** `mirror URL --public-key KEY`: serves the signed list of another Muster, verified. `help.ts` describes the options. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '#backend/platform/clock.ts'
import { parsePublicKey } from '#backend/platform/signing/signed-note.ts'
import { onStopSignal } from '#backend/platform/stop-signals.ts'
import { createMirrorServer } from './mirror/mirror-server.ts'
import { MirroredList } from './mirror/mirrored-list.ts'

/** How far a mirror is behind its source. */
const FOLLOW_MS = 5000
/** A busy reader may keep a stopping mirror for this long. */
const CLOSE_MS = 3000

export const MIRROR_OPTIONS = {
  'public-key': { type: 'string' },
  listen: { type: 'string', default: '127.0.0.1:3002' },
  folder: { type: 'string' },
} as const

export async function mirror(args: readonly string[]): Promise<void> {
  const { url, publicKey, host, port, folder } = readOptions(args)
  const list = new MirroredList(publicKey, systemClock, folder)
  await list.load().then(
    (hasLoaded) => hasLoaded && print(`loaded ${describe(list)} from ${folder}`),
    (error: unknown) => print(`the folder has no usable list: ${messageOf(error)}`),
  )
  const server = createMirrorServer(list)
  await listen(server, host, port)
  print(`mirror of ${url} listens on http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`)
  const stopped = new AbortController()
  onStopSignal(() => stopped.abort())
  await follow(list, url, stopped.signal)
  server.close()
  setTimeout(() => server.closeAllConnections(), CLOSE_MS).unref()
  await once(server, 'close')
  print('stopped')
  process.exit(0)
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: MIRROR_OPTIONS })
  const [url, ...more] = positionals
  if (url === undefined || more.length > 0) throw new Error('Usage: npm run muster -- mirror URL --public-key KEY [options]')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Error('URL must begin with http:// or https://.')
  const publicKey = parsePublicKey(values['public-key'] ?? '')
  if (publicKey === undefined)
    throw new Error(
      '--public-key must be the public key of the list, such as list.example.com/root+0a1b2c3d+A…. Its operator publishes it.',
    )
  const [, host = '', port = ''] = /^(?:\[?([^\]]*)\]?:)?(\d{1,5})$/.exec(values.listen) ?? []
  if (port === '' || Number(port) > 65_535) throw new Error('--listen must be HOST:PORT, such as 0.0.0.0:3002.')
  return { url: url.replace(/\/+$/, ''), publicKey: publicKey.text, host: host || '::', port: Number(port), folder: values.folder }
}

async function listen(server: ReturnType<typeof createMirrorServer>, host: string, port: number): Promise<void> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw new Error(`Cannot listen on ${host}:${port}: ${messageOf(error)}.`)
  }
}

/** Copies every change until it is stopped. Logs when that begins to fail, and when it works again. */
async function follow(list: MirroredList, url: string, stopped: AbortSignal): Promise<void> {
  let problem = list.current === undefined ? 'there is no list yet' : ''
  while (!stopped.aborted) {
    const failure = await updateOnce(list, url, stopped)
    if (stopped.aborted) return
    if (failure === '' && problem !== '') print(`serving ${describe(list)}`)
    // The same failure in other words is no news.
    else if (failure !== '' && (problem === '' || problem === 'there is no list yet')) print(`${failure} Will retry.`)
    problem = failure
    await sleep(FOLLOW_MS, undefined, { signal: stopped }).catch(() => undefined)
  }
}

/** Returns the failure, or an empty text. */
async function updateOnce(list: MirroredList, url: string, stopped: AbortSignal): Promise<string> {
  try {
    await list.update(url, stopped)
  } catch (error) {
    const what = list.current === undefined ? 'There is no list to serve.' : `Still serving ${describe(list)}.`
    return `${url} has no usable list: ${messageOf(error)}. ${what}`
  }
  try {
    await list.store()
    return ''
  } catch (error) {
    return `the folder cannot be written: ${messageOf((error as Error).cause)}.`
  }
}

const describe = ({ current }: MirroredList) => `version ${current?.head.version} of ${current?.head.time}`

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const print = (line: string) => void process.stdout.write(`${new Date(systemClock.now()).toISOString()} ${line}\n`)
