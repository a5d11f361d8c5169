/** The list of servers: players in the last day, under each server's number and in the strip. */
import type { Locator, Page } from '@playwright/test'
import { announce, createServer, expect, expectSound, signIn, test, whileHeld } from './journey.ts'
import { seedPast } from './past.ts'
import { inEveryGuise, letManage, onDeskAndPhone } from './people.ts'

const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const OFFLINE = -1

/** All journeys use the same half hours, even if one of them ends in the next. */
const HALF_HOUR = Math.floor(Date.now() / HALF_HOUR_MS)
const stepsAgo = (steps: number) => (HALF_HOUR - steps) * HALF_HOUR_MS

const CALL = '**/api/users/tokens/dayHistory'

/** 10 to 20 players; more for a quarter of an hour ten hours ago; offline for two hours, six hours ago. */
function pastWith(most: number): (at: number) => number {
  return (at) => {
    if (at >= stepsAgo(12) && at < stepsAgo(8)) return OFFLINE
    if (at >= stepsAgo(20) && at < stepsAgo(20) + 15 * MINUTE_MS) return most
    return 15 + Math.round(5 * Math.sin(at / (80 * MINUTE_MS)))
  }
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const graphIn = (place: Locator) => place.locator('svg[data-graph]')
const peakOn = (page: Page) => page.locator('dl > div').filter({ hasText: 'Peak in 24 h' }).locator('dd')

test('an owner sees the last day of each server under its players, and the total peak in the strip', async ({
  page,
  program,
  openPanelAs,
  username,
}) => {
  test.slow()
  const other = await openPanelAs(`${username}_other`)
  await signIn(page, username)
  const names = ['Lantern', 'Harbour', 'Attic'].map((name) => `${name} of ${username}`)
  const [lantern = '', harbour = '', attic = ''] = names
  for (const [name, most] of [
    [lantern, 1250],
    [harbour, 44],
  ] as const) {
    const server = await createServer(page, { name, tags: ['survival', 'vanilla'] })
    await announce(program, server.credential)
    await seedPast(program, server.public_id, { days: 2, players: pastWith(most) })
  }
  await createServer(page, { name: attic })
  const theirs = `Pier of ${username}`
  const managed = await createServer(other, { name: theirs })
  await announce(program, managed.credential)
  await seedPast(program, managed.public_id, { days: 2, players: pastWith(99) })
  await letManage(other, page, 'EDIT_DETAILS')

  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto('/servers')
  await expect(graphIn(rowOf(page, lantern))).toBeVisible()
  expect(calls.filter((path) => path.endsWith('/dayHistory'))).toHaveLength(1)
  expect(calls.filter((path) => path.endsWith('/history'))).toEqual([])

  await expect(rowOf(page, lantern)).toContainText('37 / 128')
  await expect(rowOf(page, lantern)).toContainText('Highest 1,250 players in the last 24 hours')
  await expect(rowOf(page, harbour)).toContainText('Highest 44 players in the last 24 hours')
  await expect(rowOf(page, theirs)).toContainText('Highest 99 players in the last 24 hours')
  // Offline time is a gap, not a line down to zero.
  const [area, line] = await graphIn(rowOf(page, lantern))
    .locator('path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d') ?? ''))
  expect([area, line].map((path) => path?.match(/M/g)?.length)).toEqual([2, 2])
  await expect(rowOf(page, attic)).toContainText('–')
  await expect(graphIn(rowOf(page, attic))).toHaveCount(0)
  // The peak of both servers together, without the managed one.
  await expect(peakOn(page)).toHaveText(/^1,294at \d\d?:\d\d/)
  await expect(peakOn(page).locator('time')).toHaveAttribute('datetime', new Date(stepsAgo(20)).toISOString())

  await inEveryGuise(page, (guise) => expectSound(page, `servers with their last day, ${guise}`))
  await onDeskAndPhone(page, async (guise) => {
    await expect(graphIn(rowOf(page, lantern)), guise).toBeVisible()
    await expectSound(page, `servers with their last day, ${guise}`)
  })
})

test('the list shows before the last day has loaded, and nothing moves when it loads', async ({ page, program, username }) => {
  await signIn(page, username)
  const name = `Quay of ${username}`
  const server = await createServer(page, { name })
  await announce(program, server.credential)
  await seedPast(program, server.public_id, { days: 2, players: pastWith(60) })
  const letGo = await whileHeld(page, CALL, 'GET')
  await page.goto('/servers')
  const places = async () => await Promise.all([rowOf(page, name), page.locator('dl')].map((place) => place.boundingBox()))
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(rowOf(page, name)).toContainText('37 / 128')
    await expect(graphIn(rowOf(page, name))).toHaveCount(0)
  }
  const before = await places()
  letGo()
  await expect(graphIn(rowOf(page, name))).toBeVisible()
  await expect(peakOn(page)).toContainText('60')
  expect(await places()).toEqual(before)
})

test('when the last day or its code cannot be loaded, the list is unchanged and the peak is a dash', async ({
  page,
  program,
  username,
  expectComplaint,
}) => {
  expectComplaint(/500 \(Internal Server Error\) .*\/dayHistory|ERR_FAILED|TypeError: Failed to fetch/)
  await signIn(page, username)
  const name = `Mole of ${username}`
  const server = await createServer(page, { name })
  await announce(program, server.credential)
  await page.route(CALL, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/servers')
  await expect(peakOn(page)).toHaveText('–')
  await expect(rowOf(page, name)).toContainText('37 / 128')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expectSound(page, 'servers without their last day')

  await page.route('**/assets/day-*', (route) => route.abort())
  await page.reload()
  await expect(peakOn(page)).toHaveText('–')
  await expect(rowOf(page, name)).toContainText('37 / 128')
  await expect(page.getByRole('alert')).toHaveCount(0)
})
