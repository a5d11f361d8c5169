/** Registered, bound and online servers straight in a fresh database: thousands in a second, where HTTP would take minutes. */
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#backend/database/open.ts'
import { newCredential } from '#backend/features/servers/credential.ts'

export interface Seeded {
  readonly publicId: string
  readonly credential: string
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const MODES = ['Roleplay', 'Freeroam', 'Racing', 'Survival', 'Deathmatch']
const WORDS = [
  'Sunset',
  'Vice',
  'Liberty',
  'Grand',
  'Neon',
  'Pacific',
  'Golden',
  'Midnight',
  'Royal',
  'Urban',
  'Electric',
  'Velvet',
  'Iron',
  'Crystal',
  'Wild',
  'Silver',
]

function publicIdOf(index: number): string {
  let rest = index
  let id = ''
  for (let place = 0; place < 6; place += 1) {
    id = `${DIGITS[rest % 62]}${id}`
    rest = Math.floor(rest / 62)
  }
  return `B${id}`
}

/** A body of about 600 bytes, as a talkative game server would send it. */
export function announceBody(index: number, players: number): string {
  return JSON.stringify({
    port: 7788,
    playersCount: players,
    maxPlayersCount: 256,
    passworded: false,
    version: '16.4.12',
    branch: 'release',
    host: `play${index}.example.com`,
    gameMode: MODES[index % MODES.length],
    queueCount: 0,
    useVoiceChat: true,
    useEarlyAuth: false,
    earlyAuthUrl: '',
    useCdn: false,
    cdnUrl: '',
    // What newer game servers send besides; the list passes it over.
    resources: Array.from({ length: 14 }, (_, number) => `resource-${number}-of-the-server`).join(','),
  })
}

/** Fills an empty, migrated database. All servers are bound to 127.0.0.1 and online. */
export async function seedFleet(db: Db, count: number): Promise<Seeded[]> {
  const owner = uuidv7()
  await db.insertInto('users').values({ id: owner, discord_id: '1', username: 'bench', avatar: null, max_servers: count }).execute()
  const seeded = Array.from({ length: count }, (_, index) => {
    const publicId = publicIdOf(index)
    return { index, publicId, id: uuidv7(), credential: newCredential(publicId) }
  })
  for (let from = 0; from < count; from += 5000) await insertBatch(db, owner, seeded.slice(from, from + 5000))
  return seeded.map(({ publicId, credential }) => ({ publicId, credential: credential.reveal() }))
}

async function insertBatch(
  db: Db,
  owner: string,
  batch: readonly { index: number; publicId: string; id: string; credential: ReturnType<typeof newCredential> }[],
): Promise<void> {
  const ids = batch.map((one) => one.publicId)
  const names = batch.map(
    ({ index }) => `${WORDS[index % 16]} ${WORDS[Math.floor(index / 16) % 16]} ${MODES[index % MODES.length]} ${index}`,
  )
  const announces = batch.map(({ index }) => {
    const { host: _host, resources: _resources, ...announced } = JSON.parse(announceBody(index, index % 200)) as Record<string, unknown>
    return JSON.stringify(announced)
  })
  await sql`insert into servers (public_id, owner_id, name, name_key, description, language, tags, website)
    select i, ${owner}::uuid, n, lower(i || n), 'A server of the benchmark, ' || n, 'en', '{rp,voice}', 'https://' || lower(i) || '.example.com'
    from unnest(${ids}::text[], ${names}::text[]) as t (i, n)`.execute(db)
  await sql`insert into credentials (id, server_id, hash, hint)
    select * from unnest(${batch.map((one) => one.id)}::uuid[], ${ids}::text[], ${batch.map((one) => one.credential.hash)}::bytea[], ${batch.map((one) => one.credential.hint)}::text[])`.execute(
    db,
  )
  await sql`insert into credential_uses (credential_id, bound_address, bound_at) select id, '127.0.0.1', now() from unnest(${batch.map((one) => one.id)}::uuid[]) as t (id)`.execute(
    db,
  )
  await sql`insert into presence (server_id, online, since, last_announce_at, address, credential_id, announce, changed_at)
    select i, true, now(), now(), '127.0.0.1', c, a, now()
    from unnest(${ids}::text[], ${batch.map((one) => one.id)}::uuid[], ${announces}::jsonb[]) as t (i, c, a)`.execute(db)
}
