/**
 * Many game servers on the SDK against the real program, which restarts under them. 300 servers by default; MUSTER_FLEET_SERVERS,
 * MUSTER_FLEET_SECONDS and MUSTER_FLEET_TTL_SECONDS change the size.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { AnnounceReply } from '#contract/masterlist/masterlist.ts'
import { GameServer } from '#backend/cli/simulate/game-server.ts'
import { profilesFor } from '#backend/cli/simulate/profiles.ts'
import { type RegisteredServer, registerFleet } from '#backend/cli/simulate/register.ts'
import { joinDatabase } from '#backend/platform/database/open.ts'
import { readEnv } from '#backend/platform/env.ts'
import { createLog } from '#backend/platform/log.ts'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { MUSTER, discard, programIn, until } from '#tests/program.ts'

const SERVERS = Number(process.env.MUSTER_FLEET_SERVERS ?? 300)
const SECONDS = Number(process.env.MUSTER_FLEET_SECONDS ?? 14)
const TTL_SECONDS = Number(process.env.MUSTER_FLEET_TTL_SECONDS ?? 30)
/** The average interval between two announces of a server. */
const INTERVAL_SECONDS = TTL_SECONDS * 0.4
/** Servers that go through the restart. */
const RESTARTED = 1000
/** Servers of the command `simulate`, which runs beside the fleet. */
const COMMAND_SERVERS = 3
const FIRST_ANNOUNCES_PER_SECOND = 100
const MIN_GAP_MS = 2000
/** How long a program may take to start on a busy machine. */
const START_MS = 60_000
/** The list's default interval is 15 to 45 seconds. */
const MAX_INTERVAL_MS = 45_000
interface Announce {
  readonly sentAt: number
  /** 0 without a reply. */
  status: number
  repliedAt: number
  /** When the next announce must follow at the latest. */
  dueMs: number
}

/** The jitter of the SDK, and a second for a busy machine. A busy list replies 503 with Retry-After. */
function dueMsAfter({ status, headers }: Response, text: string): number {
  if (status === 200) return (JSON.parse(text) as AnnounceReply).nextAnnounceSeconds * 1050 + 1000
  return status === 503 ? Number(headers.get('retry-after')) * 1100 + 1100 : 0
}

const folder = preparedFolder()
const program = await programIn(folder, { ANNOUNCE_TTL_SECONDS: String(TTL_SECONDS) })
const fleet: GameServer[] = []

afterAll(async () => {
  await Promise.all(fleet.map((server) => server.stop(false)))
  await program.stop()
  discard(folder)
})

/** Records each announce of this process by its credential. */
function recordAnnounces(): ReadonlyMap<string, Announce[]> {
  const announces = new Map<string, Announce[]>()
  const { fetch } = globalThis
  const recorder = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    const { authorization } = (init?.headers ?? {}) as Record<string, string>
    if (init?.method !== 'POST' || authorization === undefined) return fetch(url, init)
    const announce = { sentAt: performance.now(), status: 0, repliedAt: 0, dueMs: 0 }
    const own = announces.get(authorization) ?? []
    own.push(announce)
    announces.set(authorization, own)
    const response = await fetch(url, init)
    const text = await response.text()
    announce.dueMs = dueMsAfter(response, text)
    announce.repliedAt = performance.now()
    announce.status = response.status
    return new Response(text, response)
  })
  // A second attempt would record its own recorder.
  onTestFinished(() => recorder.mockRestore())
  return announces
}

async function register(): Promise<RegisteredServer[]> {
  const database = await joinDatabase({ DATA_DIR: folder }, createLog('silent'))
  // The first ones are those of the command.
  const profiles = profilesFor(COMMAND_SERVERS + SERVERS, 1).slice(COMMAND_SERVERS)
  const registered = await registerFleet({ env: readEnv({}), db: database.db }, profiles, () => undefined)
  await database.close()
  return registered
}

