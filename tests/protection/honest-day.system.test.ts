/**
 * A day of honest servers on a simulated clock: evenings, empty nights, full servers, restarts, a patch, moves and reissues. No detector may
 * report them; seven rogue ones must be found. With `--full`: 2,000 servers, the whole program goes through the day, and no alert may fire.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { localBus } from '#backend/platform/cluster/bus.ts'
import { NAME_KEY_VERSION, nameKey } from '#backend/core/servers/name-key.ts'
import { newCredential } from '#backend/core/servers/credential.ts'
import { randomBase62 } from '#backend/platform/random-id.ts'
import { asOwner } from '#backend/core/servers/server-access.ts'
import { reissueCredential, resetAddress } from '#backend/core/servers/server-changes.ts'
import { type Profile, Random, nextPlayers, profilesFor } from '#backend/cli/simulate/profiles.ts'
import { AnnouncePipeline } from '#backend/masterlist/announces/announce-pipeline.ts'
import { isBound } from '#backend/masterlist/registry/announce-observer.ts'
import { CredentialIndex } from '#backend/masterlist/registry/credential-index.ts'
import { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { Attempts } from '#backend/masterlist/persistence/attempts.ts'
import { AddressBinder } from '#backend/masterlist/persistence/address-binder.ts'
import { findCredential, loadAll, loadOne } from '#backend/masterlist/persistence/registry-loader.ts'
import type { Finding, FindingSink } from '#backend/core/protection/finding.ts'
import { DetectorRunner } from '#backend/services/detection/detector-runner.ts'
import { PlayerSampler } from '#backend/services/history/player-sampler.ts'
import { createLog } from '#backend/platform/log.ts'
import { MetricsRecorder } from '#tests/alerts/metrics-recorder.ts'
import { missingPromtool } from '#tests/alerts/promtool.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { signingKeys } from '#tests/sdk/signed-keys.ts'

const NO_BODY = Buffer.alloc(0)
const HONEST = Number(process.env.MUSTER_HONEST_SERVERS ?? 500)
/** Taking the program through the day takes minutes. */
const IS_FULL = process.env.MUSTER_FULL !== undefined
const MINUTES = 1440
const MINUTE = 60_000
/** Each server restarts about five times a day. */
const RESTARTS = 5
const PATCH_AT = 700
/** Servers announce only every other minute, so that the full test takes about a minute. */
const TTL_SECONDS = 150
/** Rules read the last five minutes. */
const SCRAPE_MINUTES = 2
const ANALYZE_MINUTES = 20

class Clock {
  #at = Date.UTC(2026, 10, 3)
  now = () => this.#at
  uptime = () => this.#at - Date.UTC(2026, 10, 2)
  advance(ms: number): void {
    this.#at += ms
  }
}

class Server {
  readonly publicId = `A${randomBase62(6)}`
  readonly ownerId: string
  readonly name: string
  readonly profile: Profile
  credential = newCredential(this.publicId).reveal()
  address: string
  players = 0
  /** The minute until which it is down. */
  downUntil = 0
  readonly random: Random

  constructor(profile: Profile, name: string, ownerId: string, index: number) {
    this.profile = profile
    this.name = name
    this.ownerId = ownerId
    this.address = `198.18.${index >> 8}.${index & 255}`
    this.random = new Random(index + 1)
  }

  body(players = this.players): string {
    const { port, slots, version, branch, passworded } = this.profile
    return JSON.stringify({ port, playersCount: players, maxPlayersCount: slots, version, branch, passworded })
  }
}

