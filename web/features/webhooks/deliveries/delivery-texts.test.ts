/** What the delivery log reads from a delivery. */
import { expect, test } from 'vitest'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { attemptDurationText, hasFailed, prettyText, serverName } from './delivery-texts.ts'

const sent = (body: unknown) => ({ request: { headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) } }) as Delivery

test('the server comes from a standard payload or a Discord message', () => {
  expect(serverName(sent({ data: { server: { name: String.raw`A \* B` } } }))).toBe(String.raw`A \* B`)
  expect(serverName(sent({ embeds: [{ fields: [{ name: 'Server', value: String.raw`\[EU\] A \* B` }] }] }))).toBe('[EU] A * B')
  expect(serverName(sent({ data: {} }))).toBeUndefined()
  expect(serverName(sent({ embeds: [{ title: 'Test' }] }))).toBeUndefined()
  expect(serverName(sent('not JSON'))).toBeUndefined()
})

test('a body is indented only if it is JSON', () => {
  expect(prettyText('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(prettyText('<html>')).toBe('<html>')
})

test('a delivery whose last attempt failed counts as failed, even if another attempt follows', () => {
  expect(hasFailed({ state: 'failed', error: 'Down.' } as Delivery)).toBe(true)
  expect(hasFailed({ state: 'pending', error: 'Down.' } as Delivery)).toBe(true)
  expect(hasFailed({ state: 'pending', error: null } as Delivery)).toBe(false)
  expect(hasFailed({ state: 'succeeded', error: null } as Delivery)).toBe(false)
})

test('long durations are shown in seconds', () => {
  expect([attemptDurationText(143), attemptDurationText(1549), attemptDurationText(10_000)]).toEqual(['143 ms', '1.5 s', '10 s'])
})
