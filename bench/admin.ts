/** Latency of the admin lists, compared with plain `limit ... offset` and `count(*)` queries on a copy without indexes. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type RawBuilder, sql } from 'kysely'
import type { AdminServersQuery } from '#contract/servers-admin.ts'
import type { AdminUsersQuery } from '#contract/users-admin.ts'
import type { AuditQuery } from '#contract/audit.ts'
import { readPage } from '#backend/platform/database/paging.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { listActivityByIds } from '#backend/features/activity/audit.queries.ts'
import { auditList } from '#backend/features/activity/audit.ts'
import { adminServerList } from '#backend/features/servers/admin-list.ts'
import { findServers } from '#backend/features/servers/servers.queries.ts'
import { adminUserList } from '#backend/features/users/admin-list.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import { type AdminDataset, finishMaintenance, openAdminDataset } from './lib/admin-dataset.ts'
import { printTable } from './lib/table.ts'

const OURS_PER_ROUND = 10
/** Fast queries run extra rounds for a stable p99, until this much time is measured or MAX_ROUNDS is reached. */
const MIN_MEASURED_MS = 4000
const MAX_ROUNDS = 100
const MAX_RATIO = 0.15
const MAX_DEPTH_RATIO = 2
const DEPTH_CALLS_PER_ROUND = 100
const PER_PAGE = 50

type Sql = RawBuilder<unknown>

/** One turn of a query: both sides fetch the same rows. */
interface Turn {
  readonly ours: () => Promise<unknown>
  readonly plain: () => Promise<unknown>
}

interface Query {
  readonly name: string
  /** The turn's number, so that terms and pages vary. */
  readonly turn: (number: number) => Turn
}

const pick = <T>(values: readonly T[], number: number): T => values[number % values.length] as T

export interface AdminOptions {
  /** Each query runs at least four times as many rounds. A round is ten calls of ours and one plain call. */
  readonly rounds: number
  /** Only queries whose name contains this; `depth` selects the page depths. */
  readonly only?: string | undefined
  /** Keeps the databases in this folder, so that the next run starts faster. */
  readonly keep?: string | undefined
}

/** Measures every query and the page depths. */
export async function run({ rounds, only, keep }: AdminOptions): Promise<void> {
  const started = performance.now()
  const dataset = await openAdminDataset(keep)
  try {
    await finishMaintenance(dataset)
    console.log(`100,000 users, 200,000 servers, 400,000 events, ready in ${Math.round((performance.now() - started) / 1000)} s.\n`)
    await compare(dataset, rounds, only)
  } finally {
    await dataset.stop()
  }
}

async function compare(dataset: AdminDataset, rounds: number, only = ''): Promise<void> {
  const queries = queriesOf(dataset).filter(({ name }) => name.includes(only))
  if (queries.length > 0) printRow(['', 'p50 ours', 'p99 ours', 'p50 plain', 'p99 plain', 'p50 ratio', 'p99 ratio', 'target', ''])
  for (const query of queries) printRow(await measure(query, rounds * 4))
  console.log('')
  if ('depth'.includes(only)) await measureDepths(dataset, rounds)
}

