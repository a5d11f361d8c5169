/** The form of a webhook: units of time, what is sent, and the field of each error. */
import { expect, test } from 'vitest'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { changedBody, newInput, toBody, toInput, unitOf, type WebhookInput, webhookSchema } from './webhook-form.ts'

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
const wrongFields = (change: Partial<WebhookInput>) => [
  ...new Set(
    webhookSchema(75)
      .safeParse({ ...INPUT, ...change })
      .error?.issues.map(({ path }) => path[0]),
  ),
]

test.each([
  [75, 'seconds'],
  [180, 'minutes'],
  [5400, 'minutes'],
  [7200, 'hours'],
])('%d seconds are shown in %s, the longest unit without a fraction', (seconds, unit) => {
  expect(unitOf(seconds)).toBe(unit)
})

test('only changed fields are sent, and all servers are an empty list', () => {
  expect(changedBody({ ...INPUT, name: 'New', offline_after_seconds: 7200 }, INPUT)).toEqual({ name: 'New', offline_after_seconds: 7200 })
  expect(changedBody({ ...INPUT, server_ids: null }, INPUT)).toEqual({ server_ids: [] })
})

test('the number of players is only sent with its event', () => {
  const input = { ...INPUT, players_above: 100 }
  expect(toBody(input).players_above).toBeNull()
  expect(toBody({ ...input, events: ['players.threshold'] }).players_above).toBe(100)
})

test('a new webhook has valid events, and its server', () => {
  const input = { ...newInput({ public_id: 'aB3dE6g', name: 'My server' }), url: 'https://discord.com/api/webhooks/1/a' }
  expect(wrongFields(input)).toEqual([])
  expect(toBody(input)).toMatchObject({ kind: 'discord', name: 'My server', server_ids: ['aB3dE6g'] })
})

test.each([
  ['name', { name: '' }],
  ['url', { url: '' }],
  ['url', { url: 'example' }],
  ['url', { url: 'ftp://example.com' }],
  ['url', { kind: 'discord' as const }],
  ['events', { events: [] }],
  // No servers would mean all of them.
  ['server_ids', { server_ids: [] }],
  ['offline_after_seconds', { offline_after_seconds: NaN }],
  ['offline_after_seconds', { offline_after_seconds: 1.5 }],
  ['offline_after_seconds', { offline_after_seconds: 60 }],
  ['offline_after_seconds', { offline_after_seconds: 90_000 }],
  ['players_above', { events: ['players.threshold' as const] }],
  ['players_above', { events: ['players.threshold' as const], players_above: -1 }],
])('an error is shown at %s, for %o', (field, change) => {
  expect(wrongFields(change)).toEqual([field])
})
