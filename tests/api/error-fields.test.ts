/** A rejected body names its wrong fields, so that a form can show each sentence beside its field. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type Endpoint, isOnMasterList, parseRoute } from '#contract/api/endpoint.ts'
import * as settings from '#contract/benefits/benefit-settings.ts'
import { SETTINGS_BODIES } from '#contract/benefits/benefit-settings.ts'
import { BENEFIT_KEYS, SETTINGS_KEYS } from '#contract/benefits/benefits.ts'
import { endpoints } from '#contract/index.ts'
import { preview } from '#contract/public-site/feeds.ts'
import { upload } from '#contract/servers/images.ts'
import * as groups from '#contract/servers/groups.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { changeLimits, grantBenefit } from '#contract/users/users-admin.ts'
import * as preferences from '#contract/users/preferences.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { buildServer, newName, offer, storeImage } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
/** An administrator with every benefit, who may make every call. */
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
  const limits = { max_masterlist_tokens: 50, max_managers: 5, max_masterlist_groups: 5 }
  await admin.call(changeLimits, { params: { id: admin.id }, body: limits })
  for (const key of BENEFIT_KEYS) await admin.call(grantBenefit, { params: { id: admin.id, key } })
})

interface Rejected {
  readonly statusCode: number
  readonly errors: readonly string[]
  readonly fields?: Readonly<Record<string, string>>
}