/** Prints each row at once: a whole run takes minutes. */
function printRow([name = '', ...cells]: readonly string[]): void {
  console.log([name.padEnd(40), ...cells.map((cell) => cell.padStart(10))].join(' ').trimEnd())
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await act()
  return performance.now() - started
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

const milli = (value: number) => `${value.toFixed(1)} ms`

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as NodeJS.GCFunction

/** Runs between measurements, so that neither side pays for the garbage of the other. */
function forceGc(): void {
  gc({ type: 'minor', execution: 'sync' })
}

async function measure({ name, turn }: Query, rounds: number): Promise<string[]> {
  const [ours, plain]: [number[], number[]] = [[], []]
  let started = performance.now()
  for (let round = -1; round < rounds || (round < MAX_ROUNDS && performance.now() - started < MIN_MEASURED_MS); round += 1) {
    // The first round opens connections and fills the caches of both sides; it does not count.
    if (round === 0) started = performance.now()
    forceGc()
    for (let number = 0; number < OURS_PER_ROUND; number += 1) {
      const time = await timed(turn(Math.max(0, round) * OURS_PER_ROUND + number).ours)
      if (round >= 0) ours.push(time)
    }
    forceGc()
    const time = await timed(turn(Math.max(0, round)).plain)
    if (round >= 0) plain.push(time)
  }
  const ratio = quantile(ours, 0.99) / quantile(plain, 0.99)
  return [
    name,
    ...[quantile(ours, 0.5), quantile(ours, 0.99), quantile(plain, 0.5), quantile(plain, 0.99)].map((value) => milli(value)),
    (quantile(ours, 0.5) / quantile(plain, 0.5)).toFixed(3),
    ratio.toFixed(3),
    `<= ${MAX_RATIO}`,
    ratio <= MAX_RATIO ? 'met' : 'MISSED',
  ]
}

/** Compares far pages with the first one, by number and by cursor. */
async function measureDepths(dataset: AdminDataset, rounds: number): Promise<void> {
  const ours = new IndexedLists(dataset)
  const first = () => ours.servers({})
  const kinds = [
    ['page 1', first],
    ['pages 2 to 200, by number', (number: number) => ours.servers({ page: 2 + ((number * 37) % 199) })],
    ['page 200, by number', () => ours.servers({ page: 200 })],
    ['a far page, by its anchor', async (number: number) => ours.servers({ after: await idAtDepth(dataset, number) })],
  ] as const
  const times = kinds.map((): number[] => [])
  const turns = rounds * DEPTH_CALLS_PER_ROUND
  // The first fifth does not count: it opens connections and builds the map.
  for (let number = 0; number < turns * 1.2; number += 1) {
    if (number % OURS_PER_ROUND === 0) forceGc()
    for (const [kind, [, act]] of kinds.entries()) {
      const time = await timed(() => act(number))
      if (number >= turns * 0.2) times[kind]?.push(time)
    }
  }
  const base = quantile(times[0] ?? [], 0.99)
  const middle = quantile(times[0] ?? [], 0.5)
  const rows = [['depth', 'p50', 'p99', 'p50 ratio', 'p99 ratio', 'target', '']]
  for (const [kind, [name]] of kinds.entries()) {
    const [p50, p99] = [quantile(times[kind] ?? [], 0.5), quantile(times[kind] ?? [], 0.99)]
    const isMet = p99 / base <= MAX_DEPTH_RATIO && p50 / middle <= MAX_DEPTH_RATIO
    rows.push([
      name,
      milli(p50),
      milli(p99),
      (p50 / middle).toFixed(2),
      (p99 / base).toFixed(2),
      `<= ${MAX_DEPTH_RATIO}`,
      isMet ? 'met' : 'MISSED',
    ])
  }
  printTable(rows)
}

const idsByDepth: string[] = []
async function idAtDepth({ indexed }: AdminDataset, number: number): Promise<string> {
  if (idsByDepth.length === 0) {
    const { rows } = await sql<{
      id: string
    }>`select public_id as id from (select public_id, row_number() over (order by created_at desc) as n from servers) s where n % 2000 = 1`.execute(
      indexed,
    )
    idsByDepth.push(...rows.map((row) => row.id))
  }
  return pick(idsByDepth, number * 7)
}

/** Reads the lists as the routes do: page, rows and count. Extra columns are left out on both sides. */
class IndexedLists {
  readonly #db: Db

  constructor({ indexed }: AdminDataset) {
    this.#db = indexed
  }

  async servers(query: AdminServersQuery): Promise<unknown> {
    const { ids } = await readPage(this.#db, adminServerList(query), query)
    const rows = await findServers(this.#db, ids)
    return publicUsers(
      this.#db,
      rows.map((row) => row.owner_id),
    )
  }

  async users(query: AdminUsersQuery): Promise<unknown> {
    const { ids } = await readPage(this.#db, adminUserList(query), query)
    return this.#db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute()
  }

  async audit(query: AuditQuery): Promise<unknown> {
    const { ids } = await readPage(this.#db, await auditList(this.#db, query), query)
    return listActivityByIds(this.#db, ids)
  }
}

const SERVER_TABLES = sql`servers s join users u on u.id = s.owner_id left join presence p on p.server_id = s.public_id`
const NEWEST = sql`s.created_at desc, s.public_id desc`

function queriesOf(dataset: AdminDataset): Query[] {
  const ours = new IndexedLists(dataset)
  const plainQuery = (from: Sql, columns: Sql, where: Sql, order: Sql, offset: number) => async () => {
    await sql`select ${columns} from ${from} where ${where} order by ${order} limit ${PER_PAGE} offset ${offset}`.execute(dataset.plain)
    await sql`select count(*) from ${from} where ${where}`.execute(dataset.plain)
  }
  const servers = (
    name: string,
    queryAt: (number: number) => AdminServersQuery,
    where: (query: AdminServersQuery) => Sql = () => sql`true`,
    order = NEWEST,
  ): Query => ({
    name,
    turn: (number) => {
      const query = queryAt(number)
      const offset = ((query.page ?? 1) - 1) * PER_PAGE
      return {
        ours: () => ours.servers(query),
        plain: plainQuery(SERVER_TABLES, sql`s.*, u.username, p.announce`, where(query), order, offset),
      }
    },
  })
  const users = (
    name: string,
    queryAt: (number: number) => AdminUsersQuery,
    where: (query: AdminUsersQuery) => Sql = () => sql`true`,
  ): Query => ({
    name,
    turn: (number) => {
      const query = queryAt(number)
      return {
        ours: () => ours.users(query),
        plain: plainQuery(sql`users u`, sql`u.*`, where(query), sql`u.created_at desc, u.id desc`, 0),
      }
    },
  })
  const audits = (name: string, queryAt: (number: number) => AuditQuery, where: (query: AuditQuery) => Sql): Query => ({
    name,
    turn: (number) => {
      const query = queryAt(number)
      return { ours: () => ours.audit(query), plain: plainQuery(sql`activity a`, sql`a.*`, where(query), sql`a.id desc`, 0) }
    },
  })
  const like = (term = '') => `%${term}%`
  const searched = ({ search }: { search?: string | undefined }) =>
    sql`(s.name ilike ${like(search)} or s.public_id ilike ${like(search)} or s.vanity_url ilike ${like(search)} or u.username ilike ${like(search)} or u.discord_id ilike ${like(search)})`
  const userMatches = ({ search }: { search?: string | undefined }) =>
    sql`(u.username ilike ${like(search)} or u.discord_id ilike ${like(search)})`
  const searching = (name: string, ...terms: string[]) => servers(name, (number) => ({ search: pick(terms, number) }), searched)
  const status = (one: 'online' | 'offline' | 'never_seen', where: Sql) =>
    servers(
      `status ${one}`,
      () => ({ status: [one] }),
      () => where,
    )
  const userId = (number: number) => `018f0000-0000-7000-8000-${(1 + ((number * 7919) % 100_000)).toString(16).padStart(12, '0')}`
  return [
    servers('servers, newest', () => ({})),
    servers('servers, page 200 by number', () => ({ page: 200 })),
    {
      name: 'servers, far page by its anchor',
      turn: (number) => ({
        ours: async () => ours.servers({ after: await idAtDepth(dataset, number) }),
        plain: plainQuery(SERVER_TABLES, sql`s.*, u.username, p.announce`, sql`true`, NEWEST, ((number * 7) % 95) * 2000),
      }),
    },
    servers(
      'banned',
      () => ({ banned: true }),
      () => sql`s.banned`,
    ),
    servers(
      'not banned',
      () => ({ banned: false }),
      () => sql`not s.banned`,
    ),
    status('online', sql`p.online`),
    status('offline', sql`not p.online`),
    status('never_seen', sql`p.server_id is null`),
    servers(
      'tag, common',
      (number) => ({ tags: [pick(['roleplay', 'racing', 'voice'], number)] }),
      ({ tags }) => sql`s.tags && ${tags}::text[]`,
    ),
    servers(
      'tag, rare',
      () => ({ tags: ['chess'] }),
      ({ tags }) => sql`s.tags && ${tags}::text[]`,
    ),
    servers(
      'tag without servers',
      () => ({ tags: ['unused'] }),
      ({ tags }) => sql`s.tags && ${tags}::text[]`,
    ),
    servers(
      'tag, rare, and online',
      () => ({ tags: ['chess'], status: ['online'] }),
      ({ tags }) => sql`s.tags && ${tags}::text[] and p.online`,
    ),
    servers(
      'group, empty',
      () => ({ group_id: '018f0000-0000-7000-8000-000000000001' }),
      ({ group_id: id }) => sql`s.group_id = ${id}::uuid`,
    ),
    servers(
      'of one user',
      (number) => ({ user_id: userId(number) }),
      ({ user_id: id }) => sql`s.owner_id = ${id}::uuid`,
    ),
    servers('by name', () => ({ sort: 'name' }), undefined, sql`lower(s.name), s.public_id`),
    servers('by players', () => ({ sort: 'players' }), undefined, sql`coalesce(p.players, -1) desc, s.created_at desc`),
    servers('by players, ascending', () => ({ sort: 'players', order: 'asc' }), undefined, sql`coalesce(p.players, -1), s.created_at`),
    servers(
      'by players, a rare word',
      () => ({ sort: 'players', search: 'kosmonaut' }),
      searched,
      sql`coalesce(p.players, -1) desc, s.created_at desc`,
    ),
    searching('search, rare', 'zanzibar', 'Racing 19999', 'crystal vice police', 'harbor ember drift 1'),
    searching('search, medium', 'kosmonaut', 'grand tiger', 'Drift 19', 'falcon sur'),
    searching('search, common', 'racing', 'silver', 'roleplay', 'e s'),
    searching('search, in every other server', 'ver', '000', 'ing'),
    searching('search, no hit', 'qqqqq', 'nothing like this', 'zanzibarr', '999999999999'),
    searching('search, 2 letters', 'er', 'ro', 'qx', 'z9', '7k'),
    searching('search, 2 letters, no hit', '~~', 'жщ', '#!', 'ßß'),
    searching('search, 1 letter', 'a', 'q', '7', '.'),
    searching('search, 1 letter, no hit', 'ж', '~', '%', 'ß'),
    servers(
      'search, address',
      (number) => ({ search: `10.${number % 256}.7.${(number * 31) % 256}` }),
      ({ search }) => sql`(host(p.address) like ${search} or ${searched({ search })})`,
    ),
    servers(
      'search, prefix of an address',
      (number) => ({ search: `10.${number % 200}.` }),
      ({ search }) => sql`(host(p.address) like ${`${search}%`} or ${searched({ search })})`,
    ),
    searching('search, owner', 'vice_lotus', 'tiger.maple', 'wolfcoral1', '1000000791913'),
    users('users, newest', () => ({})),
    users('users, search, rare', () => ({ search: 'wolf.tiger12' }), userMatches),
    users('users, search, common', (number) => ({ search: pick(['wolf', 'vice', 'eagle'], number) }), userMatches),
    users('users, search, 2 letters', (number) => ({ search: pick(['er', 'wo', 'zz', '~a'], number) }), userMatches),
    users(
      'users, banned',
      () => ({ banned: true }),
      () => sql`u.banned`,
    ),
    users(
      'users, one tier',
      () => ({ tiers: ['GOLD'] }),
      () => sql`u.active_tier = 'GOLD'`,
    ),
    users(
      'users, three tiers',
      () => ({ tiers: ['GOLD', 'RUBY', 'BRONZE'] }),
      () => sql`u.active_tier in ('GOLD', 'RUBY', 'BRONZE')`,
    ),
    users(
      'users, benefit by tier or grant',
      () => ({ benefits: ['CUSTOM_BANNER'] }),
      () =>
        sql`(u.active_tier in ('GOLD', 'PLATINUM', 'RUBY', 'DIAMOND_ALTRUIST') or exists (select from benefit_grants g where g.user_id = u.id and g.key = 'CUSTOM_BANNER'))`,
    ),
    users(
      'users, administrators',
      () => ({ benefits: ['ADMIN'] }),
      () => sql`exists (select from benefit_grants g where g.user_id = u.id and g.key = 'ADMIN')`,
    ),
    users(
      'users, pending deletion',
      () => ({ pending_deletion: true }),
      () => sql`u.delete_at is not null`,
    ),
    audits(
      'audit, newest',
      () => ({}),
      () => sql`true`,
    ),
    audits(
      'audit, of one user',
      (number) => ({ target_id: userId(number) }),
      ({ target_id: id }) => sql`(a.owner_id = ${id}::uuid or a.other_id = ${id}::uuid)`,
    ),
    audits(
      'audit, by one user',
      (number) => ({ actor_id: userId(number) }),
      ({ actor_id: id }) => sql`a.actor_id = ${id}::uuid`,
    ),
    audits(
      'audit, rare action',
      () => ({ action: ['SERVER_BANNED'] }),
      () => sql`a.action = 'SERVER_BANNED'`,
    ),
    audits(
      'audit, two common actions',
      () => ({ action: ['SERVER_CREATED', 'ADDRESS_RESET'] }),
      () => sql`a.action in ('SERVER_CREATED', 'ADDRESS_RESET')`,
    ),
    audits(
      'audit, by managers',
      () => ({ as: ['manager'] }),
      () => sql`a.role = 'manager'`,
    ),
    audits(
      'audit, a name',
      () => ({ search: 'wolf.tiger12' }),
      () =>
        sql`(a.owner_id in (select id from users where lower(username) = 'wolf.tiger12') or a.actor_id in (select id from users where lower(username) = 'wolf.tiger12') or lower(a.server_name) = 'wolf.tiger12')`,
    ),
  ]
}
