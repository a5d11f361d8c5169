import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { ofAccount } from '#contract/activity.ts'
import * as servers from '#contract/servers.ts'
import { me } from '#contract/users.ts'
import { snowflakeOf } from '#backend/features/auth/local-provider.ts'
import { announce, buildServer } from '#tests/factories.ts'
import { type Person, type TestApp, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'
import { deleteFormerSupporters, tierOfSupporter } from './supporters.ts'
import { lockSupporter } from './supporters.queries.ts'

const SECRET = 'webhook-secret-of-the-tests'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ PATREON_WEBHOOK_SECRET: SECRET, PATREON_TIERS: 'Town Hero=GOLD, 777=RUBY', LOG_LEVEL: 'trace' })
})

interface About {
  readonly member: string
  /** Discord id; null says that there is no link, undefined says nothing of it. */
  readonly discord?: string | null
  readonly tiers?: readonly { id: string; title?: string }[]
  readonly status?: string | null
  /** Makes this notice another one than an equal one before it. */
  readonly salt?: number
}

let salt = 0

/** A membership as Patreon sends it. */
function bodyOf({ member, discord, tiers = [], status = 'active_patron', salt: given }: About): string {
  salt += 1
  return JSON.stringify({
    data: {
      type: 'member',
      id: member,
      attributes: { patron_status: status, lifetime_support_cents: given ?? salt },
      relationships: {
        currently_entitled_tiers: { data: tiers.map(({ id }) => ({ id, type: 'tier' })) },
        user: { data: { id: '9', type: 'user' } },
      },
    },
    included: [
      {
        type: 'user',
        id: '9',
        attributes: {
          full_name: 'Somebody',
          ...(discord !== undefined && { social_connections: { discord: discord === null ? null : { user_id: discord }, twitch: null } }),
        },
      },
      ...tiers.map(({ id, title }) => ({ type: 'tier', id, attributes: { title } })),
    ],
  })
}

const sign = (body: string | Buffer, secret = SECRET) => createHmac('md5', secret).update(body).digest('hex')

