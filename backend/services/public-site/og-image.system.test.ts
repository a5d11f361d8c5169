/** The preview image with every nasty name, and more requests at once than can wait. */
import { expect, test } from 'vitest'
import { NASTY_NAMES, sampleOf } from '#tests/nasty-names.ts'
import { brightnessOutsideFrame } from '#tests/og-frame.ts'
import { buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { announceFrom, send } from '#tests/list/send.ts'

test('nasty names are drawn inside the frame', { timeout: 120_000 }, async () => {
  const outside: string[] = []
  // One at a time, like the drawing process: concurrent drawings would evict each other's fonts.
  for (const name of sampleOf(NASTY_NAMES)) if ((await brightnessOutsideFrame(name)) >= 40) outside.push(name)
  expect(outside).toEqual([])
})

test.each([
  { RATE_LIMITS: 'off', drawn: 52, rejected: 503 },
  { RATE_LIMITS: 'on', drawn: 27, rejected: 429 },
])('of 65 new images at once, those that cannot wait are rejected: rate limits $RATE_LIMITS', async ({ RATE_LIMITS, drawn, rejected }) => {
  const app = await startApp({ RATE_LIMITS })
  const ids: string[] = []
  let owner = await app.newUser()
  while (ids.length < 65) {
    // A new user may own three servers.
    if (ids.length % 3 === 2) owner = await app.newUser()
    const { public_id, credential } = await buildServer(owner)
    await announceFrom(app, credential)
    ids.push(public_id)
  }
  const responses = await Promise.all(ids.map((id) => send(`${app.panelUrl}/s/${id}/og.png`)))
  const countOf = (status: number) => responses.filter((response) => response.status === status).length
  expect(countOf(200) + countOf(rejected)).toBe(65)
  // Two are in progress and the rest wait. A few may be drawn before the last one arrives.
  expect(countOf(200)).toBeGreaterThanOrEqual(drawn)
  expect(countOf(rejected)).toBeGreaterThan(0)
  for (const { status, headers } of responses) if (status !== 200) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
})
