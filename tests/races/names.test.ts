/** Names and vanity IDs: of concurrent claims to the same or a look-alike name, one succeeds. */
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, newName, setTier } from '#tests/factories.ts'
import type { TestApp } from '#tests/harness.ts'
import { type Outcome, type SignedInUser, WIDTH, fire, lastActivity, actionsOf, race, startRacing, newUsers, times } from './race.ts'

let app: TestApp
let users: SignedInUser[]

beforeAll(async () => {
  app = await startRacing()
  users = await newUsers(app, WIDTH)
  for (const one of users) await setTier(app, one.id, 'GOLD')
})

const userAt = (index: number): SignedInUser => users[index % users.length] as SignedInUser

/** Look-alikes: Cyrillic letters, full-width letters, case, accents and spaces. */
const LOOK_ALIKES = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => name.replaceAll('e', 'е').replaceAll('o', 'о'),
  (name: string) => name.replaceAll('a', 'á'),
  (name: string) => name.replaceAll('s', 'ｓ'),
  (name: string) => `  ${name} `,
]
const lookAlike = (name: string, index: number) => LOOK_ALIKES[index % LOOK_ALIKES.length]?.(name) ?? name

function expectOneWinner(outcomes: readonly Outcome[], businessStatus: string): void {
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
  const losers = outcomes.filter(({ status }) => status !== 200)
  for (const { status, text } of losers) {
    expect(status, text).toBe(409)
    expect(JSON.parse(text)).toMatchObject({ isBusiness: true, businessStatus })
  }
}

/** Deletes the servers of a round. */
async function deleteServers(): Promise<void> {
  await Promise.all(
    users.map(async (one) => {
      for (const { public_id: id } of (await one.call(servers.list)).data.owned) await one.call(servers.remove, { params: { id } })
    }),
  )
}

race('of twenty concurrent creates with look-alike names one succeeds', async () => {
  const [name, from] = [newName(), await lastActivity(app)]
  expectOneWinner(
    await fire(times(WIDTH, (index) => () => userAt(index).call(servers.create, { body: { name: lookAlike(name, index) } }))),
    'NAME_ALREADY_EXISTS',
  )
  expect(await actionsOf(app, { afterId: from })).toEqual({ SERVER_CREATED: 1 })
  await deleteServers()
})

race('of concurrent renames and creates with look-alike names one succeeds', async () => {
  const name = newName()
  const renamed = await Promise.all(times(WIDTH / 2, (index) => buildServer(userAt(index))))
  const rename = (index: number) => () =>
    userAt(index).call(servers.change, { params: { id: renamed[index]?.public_id ?? '' }, body: { name: lookAlike(name, index) } })
  const create = (index: number) => () => userAt(index).call(servers.create, { body: { name: lookAlike(name, index + 1) } })
  expectOneWinner(await fire([...times(WIDTH / 2, rename), ...times(WIDTH / 2, create)]), 'NAME_ALREADY_EXISTS')
  await deleteServers()
})

race('of twenty servers that claim one vanity ID at once one gets it', async (index) => {
  const created = await Promise.all(times(WIDTH, (at) => buildServer(userAt(at))))
  const vanity = `wanted-${index}`
  const take = (at: number) => () =>
    userAt(at).call(servers.change, { params: { id: created[at]?.public_id ?? '' }, body: { vanity_url: vanity } })
  expectOneWinner(await fire(times(WIDTH, take)), 'VANITY_URL_ALREADY_EXISTS')
  const rows = await app.db.selectFrom('servers').select('vanity_url').where('vanity_url', 'is not', null).execute()
  expect(rows).toEqual([{ vanity_url: vanity }])
  await deleteServers()
})

/** Until the test ends, each row reaches the unique index of names 10 ms after the table. */
async function delayNameIndex(): Promise<void> {
  await sql`create function slow(name text) returns text language plpgsql immutable as $$ begin perform pg_sleep(0.01); return name; end $$`.execute(
    app.db,
  )
  await sql`create index servers_slow on all_servers (slow(name_key)) where deleted_at is null`.execute(app.db)
  // Indexes are updated in the order of their creation.
  await sql`alter table all_servers drop constraint servers_name_key, add constraint servers_name_key unique (name_key)`.execute(app.db)
  onTestFinished(async () => void (await sql`drop function slow cascade`.execute(app.db)))
}

race('two servers that swap names at once both get 409 and keep their names', async (round) => {
  if (round === 0) await delayNameIndex()
  const [a, b] = [userAt(0), userAt(1)]
  const [one, two] = [await buildServer(a), await buildServer(b)]
  const rename = (who: SignedInUser, id: string, name: string) => () => who.call(servers.change, { params: { id }, body: { name } })
  const outcomes = await fire(
    times(WIDTH, (at) => (at % 2 === 0 ? rename(a, one.public_id, two.name) : rename(b, two.public_id, one.name))),
  )
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([409]))
  const rows = await app.db.selectFrom('servers').select(['public_id', 'name']).execute()
  expect(new Map(rows.map((row) => [row.public_id, row.name]))).toEqual(new Map([one, two].map((row) => [row.public_id, row.name])))
  await deleteServers()
})

race('a released vanity ID is in cooldown: only its former owner can claim it', async (round) => {
  const vanity = `given-up-${round}`
  const owner = userAt(0)
  const mine = await buildServer(owner, { vanity_url: vanity })
  const theirs = await Promise.all(times(WIDTH - 1, (index) => buildServer(userAt(index + 1))))
  const claim = (index: number) => () =>
    userAt(index + 1).call(servers.change, { params: { id: theirs[index]?.public_id ?? '' }, body: { vanity_url: vanity } })
  const params = { id: mine.public_id }
  const giveUp = () =>
    round % 2 === 0 ? owner.call(servers.change, { params, body: { vanity_url: null } }) : owner.call(servers.remove, { params })
  const outcomes = await fire([giveUp, ...times(WIDTH - 1, claim)])
  expect(outcomes[0]?.status).toBeLessThan(300)
  for (const { status, text } of outcomes.slice(1)) {
    expect(status, text).toBe(409)
    expect(JSON.parse(text)).toMatchObject({ businessStatus: 'VANITY_URL_ALREADY_EXISTS' })
  }
  const again = await buildServer(owner)
  expect((await owner.call(servers.change, { params: { id: again.public_id }, body: { vanity_url: vanity } })).status).toBe(200)
  await deleteServers()
})
