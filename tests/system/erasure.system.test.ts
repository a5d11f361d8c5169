/**
 * kill -9 of the program and its database during erasures. Every due account is erased completely and exactly once. Other users keep
 * their data. Two rounds by default; MUSTER_KILL_ROUNDS=20 for a long run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, joinDatabase } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { type RestartableProgram, discard, programIn, until } from '#tests/program.ts'

const rounds = Number(process.env.MUSTER_KILL_ROUNDS ?? 2)
/** Large enough that accounts are still due at every kill. */
const DUE = 120 * rounds
const SERVERS_PER_USER = 2
/** Each erasure waits for the disk. */
const ERASED_WITHIN_MS = 60_000 + rounds * 60_000
let folder: string
let program: RestartableProgram

// A retry starts with a new folder.
beforeEach(async () => {
  folder = preparedFolder()
  program = await programIn(folder)
})
afterEach(async () => {
  await program.stop()
  discard(folder)
})

async function withDatabase<T>(act: (db: Database['db']) => Promise<T>): Promise<T> {
  const database = await joinDatabase({ DATA_DIR: folder }, createLog('silent'))
  try {
    return await act(database.db)
  } finally {
    await database.close()
  }
}

/**
 * Users 1 to DUE are due, and as many others stay. Each has servers with credentials, uses, live states and attempts, a session, a
 * benefit and an activity row. User n and user n + DUE have grants and offers in both directions.
 */
const SEED = sql`
  with users as (
    insert into users (id, discord_id, username, delete_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'discord' || n, 'user' || n,
      case when n <= ${DUE}::int then now() + interval '1 minute' end
    from generate_series(1, ${2 * DUE}::int) n returning id, substr(username, 5)::int as n
  ), grants as (
    insert into benefit_grants (user_id, key) select id, 'CUSTOM_BANNER' from users
  ), signed_in as (
    insert into sessions (id_hash, user_id, expires_at) select sha256(id::text::bytea), id, now() + interval '1 day' from users
  ), own as (
    insert into servers (public_id, owner_id, name, name_key)
    select 'S' || lpad((n * 10 + k)::text, 6, '0'), id, 'server ' || n || ' ' || k, 'server ' || n || ' ' || k
    from users, generate_series(1, ${SERVERS_PER_USER}::int) k returning public_id, owner_id
  ), issued as (
    insert into credentials (id, server_id, hash, hint) select gen_random_uuid(), public_id, sha256(public_id::bytea), 'hint' from own
    returning id, server_id
  ), used as (
    insert into credential_addresses (credential_id, address, bound_at) select id, '127.0.0.1', now() from issued
  ), seen as (
    insert into presence (server_id, online, since, last_announce_at, address, credential_id, announce, changed_at, registered_at)
    select server_id, false, now(), now(), '127.0.0.1', id, '{}', now(), now() from issued
  ), tried as (
    insert into announce_attempts (server_id, at, code, address) select public_id, now(), 'BODY_INVALID', '127.0.0.1' from own
  ), pairs as (
    select a.id as leaver, b.id as stayer, a.n from users a join users b on b.n = a.n + ${DUE}::int
  ), managing as (
    insert into manager_grants (id, owner_id, manager_id, permissions)
    select gen_random_uuid(), leaver, stayer, '{EDIT_DETAILS}'::text[] from pairs
    union all select gen_random_uuid(), stayer, leaver, '{EDIT_DETAILS}'::text[] from pairs
  ), offers as (
    insert into transfers (id, server_id, from_user_id, to_user_id, expires_at)
    select gen_random_uuid(), 'S' || lpad((n * 10 + 1)::text, 6, '0'), leaver, stayer, now() + interval '7 days' from pairs
    union all
    select gen_random_uuid(), 'S' || lpad(((n + ${DUE}::int) * 10 + 1)::text, 6, '0'), stayer, leaver, now() + interval '7 days' from pairs
  )
  insert into activity (action, role, actor_id, owner_id, after) select 'ACCOUNT_CREATED', 'self', id, id, '{"a": "text"}' from users`

interface UserRows {
  readonly n: number
  readonly isThere: boolean
  /** How many rows of each kind reference the user, in the order of the query. */
  readonly rows: readonly number[]
}

