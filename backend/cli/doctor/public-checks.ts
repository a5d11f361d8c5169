/** Checks of `doctor`: whether the program runs, and how it is reached from outside. */
import proxyAddress from '@fastify/proxy-addr'
import { z } from 'zod'
import { Connection } from '#contract/servers/connection.ts'
import { localUrl } from '#backend/cli/local-url.ts'
import { systemClock } from '#backend/platform/clock.ts'
import type { Env } from '#backend/platform/env.ts'
import { RELEASE } from '#backend/platform/version.ts'
import { type Check, type Finding, failed, ok, skipped, warning } from './check.ts'
import { clockFinding } from './clock-finding.ts'
import { type Fetched, fetchJson } from './fetch-json.ts'

/** TEST-NET-1 (RFC 5737): nobody's address. */
const FORGED_ADDRESS = '192.0.2.1'
const About = z.object({ data: z.object({ release: z.string().optional(), masterlist_url: z.string() }) })
const Info = z.object({ serversCount: z.number(), playersCount: z.number() })

/** One listener with its address for visitors. */
interface Listener {
  readonly name: string
  readonly variable: 'PUBLIC_URL' | 'MASTERLIST_PUBLIC_URL'
  readonly portVariable: 'PORT' | 'MASTERLIST_PORT'
  readonly publicUrl: string | undefined
  readonly connectionPath: string
}

/** What answers at an address. */
type Answerer = 'the panel' | 'the master list' | 'another program'

/** @param isFolderInUse whether a program uses the embedded database. */
export function createPublicChecks(env: Env, isFolderInUse: () => Promise<boolean>): readonly Check[] {
  const { PUBLIC_URL, MASTERLIST_PUBLIC_URL } = env
  const panel: Listener = {
    name: 'panel',
    variable: 'PUBLIC_URL',
    portVariable: 'PORT',
    publicUrl: PUBLIC_URL,
    connectionPath: '/api/public/connection',
  }
  const list: Listener = {
    name: 'master list',
    variable: 'MASTERLIST_PUBLIC_URL',
    portVariable: 'MASTERLIST_PORT',
    publicUrl: MASTERLIST_PUBLIC_URL,
    connectionPath: '/connection',
  }
  return [
    { id: 'program', title: 'Program', run: () => checkProgram(env, isFolderInUse) },
    { id: 'panel-address', title: 'Address of the panel', run: () => checkPanelAddress(env, panel) },
    { id: 'list-address', title: 'Address of the list', run: () => checkListAddress(list) },
    { id: 'panel-proxy', title: 'Proxy of the panel', run: () => checkProxy(env, panel) },
    { id: 'list-proxy', title: 'Proxy of the list', run: () => checkProxy(env, list) },
    { id: 'public-clock', title: 'Clock of PUBLIC_URL', run: () => checkClock(PUBLIC_URL) },
  ]
}

async function checkProgram({ HOST, PORT, MASTERLIST_PORT }: Env, isFolderInUse: () => Promise<boolean>): Promise<Finding> {
  const listeners = await Promise.all(
    [
      { variable: 'PORT', port: PORT, name: 'the panel' },
      { variable: 'MASTERLIST_PORT', port: MASTERLIST_PORT, name: 'the master list' },
    ].map(async (listener) => {
      const url = localUrl(HOST, listener.port)
      const [readiness, answerer] = await Promise.all([fetchJson(`${url}/readyz`), answererAt(url)])
      return { ...listener, readiness, answerer }
    }),
  )
  const remedy = 'Give this command and Muster the same PORT and MASTERLIST_PORT.'
  if (listeners.every(({ answerer }) => answerer === undefined)) {
    if (await isFolderInUse()) return failed(`Muster runs on DATA_DIR, but not on the ports ${PORT} and ${MASTERLIST_PORT}.`, remedy)
    return skipped(`Muster does not run on this machine, at least not on the ports ${PORT} and ${MASTERLIST_PORT}.`)
  }
  const wrong = listeners.find(({ name, answerer }) => answerer !== name)
  if (wrong !== undefined)
    return failed(`${wrong.variable} is ${wrong.port}, where ${wrong.answerer ?? 'nothing'} answers, not ${wrong.name}.`, remedy)
  const notReady = listeners.find(({ readiness }) => 'status' in readiness && readiness.status !== 200)?.readiness
  if (notReady !== undefined && 'text' in notReady)
    return failed(
      `Muster runs here, but is not ready: ${notReady.text.trim().slice(0, 200)}.`,
      'Read its log. The other checks may show the cause.',
    )
  return ok('Muster runs on this machine, and both listeners are ready.')
}

/** What answers at this address; undefined if nothing does. */
async function answererAt(url: string): Promise<Answerer | undefined> {
  const [info, about] = await Promise.all([fetchJson(`${url}/servers/info`), fetchJson(`${url}/api/about`)])
  if ('json' in info && Info.safeParse(info.json).success) return 'the master list'
  if ('json' in about && About.safeParse(about.json).success) return 'the panel'
  return 'status' in info ? 'another program' : undefined
}