function post(body: string | Buffer, headers: Record<string, string> = {}, to = app, provider = 'patreon'): Promise<Response> {
  return fetch(`${to.panelUrl}/api/supporters/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-patreon-event': 'members:update', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
}

const signed = (body: string | Buffer, event = 'members:update') =>
  post(body, { 'x-patreon-signature': sign(body), 'x-patreon-event': event })

async function notify(about: About, event = 'members:update'): Promise<void> {
  const answer = await signed(bodyOf(about), event)
  expect(answer.status, await answer.text()).toBe(204)
}

const tierOf = async (person: Person) => (await person.call(me)).data.owned_tier

let people = 0
/** Somebody who is signed in, with his Discord id and a membership of his own. */
async function supporter() {
  const username = `supporter${(people += 1)}`
  const person = await app.signIn(username)
  return { person, discord: snowflakeOf(username), member: `member-${people}` }
}

const gold = [{ id: '1', title: 'Town Hero' }]
const ruby = [{ id: '777', title: 'Anything' }]

describe('the signature', () => {
  test('fits: 204, whatever the content type, in small or large letters', async () => {
    const { person, discord, member } = await supporter()
    const body = bodyOf({ member, discord, tiers: gold })
    const answer = await post(body, { 'x-patreon-signature': sign(body).toUpperCase(), 'content-type': 'text/plain' })
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(await tierOf(person)).toBe('GOLD')
  })

  test('is over the bytes: what is not valid UTF-8 or no JSON is refused as such, once it is signed', async () => {
    for (const body of [Buffer.from([0xff, 0xfe, 0x00]), Buffer.from('{"data":'), Buffer.alloc(0)]) {
      const answer = await signed(body)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ errors: ['The body is not valid JSON.'] })
    }
  })

  test.each([
    ['missing', () => ({})],
    ['empty', () => ({ 'x-patreon-signature': '' })],
    ['of another secret', (body: string) => ({ 'x-patreon-signature': sign(body, 'webhook-secret-of-others') })],
    ['of another body', (body: string) => ({ 'x-patreon-signature': sign(`${body} `) })],
    ['too short', (body: string) => ({ 'x-patreon-signature': sign(body).slice(2) })],
    ['too long', (body: string) => ({ 'x-patreon-signature': `${sign(body)}00` })],
    ['no hexadecimal', () => ({ 'x-patreon-signature': 'z'.repeat(32) })],
  ])('%s: 403, and nothing changes', async (_what, headers: (body: string) => Record<string, string>) => {
    const { person, discord, member } = await supporter()
    const body = bodyOf({ member, discord, tiers: gold })
    const answer = await post(body, headers(body))
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ errors: ['The signature does not fit the body.'] })
    expect(await tierOf(person)).toBeNull()
  })

  test('what is wrong with the body is not told to whoever did not sign it', async () => {
    expect((await post('not json', { 'x-patreon-signature': sign('x') })).status).toBe(403)
  })
})

test('what nobody set up is not there, signed or not, whatever the body', async () => {
  const bare = await startApp()
  for (const name of ['patreon', 'kofi', 'constructor', '..%2fx']) {
    for (const body of ['{}', 'x'.repeat(100_000)]) {
      const answer = await post(body, { 'x-patreon-signature': sign(body, '') }, bare, name).catch(() => undefined)
      // A connection may be ended under a body that nobody wants to read.
      if (answer !== undefined) expect(answer.status).toBe(404)
    }
  }
  expect((await post('{}', {}, app, 'kofi')).status).toBe(404)
  expect((await post('{}', {}, app, 'Patreon')).status).toBe(404)
  await bare.close()
})

test('a body that is too large is refused', async () => {
  const body = ' '.repeat(70_000)
  const answer = await signed(body)
  expect([answer.status, ((await answer.json()) as { errors: string[] }).errors]).toEqual([413, ['The body is too large.']])
})

test("another website's page can't send a notice with a visitor's browser", async () => {
  const body = bodyOf({ member: 'm', tiers: gold })
  const headers = { 'x-patreon-signature': sign(body), origin: 'https://evil.example' }
  expect((await post(body, headers)).status).toBe(403)
})

describe('events', () => {
  test.each(['members:create', 'members:update', 'members:pledge:create', 'members:pledge:update'])('%s sets the tier', async (event) => {
    const { person, discord, member } = await supporter()
    await notify({ member, discord, tiers: gold }, event)
    expect(await tierOf(person)).toBe('GOLD')
  })

  test.each(['members:delete', 'members:pledge:delete'])('%s ends the tier, even where the notice still names it', async (event) => {
    const { person, discord, member } = await supporter()
    await notify({ member, discord, tiers: gold })
    await notify({ member, discord, tiers: gold }, event)
    expect(await tierOf(person)).toBeNull()
  })

  test.each(['posts:publish', 'posts:update', 'something:new', ''])('“%s” is taken and changes nothing', async (event) => {
    const { person, discord, member } = await supporter()
    await notify({ member, discord, tiers: gold }, event)
    expect((await signed('{"data":{"type":"post"}}', event)).status).toBe(204)
    expect(await tierOf(person)).toBeNull()
  })
})

describe('which tier', () => {
  test.each([
    ['by its title as configured, in any case', [{ id: '1', title: ' TOWN hero ' }], 'GOLD'],
    ['by its id as configured', ruby, 'RUBY'],
    ['by the name of ours where nobody mapped it', [{ id: '5', title: 'diamond altruist' }], 'DIAMOND_ALTRUIST'],
    ['the highest of several', [...gold, ...ruby, { id: '6', title: 'Bronze' }], 'RUBY'],
    ['none where it is called otherwise', [{ id: '5', title: 'Gold supporters' }], null],
    ['none where it is not described', [{ id: '5' }], null],
    ['none without any', [], null],
  ])('%s', async (_what, tiers, expected) => {
    const { person, discord, member } = await supporter()
    await notify({ member, discord, tiers })
    expect(await tierOf(person)).toBe(expected)
  })

  test('none while the payment is declined, and again once it is paid', async () => {
    const { person, discord, member } = await supporter()
    await notify({ member, discord, tiers: gold, status: 'declined_patron' })
    expect(await tierOf(person)).toBeNull()
    await notify({ member, discord, tiers: gold })
    expect(await tierOf(person)).toBe('GOLD')
  })

  test('the highest over all providers, each ending by itself', async () => {
    const { person, discord, member } = await supporter()
    await app.db.insertInto('supporters').values({ provider: 'other', member_id: member, discord_id: discord, tier: 'SILVER' }).execute()
    await notify({ member, discord, tiers: gold })
    expect(await tierOf(person)).toBe('GOLD')
    await notify({ member, discord }, 'members:pledge:delete')
    expect(await tierOf(person)).toBe('SILVER')
  })

  test('what an administrator forces stands above it, and what is owned changes beneath', async () => {
    const { person, discord, member } = await supporter()
    await app.db.updateTable('users').set({ forced_tier: 'BRONZE' }).where('id', '=', person.id).execute()
    await notify({ member, discord, tiers: gold })
    expect((await person.call(me)).data).toMatchObject({ active_tier: 'BRONZE', owned_tier: 'GOLD' })
  })
})

describe('the same notice again', () => {
  test('changes nothing after a newer one', async () => {
    const { person, discord, member } = await supporter()
    const old = bodyOf({ member, discord, tiers: ruby })
    expect((await signed(old)).status).toBe(204)
    await notify({ member, discord, tiers: gold })
    expect((await signed(old)).status).toBe(204)
    expect(await tierOf(person)).toBe('GOLD')
  })

  test('counts once, however many come at the same moment', async () => {
    const { person, discord, member } = await supporter()
    const body = bodyOf({ member, discord, tiers: gold })
    const answers = await Promise.all(Array.from({ length: 10 }, () => signed(body)))
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 204))
    const told = (await person.call(ofAccount)).data.filter((entry) => entry.action === 'TIER_CHANGED')
    expect(told).toMatchObject([{ as: 'system', actor: null, before: { owned_tier: null }, after: { owned_tier: 'GOLD' } }])
  })

  const SAYING = ['members:create', 'members:update', 'members:pledge:create', 'members:pledge:update']
  const ENDING = ['members:delete', 'members:pledge:delete']

  test('gives nothing as whichever event, which nobody signed, once the support has ended', async () => {
    const { person, discord, member } = await supporter()
    const [paid, cancelled] = [bodyOf({ member, discord, tiers: gold }), bodyOf({ member, discord })]
    await signed(paid)
    expect(await tierOf(person)).toBe('GOLD')
    await signed(cancelled)
    for (const event of [...SAYING, ...ENDING, ...SAYING]) {
      expect((await signed(paid, event)).status).toBe(204)
      expect(await tierOf(person), event).toBeNull()
    }
  })

  test('gives nothing either where its first coming was an end', async () => {
    const { person, discord, member } = await supporter()
    const body = bodyOf({ member, discord, tiers: gold })
    for (const event of [...ENDING, ...SAYING, ...ENDING]) {
      expect((await signed(body, event)).status).toBe(204)
      expect(await tierOf(person), event).toBeNull()
    }
  })

  test('ends what it began where it comes as an end, and once', async () => {
    const { person, discord, member } = await supporter()
    const body = bodyOf({ member, discord, tiers: gold })
    await signed(body)
    await signed(body, 'members:pledge:delete')
    expect(await tierOf(person)).toBeNull()
    await notify({ member, discord, tiers: ruby })
    for (const event of [...ENDING, ...SAYING]) await signed(body, event)
    expect(await tierOf(person)).toBe('RUBY')
  })

  test('as both kinds at the same moment ends with nothing, whichever comes first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { person, discord, member } = await supporter()
      const body = bodyOf({ member, discord, tiers: gold })
      await Promise.all([...SAYING, ...ENDING].map((event) => signed(body, event)))
      expect(await tierOf(person)).toBeNull()
    }
  })

  test('as an end brings back no link that has changed since', async () => {
    const [a, b] = [await supporter(), await supporter()]
    const old = bodyOf({ member: a.member, discord: a.discord, tiers: gold })
    await signed(old)
    await notify({ member: a.member, discord: b.discord, tiers: gold })
    await signed(old, 'members:delete')
    await notify({ member: a.member, tiers: gold })
    expect(await tierOf(a.person)).toBeNull()
    await notify({ member: a.member, discord: b.discord, tiers: gold })
    expect([await tierOf(a.person), await tierOf(b.person)]).toEqual([null, 'GOLD'])
  })

  test('brings nobody back who was forgotten', async () => {
    const { person, discord, member } = await supporter()
    const body = bodyOf({ member, discord, tiers: gold })
    await signed(body)
    // As an erasure does.
    await app.db.deleteFrom('supporters').where('member_id', '=', member).execute()
    await app.db.updateTable('users').set({ owned_tier: null }).where('id', '=', person.id).execute()
    for (const event of [...SAYING, ...ENDING]) await signed(body, event)
    expect(await tierOf(person)).toBeNull()
    expect(await isKnown(member)).toBe(false)
    await notify({ member, discord, tiers: gold })
    expect([await tierOf(person), await isKnown(member)]).toEqual(['GOLD', true])
  })
})

const isKnown = async (member: string) =>
  (await app.db.selectFrom('supporters').select('member_id').where('member_id', '=', member).execute()).length > 0

describe('a membership', () => {
  test('without a tier is forgotten after thirty days, and no other', async () => {
    const [lapsed, lately, paying] = [await supporter(), await supporter(), await supporter()]
    for (const { discord, member } of [lapsed, lately, paying]) await notify({ member, discord, tiers: gold })
    for (const { discord, member } of [lapsed, lately]) await notify({ member, discord })
    const heardOf = (member: string, days: number) =>
      sql`update supporters set updated_at = now() - make_interval(days => ${days}) where member_id = ${member}`.execute(app.db)
    await heardOf(lapsed.member, 30)
    await heardOf(lately.member, 29)
    await heardOf(paying.member, 400)
    await deleteFormerSupporters(app)
    expect([await isKnown(lapsed.member), await isKnown(lately.member), await isKnown(paying.member)]).toEqual([false, true, true])
    expect(await tierOf(paying.person)).toBe('GOLD')
    await notify({ ...lapsed, tiers: ruby })
    expect(await tierOf(lapsed.person)).toBe('RUBY')
  })

  test('that ends before anybody knew it is not kept', async () => {
    await notify({ member: 'unknown', discord: snowflakeOf('unknown'), tiers: gold }, 'members:delete')
    expect(await isKnown('unknown')).toBe(false)
  })
})

describe('tiers that nobody mapped', () => {
  const told = (title: string) =>
    app
      .everythingLogged()
      .split('\n')
      .filter((line) => line.includes(title))

  test('are told to the operator, once a notice, without a word on whose they are', async () => {
    const { discord, member } = await supporter()
    const body = bodyOf({ member, discord, tiers: [{ id: '4711', title: 'Unheard Of' }] })
    await Promise.all([signed(body), signed(body), signed(body)])
    const [line = '', ...others] = told('Unheard Of')
    expect(others).toEqual([])
    expect(JSON.parse(line)).toMatchObject({ level: 30, provider: 'patreon', tiers: [{ id: '4711', title: 'Unheard Of' }] })
    for (const personal of [discord, member, 'Somebody']) expect(line).not.toContain(personal)
  })

  test.each([
    ['one of ours comes with them', { tiers: [...gold, { id: '1', title: 'Beside Gold' }] }, 'Beside Gold'],
    ['nothing is paid', { tiers: [{ id: '2', title: 'Free Of Charge' }], status: null }, 'Free Of Charge'],
    ['the payment was declined', { tiers: [{ id: '3', title: 'Not Paid' }], status: 'declined_patron' }, 'Not Paid'],
  ])('are no news where %s', async (_what, about, title) => {
    const { discord, member } = await supporter()
    await notify({ member, discord, ...about })
    expect(told(title)).toEqual([])
  })
})

describe('the link to Discord', () => {
  test('that goes takes the tier from its person; that comes back brings it again', async () => {
    const { person, discord, member } = await supporter()
    await notify({ member, discord, tiers: gold })
    await notify({ member, discord: null, tiers: gold })
    expect(await tierOf(person)).toBeNull()
    await notify({ member, discord, tiers: gold })
    expect(await tierOf(person)).toBe('GOLD')
  })

  test('that a notice says nothing of stays as it was', async () => {
    const { person, discord, member } = await supporter()
    await notify({ member, discord, tiers: gold })
    await notify({ member, tiers: ruby })
    expect(await tierOf(person)).toBe('RUBY')
  })

  test('that changes moves the tier from one person to the other', async () => {
    const [a, b] = [await supporter(), await supporter()]
    await notify({ member: a.member, discord: a.discord, tiers: gold })
    await notify({ member: a.member, discord: b.discord, tiers: gold })
    expect([await tierOf(a.person), await tierOf(b.person)]).toEqual([null, 'GOLD'])
  })

  test('of two members at once, each to the other, ends with both as the last notices say', async () => {
    const [a, b] = [await supporter(), await supporter()]
    await notify({ member: a.member, discord: a.discord, tiers: gold })
    await notify({ member: b.member, discord: b.discord, tiers: ruby })
    await Promise.all([
      notify({ member: a.member, discord: b.discord, tiers: gold }),
      notify({ member: b.member, discord: a.discord, tiers: ruby }),
    ])
    expect([await tierOf(a.person), await tierOf(b.person)]).toEqual(['RUBY', 'GOLD'])
  })
})

describe('somebody who has not signed in yet', () => {
  test('finds his tier when he does, and reads so', async () => {
    await notify({ member: 'early', discord: snowflakeOf('early.bird'), tiers: gold })
    const person = await app.signIn('early.bird')
    expect((await person.call(me)).data).toMatchObject({ owned_tier: 'GOLD', active_tier: 'GOLD' })
    const told = (await person.call(ofAccount)).data.map((entry) => [entry.action, entry.as])
    expect(told).toEqual([
      ['TIER_CHANGED', 'system'],
      ['ACCOUNT_CREATED', 'self'],
    ])
    // A later sign-in is no news.
    await app.signIn('early.bird')
    expect((await person.call(ofAccount)).data).toHaveLength(2)
  })

  /** Whether it was still under way after a moment that is long for one call. */
  const isWaiting = async (act: Promise<unknown>) =>
    (await Promise.race([act.then(() => 'done'), new Promise((resolve) => setTimeout(resolve, 300, 'waiting'))])) === 'waiting'

  test('waits for a notice about him that is being taken in', async () => {
    const discord = snowflakeOf('waiter')
    const { signing, waited } = await app.db.transaction().execute(async (trx) => {
      await lockSupporter(trx, discord)
      await trx.insertInto('supporters').values({ provider: 'other', member_id: 'w', discord_id: discord, tier: 'GOLD' }).execute()
      const under = app.signIn('waiter')
      return { signing: [under], waited: await isWaiting(under) }
    })
    expect(waited).toBe(true)
    const [person] = await Promise.all(signing)
    expect(person === undefined ? undefined : await tierOf(person)).toBe('GOLD')
  })

  test('is waited for by a notice about him, which then finds him', async () => {
    const discord = snowflakeOf('awaited')
    const { notified, waited } = await app.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('users')
        .values({ id: '01900000-0000-7000-8000-000000000001', discord_id: discord, username: 'awaited', avatar: null })
        .execute()
      expect(await tierOfSupporter(trx, discord)).toBeNull()
      const under = notify({ member: 'awaited', discord, tiers: gold })
      return { notified: [under], waited: await isWaiting(under) }
    })
    expect(waited).toBe(true)
    await Promise.all(notified)
    expect(await tierOf(await app.signIn('awaited'))).toBe('GOLD')
  })

  test('never misses a notice that comes while he signs in', async () => {
    for (let round = 0; round < 8; round += 1) {
      const name = `racer${round}`
      const [person] = await Promise.all([app.signIn(name), notify({ member: name, discord: snowflakeOf(name), tiers: gold })])
      expect(await tierOf(person)).toBe('GOLD')
    }
  })
})

test('the list shows what the tier gives and hides it when it ends; open panels hear of both', async () => {
  const { person, discord, member } = await supporter()
  const stream = await listen(person)
  await notify({ member, discord, tiers: ruby })
  await stream.until(({ event, data }) => event === 'account' && JSON.stringify(data).includes('"benefits"'))
  stream.close()
  const server = await buildServer(person)
  expect((await person.call(servers.change, { params: { id: server.public_id }, body: { promoted: true } })).status).toBe(200)
  expect((await announce(app, server.credential)).status).toBe(200)
  const promoted = async () => {
    const shown = await fetch(`${app.listUrl}/servers/${server.public_id}`)
    return ((await shown.json()) as { promoted: boolean }).promoted
  }
  expect(await promoted()).toBe(true)
  await notify({ member, discord }, 'members:pledge:delete')
  expect(await promoted()).toBe(false)
  await notify({ member, discord, tiers: ruby })
  expect(await promoted()).toBe(true)
})

test('a signed body of another shape is a 400 with a sentence, never more', async () => {
  const whole = JSON.parse(bodyOf({ member: 'shape', discord: '123', tiers: gold })) as Record<string, unknown>
  const values = [undefined, null, 1, '', 'x\u0000', 'x'.repeat(500), [], [null], {}, { data: null }, { data: [{ id: {} }] }, true]
  const paths = [
    ['data'],
    ['data', 'id'],
    ['data', 'type'],
    ['data', 'attributes'],
    ['data', 'attributes', 'patron_status'],
    ['data', 'relationships'],
    ['data', 'relationships', 'currently_entitled_tiers'],
    ['data', 'relationships', 'user'],
    ['included'],
    ['included', '0'],
    ['included', '0', 'attributes'],
    ['included', '0', 'attributes', 'social_connections'],
    ['included', '0', 'attributes', 'social_connections', 'discord'],
    ['included', '0', 'attributes', 'social_connections', 'discord', 'user_id'],
    ['included', '1', 'attributes', 'title'],
  ]
  for (const path of paths) {
    for (const value of values) {
      const changed = structuredClone(whole)
      let at = changed as Record<string, Record<string, unknown>>
      for (const step of path.slice(0, -1)) at = at[step] as unknown as typeof at
      ;(at as Record<string, unknown>)[path.at(-1) ?? ''] = value
      const answer = await signed(JSON.stringify(changed))
      expect([204, 400], `${path.join('.')} = ${JSON.stringify(value)}`).toContain(answer.status)
      if (answer.status === 400) expect(((await answer.json()) as { errors: string[] }).errors).toEqual([expect.any(String)])
    }
  }
  for (const body of ['null', '[]', '1', '"x"', '{}', `${'['.repeat(5000)}${']'.repeat(5000)}`])
    expect((await signed(body)).status).toBe(400)
})

test('neither the secret nor a signature nor a body stands in the log', () => {
  const logged = app.everythingLogged()
  expect(logged).not.toContain(SECRET)
  expect(logged).not.toContain('x-patreon-signature')
  expect(logged).not.toContain('currently_entitled_tiers')
})