/** Reads all users in one snapshot. */
async function readUsers(db: Database['db']): Promise<UserRows[]> {
  const { rows } = await sql<UserRows>`
    select n, exists (select from users where id = p.id) as "isThere", array[
      (select count(*) from servers where owner_id = p.id),
      (select count(*) from credentials where server_id = any(p.own) and revoked_at is null),
      (select count(*) from presence where server_id = any(p.own)),
      (select count(*) from announce_attempts where server_id = any(p.own)),
      (select count(*) from credential_addresses x join credentials c on c.id = x.credential_id where c.server_id = any(p.own)),
      (select count(*) from sessions where user_id = p.id),
      (select count(*) from benefit_grants where user_id = p.id),
      (select count(*) from manager_grants where p.id in (owner_id, manager_id)),
      (select count(*) from transfers where p.id in (from_user_id, to_user_id)),
      (select count(*) from activity where action = 'ACCOUNT_CREATED' and owner_id = p.id and actor_id = p.id and after is not null)
    ]::int[] as rows
    from (
      select n, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid as id,
        array(select 'S' || lpad((n * 10 + k)::text, 6, '0') from generate_series(1, ${SERVERS_PER_USER}::int) k) as own
      from generate_series(1, ${2 * DUE}::int) n
    ) p order by n`.execute(db)
  return rows
}

/** Cheap enough to poll, unlike `readUsers`. */
async function erasedCount(db: Database['db']): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from users`.execute(db)
  return 2 * DUE - (rows[0]?.count ?? 0)
}

const s = SERVERS_PER_USER
const WHOLE = [s, s, s, s, s, 1, 1, 2, 2, 1]
/** A user who stays loses only what they shared with an erased user. */
const STAYED = [s, s, s, s, s, 1, 1, 0, 0, 1]
const GONE = WHOLE.map(() => 0)

/** Returns the number of erased users. */
function expectNoPartialErasure(users: readonly UserRows[]): number {
  const isGone = new Map(users.map((user) => [user.n, !user.isThere]))
  for (const { n, isThere, rows } of users) {
    if (n <= DUE) expect([n, rows]).toEqual([n, isThere ? WHOLE : GONE])
    else expect([n, isThere, rows]).toEqual([n, true, isGone.get(n - DUE) === true ? STAYED : WHOLE])
  }
  return users.filter((user) => !user.isThere).length
}

test(
  `${rounds} kills of program and database during erasures leave no account partly erased, and each due account is erased once`,
  async () => {
    await program.start()
    await withDatabase((db) => SEED.execute(db))
    expect(expectNoPartialErasure(await withDatabase(readUsers))).toBe(0)
    await withDatabase((db) => sql`update users set delete_at = now() - interval '1 second' where delete_at is not null`.execute(db))
    const counts: number[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const before = counts.at(-1) ?? 0
      // Kill in the middle: some accounts are erased, others are pending.
      await withDatabase((db) =>
        until(async () => {
          const erased = await erasedCount(db)
          return erased > before || erased === DUE
        }),
      )
      await sleep(Math.random() * 150)
      await program.killEverything()
      await program.start()
      counts.push(await withDatabase(async (db) => expectNoPartialErasure(await readUsers(db))))
    }
    expect(counts.toSorted((a, b) => a - b)).toEqual(counts)
    expect(counts[0], 'accounts were pending at the first kill').toBeLessThan(DUE)
    await withDatabase(async (db) => {
      await until(async () => (await erasedCount(db)) === DUE, ERASED_WITHIN_MS)
      expect(expectNoPartialErasure(await readUsers(db))).toBe(DUE)
    })
    const { rows: erasures } = await withDatabase((db) =>
      sql<{ owner_id: string }>`select owner_id from activity where action = 'ACCOUNT_ERASED'`.execute(db),
    )
    expect(erasures).toHaveLength(DUE)
    expect(new Set(erasures.map((row) => row.owner_id)).size).toBe(DUE)
    const list = (await (await fetch(`${program.listUrl}/servers/info`)).json()) as { serversCount: number }
    expect(list.serversCount).toBe(0)
    expect((await fetch(`${program.listUrl}/servers/S000011`)).status).toBe(404)
    expect((await fetch(`${program.listUrl}/servers/S${String((DUE + 1) * 10 + 1).padStart(6, '0')}`)).status).toBe(200)
    expect(await program.stop()).toBe(0)
  },
  2 * ERASED_WITHIN_MS,
)
