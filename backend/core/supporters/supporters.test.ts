/** Tiers of supporters, from signed webhook deliveries. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { me } from '#contract/users/users.ts'
import { snowflakeOf } from '#backend/core/auth/local-provider.ts'
import { announce, buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'
import { deleteFormerSupporters } from './supporters.ts'
import { SUPPORTERS, supportersOf, SECRET, bodyOf, sign, gold, ruby } from '#tests/patreon.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp(SUPPORTERS)
})

const { post, signed, deliver, tierOf, createSupporter } = supportersOf(() => app)

describe('the signature', () => {
  test('is accepted with any content type, in lower or upper case', async () => {
    const { user, discord, member } = await createSupporter()
    const body = bodyOf({ member, discord, tiers: gold })
    const response = await post(body, { 'x-patreon-signature': sign(body).toUpperCase(), 'content-type': 'text/plain' })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(await tierOf(user)).toBe('GOLD')
  })

  test('covers the raw bytes: signed invalid UTF-8 or JSON is rejected as such', async () => {
    for (const [body, sentence] of [
      [Buffer.from([0xff, 0xfe, 0x00]), 'The body contains bytes that are not UTF-8. Send JSON in UTF-8.'],
      [Buffer.from('{"data":'), 'The body is not valid JSON.'],
      [Buffer.alloc(0), 'The body is not valid JSON.'],
    ] as const) {
      const response = await signed(body)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [sentence] })
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
    const { user, discord, member } = await createSupporter()
    const body = bodyOf({ member, discord, tiers: gold })
    const response = await post(body, headers(body))
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ errors: ['The signature does not match the body.'] })
    expect(await tierOf(user)).toBeNull()
  })

  test('is checked before the body', async () => {
    expect((await post('not json', { 'x-patreon-signature': sign('x') })).status).toBe(403)
  })
})

test('an unconfigured provider gets 404 for any signature and body', async () => {
  const unconfigured = await startApp()
  for (const name of ['patreon', 'kofi', 'constructor', '..%2fx']) {
    for (const body of ['{}', 'x'.repeat(100_000)]) {
      const response = await post(body, { 'x-patreon-signature': sign(body, '') }, unconfigured, name).catch(() => undefined)
      // The server may close the connection before it has read the whole body.
      if (response !== undefined) expect(response.status).toBe(404)
    }
  }
  expect((await post('{}', {}, app, 'kofi')).status).toBe(404)
  expect((await post('{}', {}, app, 'Patreon')).status).toBe(404)
  await unconfigured.close()
})

test('rejects a body that is too large', async () => {
  const body = ' '.repeat(70_000)
  const response = await signed(body)
  expect([response.status, ((await response.json()) as { errors: string[] }).errors]).toEqual([413, ['The body is too large.']])
})

test('rejects a cross-site request of a browser', async () => {
  const body = bodyOf({ member: 'm', tiers: gold })
  const headers = { 'x-patreon-signature': sign(body), origin: 'https://evil.example' }
  expect((await post(body, headers)).status).toBe(403)
})

describe('events', () => {
  test.each(['members:create', 'members:update', 'members:pledge:create', 'members:pledge:update'])('%s sets the tier', async (event) => {
    const { user, discord, member } = await createSupporter()
    await deliver({ member, discord, tiers: gold }, event)
    expect(await tierOf(user)).toBe('GOLD')
  })

  test.each(['members:delete', 'members:pledge:delete'])('%s ends the tier, even if the body still contains it', async (event) => {
    const { user, discord, member } = await createSupporter()
    await deliver({ member, discord, tiers: gold })
    await deliver({ member, discord, tiers: gold }, event)
    expect(await tierOf(user)).toBeNull()
  })

  test.each(['posts:publish', 'posts:update', 'something:new', ''])('“%s” is accepted and changes nothing', async (event) => {
    const { user, discord, member } = await createSupporter()
    await deliver({ member, discord, tiers: gold }, event)
    expect((await signed('{"data":{"type":"post"}}', event)).status).toBe(204)
    expect(await tierOf(user)).toBeNull()
  })
})

describe('which tier', () => {
  test.each([
    ['by its configured title, case-insensitive', [{ id: '1', title: ' TOWN hero ' }], 'GOLD'],
    ['by its configured ID', ruby, 'RUBY'],
    ['by the name of our tier if it is not configured', [{ id: '5', title: 'diamond altruist' }], 'DIAMOND_ALTRUIST'],
    ['the highest of several', [...gold, ...ruby, { id: '6', title: 'Bronze' }], 'RUBY'],
    ['none if its title is unknown', [{ id: '5', title: 'Gold supporters' }], null],
    ['none if it has no title', [{ id: '5' }], null],
    ['none without tiers', [], null],
  ])('%s', async (_what, tiers, expected) => {
    const { user, discord, member } = await createSupporter()
    await deliver({ member, discord, tiers })
    expect(await tierOf(user)).toBe(expected)
  })

  test('is none while the payment is declined and returns once it is paid', async () => {
    const { user, discord, member } = await createSupporter()
    await deliver({ member, discord, tiers: gold, status: 'declined_patron' })
    expect(await tierOf(user)).toBeNull()
    await deliver({ member, discord, tiers: gold })
    expect(await tierOf(user)).toBe('GOLD')
  })

  test('is the highest of all providers, each ending separately', async () => {
    const { user, discord, member } = await createSupporter()
    await app.db.insertInto('supporters').values({ provider: 'other', member_id: member, discord_id: discord, tier: 'SILVER' }).execute()
    await deliver({ member, discord, tiers: gold })
    expect(await tierOf(user)).toBe('GOLD')
    await deliver({ member, discord }, 'members:pledge:delete')
    expect(await tierOf(user)).toBe('SILVER')
  })

  test('a tier forced by an administrator takes precedence while the owned tier changes', async () => {
    const { user, discord, member } = await createSupporter()
    await app.db.updateTable('users').set({ forced_tier: 'BRONZE' }).where('id', '=', user.id).execute()
    await deliver({ member, discord, tiers: gold })
    expect((await user.call(me)).data).toMatchObject({ active_tier: 'BRONZE', owned_tier: 'GOLD' })
  })
})

const isKnown = async (member: string) =>
  (await app.db.selectFrom('supporters').select('member_id').where('member_id', '=', member).execute()).length > 0

describe('a membership', () => {
  test('is deleted thirty days after its tier ended, and only then', async () => {
    const [expired, recent, paying] = [await createSupporter(), await createSupporter(), await createSupporter()]
    for (const { discord, member } of [expired, recent, paying]) await deliver({ member, discord, tiers: gold })
    for (const { discord, member } of [expired, recent]) await deliver({ member, discord })
    const setLastDelivery = (member: string, days: number) =>
      sql`update supporters set updated_at = now() - make_interval(days => ${days}) where member_id = ${member}`.execute(app.db)
    await setLastDelivery(expired.member, 30)
    await setLastDelivery(recent.member, 29)
    await setLastDelivery(paying.member, 400)
    await deleteFormerSupporters(app)
    expect([await isKnown(expired.member), await isKnown(recent.member), await isKnown(paying.member)]).toEqual([false, true, true])
    expect(await tierOf(paying.user)).toBe('GOLD')
    await deliver({ ...expired, tiers: ruby })
    expect(await tierOf(expired.user)).toBe('RUBY')
  })

  test('that ends while unknown is not stored', async () => {
    await deliver({ member: 'unknown', discord: snowflakeOf('unknown'), tiers: gold }, 'members:delete')
    expect(await isKnown('unknown')).toBe(false)
  })
})

describe('unmapped tiers', () => {
  const logged = (title: string) =>
    app
      .allLogs()
      .split('\n')
      .filter((line) => line.includes(title))

  test('are logged once a delivery, without personal data', async () => {
    const { discord, member } = await createSupporter()
    const body = bodyOf({ member, discord, tiers: [{ id: '4711', title: 'Unmapped Tier' }] })
    await Promise.all([signed(body), signed(body), signed(body)])
    const [line = '', ...others] = logged('Unmapped Tier')
    expect(others).toEqual([])
    expect(JSON.parse(line)).toMatchObject({ level: 30, provider: 'patreon', tiers: [{ id: '4711', title: 'Unmapped Tier' }] })
    for (const personal of [discord, member, 'Full Name']) expect(line).not.toContain(personal)
  })

  test.each([
    ['the member also pays for a mapped tier', { tiers: [...gold, { id: '1', title: 'Beside Gold' }] }, 'Beside Gold'],
    ['nothing is paid', { tiers: [{ id: '2', title: 'Free Of Charge' }], status: null }, 'Free Of Charge'],
    ['the payment was declined', { tiers: [{ id: '3', title: 'Not Paid' }], status: 'declined_patron' }, 'Not Paid'],
  ])('are not logged if %s', async (_what, about, title) => {
    const { discord, member } = await createSupporter()
    await deliver({ member, discord, ...about })
    expect(logged(title)).toEqual([])
  })
})

test('the list shows benefits of the tier until it ends; both changes invalidate open panels', async () => {
  const { user, discord, member } = await createSupporter()
  const stream = await listen(user)
  await deliver({ member, discord, tiers: ruby })
  await stream.until(({ event, data }) => event === 'account' && JSON.stringify(data).includes('"benefits"'))
  stream.close()
  const server = await buildServer(user)
  expect((await user.call(servers.change, { params: { id: server.public_id }, body: { promoted: true } })).status).toBe(200)
  expect((await announce(app, server.credential)).status).toBe(200)
  const promoted = async () => {
    const shown = await fetch(`${app.listUrl}/servers/${server.public_id}`)
    return ((await shown.json()) as { promoted: boolean }).promoted
  }
  expect(await promoted()).toBe(true)
  await deliver({ member, discord }, 'members:pledge:delete')
  expect(await promoted()).toBe(false)
  await deliver({ member, discord, tiers: ruby })
  expect(await promoted()).toBe(true)
})

test('a signed body of another shape is accepted or gets 400 with one sentence', async () => {
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
      const response = await signed(JSON.stringify(changed))
      expect([204, 400], `${path.join('.')} = ${JSON.stringify(value)}`).toContain(response.status)
      if (response.status === 400) expect(((await response.json()) as { errors: string[] }).errors).toEqual([expect.any(String)])
    }
  }
  for (const body of ['null', '[]', '1', '"x"', '{}', `${'['.repeat(5000)}${']'.repeat(5000)}`])
    expect((await signed(body)).status).toBe(400)
})

test('the log contains no secret, signature or body', () => {
  const logged = app.allLogs()
  expect(logged).not.toContain(SECRET)
  expect(logged).not.toContain('x-patreon-signature')
  expect(logged).not.toContain('currently_entitled_tiers')
})
