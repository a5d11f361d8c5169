/** The form of a webhook: units of time, what is sent, and the field of each error. */
import { describe, expect, test } from 'vitest'
import { NewWebhook, type Webhook } from '#contract/webhooks/webhooks.ts'
import { fieldOf } from './field-of-message.ts'
import { changedBody, newInput, toBody, toInput, validate } from './webhook-input.ts'

const MIN_SILENCE = 75

const WEBHOOK: Webhook = {
  id: '1',
  name: 'Alerts',
  kind: 'standard',
  url: 'https://example.com/hook',
  events: ['server.offline'],
  server_ids: ['aB3dE6g'],
  offline_after_seconds: 180,
  players_above: null,
  enabled: true,
  disabled_reason: null,
  created_at: '2026-11-01T00:00:00.000Z',
  last_delivery: null,
}
const INPUT = toInput(WEBHOOK)

test.each([
  [75, '75', 'seconds'],
  [180, '3', 'minutes'],
  [5400, '90', 'minutes'],
  [7200, '2', 'hours'],
])('%d seconds are shown in the longest unit without a fraction', (seconds, offline_amount, offline_unit) => {
  expect(toInput({ ...WEBHOOK, offline_after_seconds: seconds })).toMatchObject({ offline_amount, offline_unit })
})

test('an unchanged webhook sends nothing, and a changed one only its changed fields', () => {
  expect(changedBody(INPUT, INPUT)).toEqual({})
  expect(changedBody({ ...INPUT, name: 'New', offline_amount: '2', offline_unit: 'hours' }, INPUT)).toEqual({
    name: 'New',
    offline_after_seconds: 7200,
  })
  expect(changedBody({ ...INPUT, all_servers: true }, INPUT)).toEqual({ server_ids: [] })
})

test('the number of players is only sent with its event', () => {
  const input = { ...INPUT, players_above: '100' }
  expect(toBody(input).players_above).toBeNull()
  expect(toBody({ ...input, events: ['players.threshold'] }).players_above).toBe(100)
})

test('a new webhook has valid events, and its server', () => {
  const input = { ...newInput({ public_id: 'aB3dE6g', name: 'My server' }), url: 'https://discord.com/api/webhooks/1/a' }
  expect(validate(input, MIN_SILENCE)).toEqual({})
  expect(toBody(input)).toMatchObject({ kind: 'discord', name: 'My server', server_ids: ['aB3dE6g'] })
})

describe('an error is shown at its field:', () => {
  test.each([
    ['name', { name: '' }],
    ['url', { url: '' }],
    ['url', { url: 'example' }],
    ['url', { url: 'ftp://example.com' }],
    ['url', { kind: 'discord' as const }],
    ['events', { events: [] }],
    // No servers would mean all of them.
    ['server_ids', { server_ids: [] }],
    ['offline_amount', { offline_amount: '' }],
    ['offline_amount', { offline_amount: '1.5' }],
    ['offline_amount', { offline_amount: '60', offline_unit: 'seconds' as const }],
    ['offline_amount', { offline_amount: '25', offline_unit: 'hours' as const }],
    ['players_above', { events: ['players.threshold' as const] }],
    ['players_above', { events: ['players.threshold' as const], players_above: '-1' }],
  ])('%s, for %o', (field, change) => {
    expect(Object.keys(validate({ ...INPUT, ...change }, MIN_SILENCE))).toEqual([field])
  })

  const invalidBody = { name: 5, url: 5, events: 'all', server_ids: 'all', offline_after_seconds: 0.5, players_above: -1, enabled: true }
  const messages = NewWebhook.safeParse({ ...invalidBody, kind: 'standard' }).error?.issues.map(({ message }) => message) ?? []

  test('every message of the contract', () => {
    expect(messages.map(fieldOf)).toEqual(['name', 'url', 'events', 'server_ids', 'offline_amount', 'players_above'])
  })

  // From messages/api/en.json.
  test.each([
    ['URL must be a Discord webhook, such as https://discord.com/api/webhooks/123/abc.', 'url'],
    ['This address is not on the public internet.', 'url'],
    ['The address must begin with https://.', 'url'],
    ['This is not a web address.', 'url'],
    ['offline_after_seconds must be at least 75. A silent server leaves the list after that time.', 'offline_amount'],
    ['server_ids must be the public IDs of your servers.', 'server_ids'],
    ['You have reached your limit of 10 webhooks.', 'root'],
  ])('%s', (message, field) => {
    expect(fieldOf(message)).toBe(field)
  })
})