async function checkPanelAddress({ MASTERLIST_PUBLIC_URL }: Env, listener: Listener): Promise<Finding> {
  const { publicUrl } = listener
  if (publicUrl === undefined) return notSet(listener)
  const reply = await fetchJson(`${publicUrl}/api/about`)
  const about = About.safeParse('json' in reply ? reply.json : undefined)
  if (!about.success) return unreachable(listener, publicUrl, reply)
  const { release, masterlist_url: listUrl } = about.data.data
  if (MASTERLIST_PUBLIC_URL !== undefined && listUrl !== MASTERLIST_PUBLIC_URL)
    return warning(`${publicUrl} answers, but names another list: ${listUrl}.`, 'Give all nodes the same configuration, or restart Muster.')
  if (release !== RELEASE)
    return warning(
      `${publicUrl} answers with release ${release ?? 'of an older program'}; this is ${RELEASE}.`,
      'Upgrade the other nodes, or run this command there.',
    )
  return ok(`${publicUrl} is reachable from here.`)
}

async function checkListAddress(listener: Listener): Promise<Finding> {
  const { publicUrl } = listener
  if (publicUrl === undefined) return notSet(listener)
  const reply = await fetchJson(`${publicUrl}/servers/info`)
  const info = Info.safeParse('json' in reply ? reply.json : undefined)
  if (!info.success) return unreachable(listener, publicUrl, reply)
  return ok(`${publicUrl} is reachable from here; servers on the list: ${info.data.serversCount}.`)
}

function notSet({ name, variable }: Listener): Finding {
  return skipped(`${variable} is not set, so the ${name} has no public address.`)
}

async function unreachable({ name, variable, portVariable }: Listener, url: string, reply: Fetched): Promise<Finding> {
  const answerer = await answererAt(url)
  if (answerer === 'the panel' || answerer === 'the master list')
    return failed(
      `${variable} is ${url}, where ${answerer} answers, not the ${name}.`,
      `Swap PUBLIC_URL and MASTERLIST_PUBLIC_URL, or make the proxy forward this name to ${portVariable}.`,
    )
  if ('failure' in reply)
    return failed(
      `${url} could not be reached from here, because ${reply.failure}.`,
      `Check DNS, firewall, proxy and ${variable}. If other machines reach it, your router does not route back: add the name to /etc/hosts.`,
    )
  const location = reply.headers.get('location')
  if (location !== null) return failed(`${url} redirects to ${location}.`, `Set ${variable} to the address after the redirect.`)
  return failed(
    `${url} answers with status ${reply.status}, but not as the ${name}.`,
    `Make the proxy forward this name to ${portVariable}, and check that Muster runs.`,
  )
}

/** Announces bind a server to the address that the list sees, and limits count by it, so a wrong proxy breaks both. */
async function checkProxy({ TRUSTED_PROXIES }: Env, listener: Listener): Promise<Finding> {
  const { publicUrl, connectionPath } = listener
  if (publicUrl === undefined) return notSet(listener)
  const read = async (headers: Readonly<Record<string, string>> = {}) => {
    const reply = await fetchJson(`${publicUrl}${connectionPath}`, headers)
    const body = 'json' in reply ? reply.json : undefined
    return Connection.safeParse((body as { data?: unknown } | undefined)?.data ?? body).data
  }
  const [plain, forged] = await Promise.all([read(), read({ 'x-forwarded-for': FORGED_ADDRESS })])
  if (plain === undefined || forged === undefined) return skipped(`${publicUrl} does not say how it sees a request.`)
  const isTrusted = proxyAddress.compile([...TRUSTED_PROXIES])
  // If this machine is itself a trusted proxy, it may name any address.
  const mayForge = TRUSTED_PROXIES.length > 0 && isTrusted(plain.address, 0)
  if (forged.address === FORGED_ADDRESS && !mayForge)
    return failed(
      'Callers can choose their own address: X-Forwarded-For of a caller is believed.',
      'Name only the addresses of your proxies in TRUSTED_PROXIES, and let the outermost one replace X-Forwarded-For.',
    )
  return proxyFinding(plain, new URL(publicUrl))
}

function proxyFinding({ address, protocol, host, forwarded }: Connection, { protocol: scheme, host: publicHost }: URL): Finding {
  if (forwarded === 'ignored')
    return failed(
      `The proxy at ${address} is not trusted, so all callers share its address, its limits and its bound servers.`,
      `Set TRUSTED_PROXIES=${address} and restart Muster.`,
    )
  if (forwarded === 'no' && scheme === 'https:')
    return failed(
      `The proxy at ${address} does not send X-Forwarded-For, so all callers share its address.`,
      `Make it send X-Forwarded-For, and set TRUSTED_PROXIES=${address}.`,
    )
  if (host !== publicHost)
    return warning(`The proxy asks for the host ${host} instead of ${publicHost}.`, 'Make it forward the Host header unchanged.')
  if (forwarded === 'trusted' && `${protocol}:` !== scheme)
    return warning(`The proxy says that callers use ${protocol}, not ${scheme.slice(0, -1)}.`, 'Make it send X-Forwarded-Proto.')
  return ok(
    forwarded === 'trusted'
      ? `Requests come through a trusted proxy; this machine is ${address}.`
      : `No proxy is in front; this machine is ${address}.`,
  )
}

async function checkClock(publicUrl: string | undefined): Promise<Finding> {
  if (publicUrl === undefined) return skipped('PUBLIC_URL is not set.')
  const before = systemClock.now()
  const reply = await fetchJson(`${publicUrl}/healthz`)
  const date = 'headers' in reply ? Date.parse(reply.headers.get('date') ?? '') : Number.NaN
  if (Number.isNaN(date)) return skipped(`${publicUrl} sends no Date header.`)
  // The header has whole seconds.
  return clockFinding(date + 500 - (before + systemClock.now()) / 2, publicUrl)
}
