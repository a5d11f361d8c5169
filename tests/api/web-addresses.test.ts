/** Web addresses that users enter: the host that a reader sees is the host that is opened, in every field. */
import { beforeAll, expect, test } from 'vitest'
import { changeSettings } from '#contract/benefits/benefit-settings.ts'
import { preview } from '#contract/public-site/feeds.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, newName, setTier } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let owner: SignedInUser
let id: string

beforeAll(async () => {
  app = await startApp()
  owner = await app.newUser()
  await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
  id = (await buildServer(owner)).public_id
})

const launcher = (body: object) => owner.call(changeSettings, { params: { key: 'CUSTOM_LAUNCHER' }, body })

const FIELDS = {
  Website: (website: string) => owner.call(servers.change, { params: { id }, body: { website } }),
  'News feed': (address: string) => launcher({ rss_url: address }),
  'UI address': (address: string) => launcher({ ui_url: address }),
} as const

test.each([
  ['a protocol-relative address', '//example.com/x'],
  ['no host', 'https:///example.com/x'],
  ['no host at all', 'https://'],
  ['a query without a host', 'https://?example.com'],
  ['a backslash', 'https://example.com\\@evil.example'],
  ['backslashes before the host', '\\\\example.com'],
  ['a username before the host', 'https://example.com@evil.example'],
  ['an escaped letter', 'https://exa%6Dple.com'],
  ['an escaped dot', 'https://example%2Ecom.evil.example'],
  ['a hexadecimal IPv4 address', 'https://0x7f.1'],
  ['a short IPv4 address', 'https://127.1'],
  ['full-width letters', 'https://\uFF45xample.com'],
  ['a ligature', 'https://\uFB01ne.example'],
  ['the Kelvin sign', 'https://\u212Aelvin.example'],
  ['an ideographic full stop', 'https://example\u3002com'],
  ['a soft hyphen', 'https://exam\u00ADple.com'],
])('%s is rejected as a web address in every field', async (_, address) => {
  for (const [label, send] of Object.entries(FIELDS)) {
    const rejected = await send(address)
    expect([rejected.status, rejected.error.errors]).toEqual([400, [`${label} must be a web address such as https://example.com.`]])
  }
  expect((await owner.call(preview, { body: { url: address } })).status).toBe(400)
})

test.each([
  'https://10.0.0.1/',
  'https://127.0.0.1:8080/feed',
  'https://169.254.169.254/latest/meta-data',
  'https://192.168.1.1',
  'https://[::1]/',
  'https://[fd00::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://printer.local/',
  'https://wiki.lan/',
  'https://panel.internal/',
])('%s, which is not public, is rejected in every field', async (address) => {
  for (const [label, send] of Object.entries(FIELDS)) {
    const rejected = await send(address)
    expect([label, rejected.status, rejected.error.errors]).toEqual([label, 400, ['This address is not on the public internet.']])
  }
  const created = await owner.call(servers.create, { body: { name: newName(), website: address } })
  expect(created.status).toBe(400)
})

test('a saved address that is not public may be sent unchanged', async () => {
  await launcher({ rss_url: 'https://example.com/feed' })
  await app.db.updateTable('benefit_settings').set({ rss_url: 'https://10.0.0.1/' }).where('user_id', '=', owner.id).execute()
  expect((await launcher({ rss_url: 'https://10.0.0.1/', name: 'Kept' })).status).toBe(200)
  expect((await launcher({ rss_url: 'https://10.0.0.2/' })).status).toBe(400)
})

test.each([
  ['a line break', 'https://exam\nple.com'],
  ['a tab', 'https://example.com/\ta'],
  ['a carriage return', 'https://example.com/a\rb'],
])('%s in a web address is rejected in every field', async (_, address) => {
  for (const send of [...Object.values(FIELDS), (url: string) => owner.call(preview, { body: { url } })])
    expect((await send(address)).status).toBe(400)
})

test.each([
  ['example.com', 'https://example.com'],
  ['https://EXAMPLE.com:8443/a?b=//c#d', 'https://EXAMPLE.com:8443/a?b=//c#d'],
  ['https://b\u00FCcher.example/', 'https://b\u00FCcher.example/'],
  ['\u043F\u0440\u0438\u043C\u0435\u0440.\u0440\u0444', 'https://\u043F\u0440\u0438\u043C\u0435\u0440.\u0440\u0444'],
  ['xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ['1.1.1.1:8080', 'https://1.1.1.1:8080'],
  ['https://[2606:4700:0::1111]/', 'https://[2606:4700:0::1111]/'],
  ['', ''],
])('“%s” is accepted as a web address', async (address, kept) => {
  const { status, data } = await FIELDS.Website(address)
  expect([status, data.website]).toEqual([200, kept])
  for (const send of [FIELDS['News feed'], FIELDS['UI address']]) expect((await send(address)).status).toBe(200)
})
