/** Inserts registered, bound and online servers into a fresh database, much faster than over HTTP. */
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Profile, expectedPlayers, profilesFor } from '#backend/cli/simulate/profiles.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { newCredential } from '#backend/core/servers/credential.ts'

export interface SeededServer {
  readonly index: number
  readonly publicId: string
  readonly credential: string
  readonly profile: Profile
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The announce size of a verbose game server. */
const BODY_BYTES = 600
/** A fixed time of day, so that player counts are the same in every run. */
const NOON = 12 * 3_600_000
const BATCH = 2000
/** How many of ten servers are seeded with a different player count from their next announce. */
const CHANGED_OF_TEN = 3
/** Three of ten announces change something every 30 s, so the last change is 100 s old on average. */
const CHANGED_WITHIN_MS = 200_000

function publicIdOf(index: number): string {
  // Spread over all digits, so that IDs compress no better than real ones.
  let rest = (index * 2_654_435_761) % 62 ** 6
  let id = ''
  for (let place = 0; place < 6; place += 1) {
    id = `${DIGITS[rest % 62]}${id}`
    rest = Math.floor(rest / 62)
  }
  return `B${id}`
}

/** @param turn 0 and 1 alternate, -1 is the seeded state @param changing how many of ten servers change their player count each turn */
export function playersAt(profile: Profile, index: number, turn: -1 | 0 | 1, changing: number): number {
  const players = Math.min(profile.slots - 8, Math.round(expectedPlayers(profile, NOON)))
  if (index % 10 >= changing || turn === 1) return players
  return players + (turn === 0 ? 1 + (index % 4) : 6)
}

/** An announce with an unknown field, as newer game servers send it, padded to 600 bytes. */
export function announceBody(profile: Profile, players: number): string {
  const announce = announced(profile, players)
  const padding = BODY_BYTES - JSON.stringify(announce).length - ',"resources":""'.length
  return JSON.stringify({ ...announce, resources: 'resource-of-the-server,'.repeat(30).slice(0, Math.max(0, padding)) })
}

function announced(profile: Profile, players: number): Record<string, unknown> {
  return {
    port: profile.port,
    playersCount: players,
    maxPlayersCount: profile.slots,
    passworded: profile.passworded,
    version: profile.version,
    branch: profile.branch,
    gameMode: profile.input.game_mode,
    queueCount: 0,
    useVoiceChat: profile.useVoiceChat,
    useEarlyAuth: profile.useEarlyAuth,
    earlyAuthUrl: profile.useEarlyAuth ? 'https://login.example.com/' : '',
    useCdn: false,
    cdnUrl: '',
  }
}

/** Servers of the simulator, all bound to 127.0.0.1. */
export function createFleet(count: number): SeededServer[] {
  return profilesFor(count, 1).map((profile, index) => {
    const publicId = publicIdOf(index)
    return { index, publicId, credential: newCredential(publicId).reveal(), profile }
  })
}

/** Fills an empty, migrated database with online servers. */
export async function seedFleet(db: Db, fleet: readonly SeededServer[]): Promise<void> {
  const owner = uuidv7()
  await db.insertInto('users').values({ id: owner, discord_id: '1', username: 'bench', avatar: null, max_servers: fleet.length }).execute()
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = 'all_servers' and indexdef like '% USING gin %'`.execute(
    db,
  )
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(db)
  for (let from = 0; from < fleet.length; from += BATCH) await insertBatch(db, owner, fleet.slice(from, from + BATCH))
  // Building the index at the end takes a tenth of the time.
  for (const { definition } of indexes) await sql.raw(definition).execute(db)
  await sql`analyze`.execute(db)
}

async function insertBatch(db: Db, owner: string, batch: readonly SeededServer[]): Promise<void> {
  const rows = JSON.stringify(
    batch.map(({ index, publicId, credential, profile }) => ({
      ...profile.input,
      i: publicId,
      c: uuidv7(),
      secret: credential,
      hint: credential.slice(-4),
      announce: announced(profile, playersAt(profile, index, -1, CHANGED_OF_TEN)),
      age: (index * 7919) % CHANGED_WITHIN_MS,
    })),
  )
  const from = sql`jsonb_to_recordset(${rows}::jsonb) as t (i text, c uuid, secret text, hint text, name text, description text, language text, region text, tags jsonb, game_mode text, website text, announce jsonb, age int)`
  await sql`insert into servers (public_id, owner_id, name, name_key, description, language, region, tags, game_mode, website)
    select i, ${owner}::uuid, name, lower(i || name), description, language, region, array(select jsonb_array_elements_text(tags)), game_mode, website from ${from}`.execute(
    db,
  )
  await sql`insert into credentials (id, server_id, hash, hint) select c, i, sha256(secret::bytea), hint from ${from}`.execute(db)
  await sql`insert into credential_uses (credential_id, bound_address, bound_at) select c, '127.0.0.1', now() from ${from}`.execute(db)
  await sql`insert into presence (server_id, online, since, last_announce_at, address, credential_id, announce, changed_at, registered_at)
    select i, true, now(), now(), '127.0.0.1', c, announce, now() - make_interval(secs => age / 1000.0), now() from ${from}`.execute(db)
}
