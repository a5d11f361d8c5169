/** Preferences: defaults, partial changes, rejections, and what follows from a change. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as activity from '#contract/events/activity.ts'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import * as preferences from '#contract/users/preferences.ts'
import { PUBLIC_EVENT_TYPES } from '#contract/events/public-events.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

const read = async (user: SignedInUser) => (await user.call(preferences.get)).data
const change = (user: SignedInUser, body: unknown) => user.call(preferences.change, { body: body as preferences.PreferencesChange })
const changesOf = async (user: SignedInUser) =>
  (await user.call(activity.ofAccount)).data.filter((entry) => entry.action === 'PREFERENCES_CHANGED')

const everyNotification = Object.fromEntries(PUBLIC_EVENT_TYPES.map((type) => [type, true]))

test('a new user has the defaults, and nothing is stored', async () => {
  const user = await app.newUser()
  expect(await read(user)).toEqual({ language: null, time_zone: null, theme: 'system', notifications: everyNotification })
  expect(await app.db.selectFrom('preferences').select('user_id').where('user_id', '=', user.id).execute()).toEqual([])
})

test('a change keeps the fields that are left out, and replies with all', async () => {
  const user = await app.newUser()
  expect((await change(user, { theme: 'light' })).data).toMatchObject({ theme: 'light', time_zone: null })
  expect((await change(user, { time_zone: 'Asia/Kolkata', language: 'pt-BR' })).data).toMatchObject({ theme: 'light' })
  await change(user, { notifications: { 'server.offline': false } })
  const { data } = await change(user, { notifications: { 'issue.opened': false, 'server.offline': false } })
  expect(data).toEqual({
    language: 'pt-BR',
    time_zone: 'Asia/Kolkata',
    theme: 'light',
    notifications: { ...everyNotification, 'server.offline': false, 'issue.opened': false },
  })
  expect(await read(user)).toEqual(data)
  expect((await change(user, { time_zone: null, language: null, notifications: { 'issue.opened': true } })).data).toMatchObject({
    language: null,
    time_zone: null,
    notifications: { 'server.offline': false, 'issue.opened': true },
  })
})

test.each(PANEL_LANGUAGES)('the language %s can be chosen', async (language) => {
  const user = await app.signIn('speaker')
  expect((await change(user, { language })).data).toMatchObject({ language })
})

describe('rejected with a sentence, and nothing changes:', () => {
  const zone = "time_zone must be an IANA name, such as Europe/Berlin, or null for the browser's time zone."
  const language = "language must be one of en, de, fr, es, pt-BR, ru, pl, tr, or null for the browser's language."
  test.each([
    [{ time_zone: 'Mars/Olympus' }, zone],
    [{ time_zone: '' }, zone],
    [{ time_zone: '+02:00' }, zone],
    [{ time_zone: 'A'.repeat(65) }, zone],
    [{ time_zone: 7 }, zone],
    [{ time_zone: 'Europe/Berlin\u0000' }, zone],
    [{ language: 'it' }, language],
    [{ language: 'EN' }, language],
    [{ language: 1 }, language],
    [{ theme: 'blue' }, 'theme must be one of system, dark, light.'],
    [{ theme: null }, 'theme must be one of system, dark, light.'],
    [{ notifications: { 'server.offline': 'no' } }, 'server.offline must be true or false.'],
    [{ notifications: { 'server.exploded': true } }, 'Unknown field “server.exploded”. Leave it out.'],
    [{ colour: 'blue' }, 'Unknown field “colour”. Leave it out.'],
  ])('%j', async (body, sentence) => {
    const user = await app.signIn('rejected')
    await change(user, { theme: 'dark', time_zone: 'Europe/Berlin' })
    const before = await read(user)
    const { status, error } = await change(user, { ...body })
    expect([status, error.errors]).toEqual([400, [sentence]])
    expect(await read(user)).toEqual(before)
  })

  test.each([[[]], ['text'], [null], [{ notifications: [] }], [{ notifications: null }]])('%j', async (body) => {
    const user = await app.signIn('rejected')
    const { status, error } = await change(user, body)
    expect(status).toBe(400)
    expect(error.errors).toHaveLength(1)
  })
})

test('a change is one entry in the activity, with only what changed', async () => {
  const user = await app.newUser()
  await change(user, { theme: 'dark', time_zone: 'Europe/Berlin', notifications: { 'server.online': false } })
  await change(user, { theme: 'dark', notifications: { 'server.online': false, 'server.offline': true } })
  await change(user, {})
  const entries = await changesOf(user)
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({
    as: 'self',
    before: { theme: 'system', time_zone: null, notifications: { 'server.online': true } },
    after: { theme: 'dark', time_zone: 'Europe/Berlin', notifications: { 'server.online': false } },
  })
})

test('open panels of the user reload their preferences', async () => {
  const user = await app.newUser()
  const stream = await listen(user)
  await change(user, { theme: 'light' })
  expect((await stream.until(({ event }) => event === 'account')).data).toEqual({ changed: ['activity', 'preferences'] })
  stream.close()
})

test('concurrent changes of different fields all stay', async () => {
  const user = await app.newUser()
  const types = PUBLIC_EVENT_TYPES.slice(0, 8)
  const bodies = [{ theme: 'dark' }, { time_zone: 'Europe/Paris' }, ...types.map((type) => ({ notifications: { [type]: false } }))]
  const replies = await Promise.all(bodies.map((body) => change(user, body)))
  expect(replies.map(({ status }) => status)).toEqual(bodies.map(() => 200))
  expect(await read(user)).toEqual({
    language: null,
    time_zone: 'Europe/Paris',
    theme: 'dark',
    notifications: { ...everyNotification, ...Object.fromEntries(types.map((type) => [type, false])) },
  })
})

test('the export has them', async () => {
  const user = await app.newUser()
  await change(user, { time_zone: 'Europe/Rome' })
  const { data } = await user.call(account.exportData)
  expect(data.held['preferences']).toMatchObject([{ user_id: user.id, time_zone: 'Europe/Rome' }])
})
