/** The preview image with every nasty name, and more requests at once than can wait. */
import { expect, test } from 'vitest'
import { NASTY_NAMES } from '#tests/nasty-names.ts'
import { brightnessOutsideFrame } from '#tests/og-frame.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, send } from '#tests/list/send.ts'

test('200 nasty names are drawn inside the frame', async () => {
  for (const name of NASTY_NAMES) expect(await brightnessOutsideFrame(name), JSON.stringify(name)).toBeLessThan(40)
})

/** As many as a new user may own. */
const SERVERS_EACH = 3

/** Requests the images of this many servers at once. */
async function requestAtOnce(app: TestApp, count: number) {
  const ids: string[] = []
  let owner = await app.newUser()
  while (ids.length < count) {
    if (ids.length % SERVERS_EACH === 0) owner = await app.newUser()
    const { public_id, credential } = await buildServer(owner)
    await announceFrom(app, credential)
    ids.push(public_id)
  }
  const responses = await Promise.all(ids.map((id) => send(`${app.panelUrl}/s/${id}/og.png`)))
  for (const { status, headers } of responses) if (status !== 200) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  return (status: number) => responses.filter((response) => response.status === status).length
}

test('a full queue gets 503, and the images in the queue are drawn', async () => {
  const countOf = await requestAtOnce(await startApp(), 60)
  expect([countOf(200), countOf(503)]).toEqual([51, 9])
})

test('an address may request 60 new images at once', async () => {
  const countOf = await requestAtOnce(await startApp({ RATE_LIMITS: 'on' }), 65)
  expect(countOf(429)).toBeGreaterThanOrEqual(4)
})