async function send(route: string, body: unknown, user = admin): Promise<Rejected> {
  const { method, path } = parseRoute(route as Endpoint['route'])
  const response = await user.fetch(path.replaceAll(/\{\w+\}/g, user.id), {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Rejected
}

/** Its type fits no field. */
const WRONG = [{}]

const settingsPaths = SETTINGS_KEYS.flatMap((key) =>
  [settings.changeSettings, settings.changeAdminSettings].map(
    ({ route }) => [route.replace('{key}', key.toLowerCase()), SETTINGS_BODIES[key]] as const,
  ),
)
const bodies: (readonly [route: string, body: z.ZodType])[] = (endpoints as readonly Endpoint[]).flatMap((endpoint) => {
  const { route, body } = endpoint
  return body === undefined || isOnMasterList(endpoint) ? [] : [[route, body] as const]
})
const fieldsOf = (body: z.ZodType) => Object.keys('shape' in body ? (body.shape as object) : {})
const forms = [...bodies, ...settingsPaths].filter(([, body]) => fieldsOf(body).length > 0)

test.each(forms)('%s names each wrong field', async (route, body) => {
  for (const field of fieldsOf(body)) {
    const { statusCode, errors, fields = {} } = await send(route, { [field]: WRONG })
    expect(statusCode, errors.join(' ')).toBe(400)
    const paths = Object.keys(fields).filter((path) => path === field || path.startsWith(`${field}.`))
    expect(paths, `${field}: ${errors.join(' ')}`).not.toEqual([])
    for (const sentence of Object.values(fields)) expect(errors).toContain(sentence)
  }
})

test('no call with a form is missed', () => {
  const missed = bodies.map(([route]) => route).filter((route) => !forms.some(([form]) => form === route))
  expect(missed.toSorted()).toEqual([
    // By their key.
    'PUT /api/admin/users/{id}/benefits/{key}/settings',
    'PUT /api/users/benefits/{key}/settings',
  ])
})

test('a field has its first sentence, and a sentence about no field is only in the errors', async () => {
  const { route } = servers.create
  const body = { name: '', tags: ['ok', '', 'x'], website: 'https://', colour: 'blue' }
  const { errors, fields } = await send(route, body)
  expect(Object.keys(fields ?? {})).toEqual(['name', 'tags.1', 'website'])
  expect(errors).toContain('Unknown field “colour”. Leave it out.')
  expect(await send(route, [])).toEqual({ statusCode: 400, errors: [expect.any(String)], isBusiness: false })
  const german = await admin.fetch('/api/users/tokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'de' },
    body: '{}',
  })
  const { errors: texts, fields: named } = (await german.json()) as Rejected
  expect([texts, named]).toEqual([['Name ist erforderlich.'], { name: 'Name ist erforderlich.' }])
})

test('a field within a field has a path', async () => {
  const { fields } = await send(preferences.change.route, { notifications: { 'server.online': 'yes' } })
  expect(Object.keys(fields ?? {})).toEqual(['notifications.server.online'])
})

test('wrong parameters of a call are no fields', async () => {
  const response = await admin.fetch('/api/admin/tokens?page=x')
  expect(await response.json()).toEqual({ statusCode: 400, errors: [expect.any(String)], isBusiness: false })
})

describe('a rule names its field:', () => {
  /** The status and the fields of a rejection. */
  async function rejected(route: string, body: unknown, user = admin): Promise<unknown> {
    const { statusCode, errors, fields } = await send(route, body, user)
    expect(errors).toEqual(Object.values(fields ?? {}))
    return [statusCode, Object.keys(fields ?? {})]
  }
  const create = (body: object, user?: SignedInUser) => rejected(servers.create.route, { name: newName(), ...body }, user)

  test('the name and the vanity ID that another server has', async () => {
    const { name } = await buildServer(admin, { vanity_url: 'taken-by-a-test' })
    expect(await create({ name })).toEqual([409, ['name']])
    expect(await create({ vanity_url: 'taken-by-a-test' })).toEqual([409, ['vanity_url']])
  })

  test('a group, an icon and an address that the owner cannot use', async () => {
    const banner = await storeImage(app, admin.id, 'BANNER')
    expect(await create({ group_id: admin.id })).toEqual([400, ['group_id']])
    expect(await create({ icon_image_id: 'x' })).toEqual([400, ['icon_image_id']])
    expect(await create({ icon_image_id: admin.id })).toEqual([400, ['icon_image_id']])
    expect(await create({ icon_image_id: banner.id })).toEqual([400, ['icon_image_id']])
    expect(await create({ website: 'http://localhost' })).toEqual([400, ['website']])
  })

  test('a field without its benefit', async () => {
    expect(await create({ promoted: true }, await app.newUser())).toEqual([403, ['promoted']])
  })

  test('the name of another group', async () => {
    const { data } = await admin.call(groups.create, { body: { name: newName() } })
    expect(await rejected(groups.create.route, { name: data.name })).toEqual([409, ['name']])
  })

  test('a manager and a recipient that cannot be', async () => {
    const { public_id: id } = await buildServer(admin)
    const { id: other } = await app.newUser()
    const missing = '019ac0de-0000-7000-8000-000000000002'
    for (const [status, user] of [
      [400, admin.id],
      [404, missing],
    ] as const) {
      const manager = { user_id: user, permissions: ['EDIT_DETAILS'] }
      expect(await rejected(managers.grant.route, manager)).toEqual([status, ['user_id']])
      expect(await rejected(transfers.offer.route, { token_id: id, user_id: user })).toEqual([status, ['user_id']])
    }
    expect(await rejected(transfers.offer.route, { token_id: 'AAAAAAA', user_id: other })).toEqual([404, ['token_id']])
    await offer(admin, id, other)
    expect(await rejected(transfers.offer.route, { token_id: id, user_id: other })).toEqual([409, ['token_id']])
  })

  test('a webhook that cannot be', async () => {
    const hook = { name: 'Hook', kind: 'standard', url: 'https://hooks.example/', events: ['server.updated'] }
    const { route } = webhooks.create
    expect(await rejected(route, { ...hook, url: 'https://localhost/' })).toEqual([400, ['url']])
    expect(await rejected(route, { ...hook, kind: 'discord' })).toEqual([400, ['url']])
    expect(await rejected(route, { ...hook, server_ids: ['AAAAAAA'] })).toEqual([400, ['server_ids']])
    expect(await rejected(route, { ...hook, offline_after_seconds: 1 })).toEqual([400, ['offline_after_seconds']])
    const { data } = await admin.call(webhooks.create, {
      body: { name: 'D', kind: 'discord', url: 'https://discord.com/api/webhooks/1/a', events: ['server.updated'] },
    })
    expect(await rejected(webhooks.change.route.replace('{id}', data.id), { url: 'https://hooks.example/' })).toEqual([400, ['url']])
  })

  test('benefit settings that cannot be', async () => {
    const route = settings.changeSettings.route.replace('{key}', 'custom_launcher')
    expect(await rejected(route, { logo_image_id: admin.id })).toEqual([400, ['logo_image_id']])
    expect(await rejected(route, { rss_url: 'https://localhost/' })).toEqual([400, ['rss_url']])
    expect(await rejected(route, { server_ids: ['AAAAAAA'] })).toEqual([400, ['server_ids']])
    expect(await rejected(route, { server_ids: ['AAAAAAA'], all_servers: true })).toEqual([400, ['server_ids']])
  })

  test('a feed without an address, and a ban that has ended', async () => {
    expect(await rejected(preview.route, { url: 'https://localhost/' })).toEqual([400, ['url']])
    const { public_id: id } = await buildServer(admin)
    const body = { banned: true, banned_until: '2020-01-01T00:00:00Z' }
    expect(await rejected(banServer.route.replace('{id}', id), body)).toEqual([400, ['banned_until']])
  })

  test.each([
    ['purpose', [['file', new Blob(['x'])]]],
    ['file', [['purpose', 'SERVER_ICON']]],
    [
      'file',
      [
        ['purpose', 'SERVER_ICON'],
        ['file', new Blob(['x'])],
      ],
    ],
    [
      'purpose',
      [
        ['purpose', 'POSTER'],
        ['file', new Blob(['x'])],
      ],
    ],
  ] as const)('the %s of an upload', async (field, parts) => {
    const body = new FormData()
    for (const [name, part] of parts) body.append(name, part)
    const response = await admin.fetch(parseRoute(upload.route).path, { method: 'POST', body })
    const { errors, fields } = (await response.json()) as Rejected
    expect(fields).toEqual({ [field]: errors[0] })
  })
})