/** One in twenty is so popular that it is full for hours. Servers with the same base name share an owner. */
function honestServers(): Server[] {
  const owners = new Map<string, string>()
  return profilesFor(HONEST, 5).map((profile, index) => {
    const community = profile.input.name.replace(/ #\d+$/, '')
    const ownerId = owners.get(community) ?? randomUUID()
    owners.set(community, ownerId)
    return new Server(index % 20 === 0 ? { ...profile, peak: profile.slots * 2 } : profile, profile.input.name, ownerId, index)
  })
}

async function register({ db }: TestApp, servers: readonly Server[], isVerified: (server: Server) => boolean): Promise<void> {
  const owners = [...new Set(servers.map((server) => server.ownerId))]
  await sql`insert into users (id, discord_id, username, max_servers)
    select id::uuid, '9' || lpad(place::text, 17, '0'), 'owner' || place, 1000 from unnest(${owners}::text[]) with ordinality as n (id, place)`.execute(
    db,
  )
  await sql`insert into servers (public_id, owner_id, name, name_key, verified, name_key_version)
    select *, ${NAME_KEY_VERSION}::smallint from unnest(${servers.map((one) => one.publicId)}::text[], ${servers.map((one) => one.ownerId)}::uuid[], ${servers.map((one) => one.name)}::text[],
      ${servers.map((one) => nameKey(one.name))}::text[], ${servers.map(isVerified)}::boolean[])`.execute(db)
  const hashes = servers.map((one) => createHash('sha256').update(one.credential).digest('hex'))
  await sql`insert into credentials (id, server_id, hash, hint)
    select gen_random_uuid(), id, decode(hash, 'hex'), 'abcd' from unnest(${servers.map((one) => one.publicId)}::text[], ${hashes}::text[]) as n (id, hash)`.execute(
    db,
  )
}

test(
  `a day of ${HONEST} honest servers raises no finding${IS_FULL ? ' and no alert' : ''}, and each rogue server is found`,
  async () => {
    const published = mkdtempSync(join(tmpdir(), 'muster-published-'))
    const app = await startApp({ ANNOUNCE_TTL_SECONDS: String(TTL_SECONDS), ...signingKeys().variables, PUBLISH_URL: published })
    onTestFinished(async () => {
      await app.close()
      rmSync(published, { recursive: true, force: true })
    })
    const clock = new Clock()
    const found: Finding[] = []
    const findings: FindingSink = { report: (finding) => found.push(finding), resolve: () => {} }
    const honest = honestServers()
    const rogue = (index: number, name: string) =>
      new Server({ ...profilesFor(1, 99 + index)[0], slots: 128, peak: 60 } as Profile, name, randomUUID(), HONEST + index)
    const [stolen, old, above, frozen, leaping, flooding] = [
      rogue(0, 'Quiet Lagoon'),
      rogue(1, 'Windy Acres'),
      rogue(2, 'Copper Canyon'),
      rogue(3, 'Marble Arch'),
      rogue(4, 'Foggy Docks'),
      rogue(5, 'Hidden Garden'),
    ] as const
    const famous = honest.find((server) => !/#\d/.test(server.name)) as Server
    const fake = rogue(6, `${famous.name} Official`)
    const rogues = [stolen, old, above, frozen, leaping, flooding, fake]
    const all = [...honest, ...rogues]
    await register(app, all, (server) => server === famous || (honest.includes(server) && server.random.chance(0.05)))
    // Loads them into the list of the program, whose metrics are recorded.
    if (IS_FULL) await app.restart()
    const recorder = IS_FULL ? new MetricsRecorder(app) : undefined

    const deps = {
      env: { ...app.env, RATE_LIMITS: true, ANNOUNCE_TTL_SECONDS: TTL_SECONDS },
      db: app.db,
      clock,
      log: createLog('silent'),
      fetchPublic: () => Promise.reject(new Error()),
      resolveName: () => Promise.reject(new Error()),
      postPublic: () => Promise.reject(new Error()),
      connection: {},
    }
    // The list is not published, because publishing four times a second would take longer than the test.
    const at = () => ({ uptime: clock.uptime(), now: clock.now() })
    const registry = new Registry(TTL_SECONDS * 1000)
    const credentials = new CredentialIndex(clock, (hash) => findCredential(app.db, hash, clock.now()))
    const attempts = new Attempts()
    // The uptime stays 0 and another node has the lease, so that samples are not saved every minute.
    const stopped = { ...deps, clock: { now: clock.now, uptime: () => 0 } }
    const sampler = new PlayerSampler(
      stopped,
      () => registry.all(),
      () => false,
    )
    const runner = new DetectorRunner(stopped, registry, findings, (server) => attempts.acceptedSinceLastCall(server), sampler)
    const refresh = async (publicId: string) => {
      const record = registry.get(publicId) as ServerRecord
      const before = { fields: record.fields, credentials: record.credentials, isBound: isBound(record) }
      await loadOne(deps, registry, credentials, publicId, () => Promise.resolve())
      runner.changed(record, before, true)
      if (IS_FULL) await app.list.refresh(publicId)
    }
    const bus = localBus('test')
    const pipeline = new AnnouncePipeline({
      env: deps.env,
      clock,
      bus,
      registry,
      credentials,
      binder: new AddressBinder(app.db, clock),
      attempts,
      refresh,
      moveAddress: () => Promise.resolve(undefined),
      isCutOff: () => false,
      otherProcess: () => {},
      heartbeat: () => {},
    })
    pipeline.observer = runner
    await loadAll(deps, registry, credentials, at())
    runner.start()
    // Check every name as a new one.
    for (const server of registry.all()) runner.changed(server, undefined, true)
    const oldCredential = old.credential
    const send = (server: Server, players?: number, credential = server.credential, address = server.address) => {
      const body = Buffer.from(server.body(players))
      if (IS_FULL && !rogues.includes(server)) void app.list.pipeline.announce(`Bearer ${credential}`, address, body)
      return pipeline.announce(`Bearer ${credential}`, address, body)
    }
    const leave = (server: Server) => {
      for (const each of IS_FULL ? [pipeline, app.list.pipeline] : [pipeline])
        void each.leave(`Bearer ${server.credential}`, server.address, NO_BODY)
    }
    await Promise.all(all.map(async (server) => send(server)))

    const change = async (server: Server, minute: number) => {
      if (minute % 36 === 0) {
        // The server moves: its announces are rejected until its owner resets the address.
        if (minute % 72 === 0) leave(server)
        server.downUntil = minute + 4
        server.address = `198.19.${minute >> 8}.${minute & 255}`
        return {
          server,
          at: minute + 5 + (minute % 13),
          settle: async () => void (await resetAddress(app.db, asOwner(server.ownerId, server.publicId))),
        }
      }
      const { credential } = await reissueCredential(app.db, asOwner(server.ownerId, server.publicId), 900)
      await refresh(server.publicId)
      return { server, at: minute + 3 + (minute % 10), settle: async () => void (server.credential = credential.reveal()) }
    }
    let pendingChanges: Awaited<ReturnType<typeof change>>[] = []

    const simulateMinute = (server: Server, minute: number) => {
      if (minute < server.downUntil) return
      if (
        server.random.chance((2 * RESTARTS) / MINUTES) ||
        ((minute === PATCH_AT || minute === PATCH_AT + 1) && server.random.chance(0.8))
      ) {
        server.players = 0
        server.downUntil = minute + 1 + Math.floor(server.random.between(0, 3))
        // Half of them go offline explicitly; some send a burst of announces.
        if (server.random.chance(0.5)) leave(server)
        else if (server.random.chance(0.3)) for (let times = 0; times < 30; times += 1) void send(server)
        return
      }
      server.players = nextPlayers(server.players, server.profile, clock.now(), server.random)
      // On a full server, a player sometimes joins before a leaving player is subtracted.
      const isJoiningEarly = server.players === server.profile.slots && server.random.chance(0.02)
      void send(server, isJoiningEarly ? server.players + 1 : undefined)
    }
    const misbehave = async (minute: number) => {
      void send(stolen, 20 + (minute % 3))
      if (minute % 10 === 0) void send(stolen, 5, stolen.credential, '203.0.113.5')
      void send(above, 500)
      void send(frozen, 77)
      void send(leaping, minute % 2 === 0 ? 20 + (minute % 7) : 110 + (minute % 9))
      for (let times = 0; times < 50; times += 1) void send(flooding, 10 + (minute % 5))
      if (minute === 30) {
        old.credential = (await reissueCredential(app.db, asOwner(old.ownerId, old.publicId), undefined)).credential.reveal()
        await refresh(old.publicId)
      }
      void send(old, 15 + (minute % 4))
      if (minute > 30 && minute % 5 === 0) void send(old, 15, oldCredential, '203.0.113.6')
      void send(fake, 10 + (minute % 6))
    }

    for (let minute = 0; minute < MINUTES; minute += 1) {
      clock.advance(MINUTE)
      if (IS_FULL) app.clock.advance(MINUTE)
      registry.expire(at())
      for (let index = minute % 2; index < HONEST; index += 2) simulateMinute(honest[index] as Server, minute)
      await misbehave(minute)
      if (minute % 12 === 0) pendingChanges.push(await change(honest[minute % HONEST] as Server, minute))
      for (const { server, settle } of pendingChanges.filter((one) => one.at <= minute)) {
        await settle()
        await refresh(server.publicId)
      }
      pendingChanges = pendingChanges.filter((one) => one.at > minute)
      await runner.tick()
      if (minute % SCRAPE_MINUTES === 0) await recorder?.sample()
      // The history of a day grows within a minute. Postgres would notice it later, and roll it up slowly until then.
      if (IS_FULL && minute % ANALYZE_MINUTES === 0) await sql`analyze player_buckets, list_buckets`.execute(app.db)
    }
    await runner.close()
    if (recorder !== undefined) {
      expect(recorder.maxOnline).toBeGreaterThan(HONEST / 2)
      // A patch restarts most servers at once. The program notices, and nobody has to act.
      expect(app.takeLogs().filter((line) => !line.includes('many servers fell silent at once'))).toEqual([])
      if (missingPromtool === undefined) expect(recorder.firedAlerts(SCRAPE_MINUTES)).toBe('')
      else process.stderr.write(`${missingPromtool}\n`)
    }

    const suspects = new Map(rogues.map((server) => [server.publicId, server.name]))
    const raised = Map.groupBy(
      found,
      (finding) => `${finding.kind} ${suspects.get(finding.publicId) ?? `honest ${finding.publicId}: ${finding.summary}`}`,
    )
    expect([...raised.keys()].toSorted()).toEqual([
      'ADDRESS_MISMATCH Quiet Lagoon',
      'ANNOUNCE_FLOOD Hidden Garden',
      `IMPERSONATION ${fake.name}`,
      'IMPLAUSIBLE_PLAYERS Copper Canyon',
      'IMPLAUSIBLE_PLAYERS Foggy Docks',
      'IMPLAUSIBLE_PLAYERS Marble Arch',
      'REVOKED_CREDENTIAL Windy Acres',
    ])
  },
  HONEST * 900,
)
