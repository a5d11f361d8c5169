/** Limits on building parts of the list. */
import { expect, test } from 'vitest'
import { startApp } from '#tests/harness.ts'
import { readList, send } from '#tests/list/send.ts'

test('an address that requests too many new parts gets 429, but can read existing ones', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const statuses: number[] = []
  while (!statuses.includes(429) && statuses.length < 500)
    statuses.push((await send(`${limited.listUrl}/servers?q=word${statuses.length}`)).status)
  expect(statuses.slice(0, 40)).toEqual(Array.from({ length: 40 }, () => 200))
  expect(statuses).toContain(429)
  expect(await readList(limited, '?q=word0')).toEqual([])
  limited.clock.advance(10_000)
  expect((await send(`${limited.listUrl}/servers?q=another`)).status).toBe(200)
})

test('a hundred concurrent requests for different parts are each served or rejected with Retry-After', async () => {
  const app = await startApp()
  const responses = await Promise.all(Array.from({ length: 100 }, (_, index) => send(`${app.listUrl}/servers?q=other${index}`)))
  const statuses = responses.map(({ status }) => status)
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(statuses).toContain(200)
  for (const response of responses) {
    if (response.status === 200) continue
    expect(JSON.parse(response.text)).toMatchObject({ code: 'LIST_BUSY' })
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  }
})