/** Runs the command until it has printed its fleet, then stops it like Ctrl+C. */
async function runSimulateCommand(): Promise<{ code: number | null; output: string }> {
  const { port } = new URL(program.listUrl)
  const args = ['simulate', '--servers', String(COMMAND_SERVERS), '--interval', '2']
  const child = spawn(process.execPath, [MUSTER, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, MASTERLIST_PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'exit') as Promise<[number | null]>
  await expect.poll(() => output, { timeout: START_MS }).toMatch(/ accepted\n/)
  child.kill('SIGINT')
  const [code] = await ended
  return { code, output }
}

/** Announces without a reply, with a rejection, or that no other one followed in time. */
function missed(announces: ReadonlyMap<string, readonly Announce[]>): string[] {
  const now = performance.now()
  return [...announces].flatMap(([credential, own]) =>
    own.flatMap(({ status, repliedAt, dueMs }, index) => {
      const next = own[index + 1]
      const isInFlight = next === undefined && repliedAt === 0
      const waitedMs = (next?.sentAt ?? now) - repliedAt
      const isFine = isInFlight || waitedMs <= dueMs
      return isFine ? [] : [`${credential.slice(7, 18)}: status ${status}, followed after ${Math.round(waitedMs)} ms`]
    }),
  )
}

/** How many servers return in each second. @param times milliseconds since the restart */
function perSecond(times: readonly number[]): number[] {
  const seconds = times.map((ms) => Math.max(0, Math.floor(ms / 1000)))
  return Array.from({ length: Math.max(...seconds) + 1 }, (_, second) => seconds.filter((one) => one === second).length)
}

test('a fleet announces in time and never twice, and returns evenly after a restart', { timeout: (SECONDS + 900) * 1000 }, async () => {
  await program.start()
  const registered = await register()
  const announces = recordAnnounces()
  const tally = { accepted: 0, rejected: 0, lastRejection: '' }
  const settings = { listUrl: program.listUrl, seed: 1, interval: undefined, restartChance: 0, probes: false, tally }
  fleet.push(...registered.map((server, index) => new GameServer(server, settings, index)))
  for (const [index, server] of fleet.entries()) server.start(index / FIRST_ANNOUNCES_PER_SECOND)
  const isEachAccepted = () => [...announces.values()].filter((own) => own.some(({ status }) => status === 200)).length === SERVERS
  const [{ code, output }] = await Promise.all([
    runSimulateCommand(),
    until(isEachAccepted, (SERVERS / FIRST_ANNOUNCES_PER_SECOND) * 1000 + START_MS),
  ])
  await sleep(SECONDS * 1000)

  expect(missed(announces)).toEqual([])
  expect(tally.accepted).toBeGreaterThan(SERVERS * 1.5)
  expect(output).toMatch(/\n\d\d:\d\d:\d\d  3 servers, \d+ players, \d+ accepted\n[^]*\nTaking the servers offline\.\n.* 0 servers, /)
  expect(code).toBe(0)

  await Promise.all(fleet.splice(RESTARTED).map((server) => server.stop(false)))
  const restarted = registered.slice(0, RESTARTED).map(({ credential }) => announces.get(`Bearer ${credential}`) ?? [])
  await program.stop()
  const downAt = performance.now()
  await program.start()
  const upAt = performance.now()
  const returnsMs = () =>
    restarted.map((own) => (own.find(({ sentAt, status }) => sentAt > downAt && status === 200)?.sentAt ?? Infinity) - upAt)
  await expect.poll(() => Math.max(...returnsMs()), { timeout: MAX_INTERVAL_MS }).toBeLessThan(MAX_INTERVAL_MS)
  const returned = perSecond(returnsMs())
  expect(Math.max(...returned), returned.join(' ')).toBeLessThanOrEqual((3 * restarted.length) / INTERVAL_SECONDS)

  const twice = [...announces.values()].flatMap((own) =>
    own.filter(({ sentAt }, index) => sentAt - (own[index - 1]?.sentAt ?? -Infinity) < MIN_GAP_MS - 10),
  )
  expect(twice).toEqual([])
})
