/** The list of servers: each server's sparkline of the last day, and the total peak in the strip. */
import type { Locator, Page } from '@playwright/test'
import { announce, createServer, expect, expectAccessible, holdRequests, startSession, test } from '#tests/journeys/journey.ts'
import { createServerWithHistory } from '#tests/journeys/seed-player-history.ts'
import { onDesktopAndPhone, grantManager, onDesktopAndNarrowPhone } from '#tests/journeys/users.ts'

const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const OFFLINE = -1

/** The half hour in which the run starts, so that all journeys use the same steps. */
const HALF_HOUR = Math.floor(Date.now() / HALF_HOUR_MS)
const stepsAgo = (steps: number) => (HALF_HOUR - steps) * HALF_HOUR_MS

const DAY_HISTORY = '**/api/users/tokens/dayHistory'

/** 10 to 20 players; `peak` for 15 minutes ten hours ago; offline from six to four hours ago. */
function playersWithPeak(peak: number): (at: number) => number {
  return (at) => {
    if (at >= stepsAgo(12) && at < stepsAgo(8)) return OFFLINE
    if (at >= stepsAgo(20) && at < stepsAgo(20) + 15 * MINUTE_MS) return peak
    return 15 + Math.round(5 * Math.sin(at / (80 * MINUTE_MS)))
  }
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const sparklineIn = (container: Locator) => container.locator('svg[data-graph]')
const peakOn = (page: Page) => page.locator('dl > div').filter({ hasText: 'Peak in 24 h' }).locator('dd')

test('each server shows its last day from one call, and the strip shows the peak of all of them', async ({
  page,
  program,
  signInAs,
  username,
}) => {
  test.slow()
  const other = await signInAs(`${username}_other`)
  await startSession(page, username)
  const names = ['Lantern', 'Harbour', 'Attic'].map((name) => `${name} of ${username}`)
  const [lantern = '', harbour = '', attic = ''] = names
  for (const [name, peak] of [
    [lantern, 1250],
    [harbour, 44],
  ] as const) {
    await createServerWithHistory(page, program, { name, tags: ['survival', 'vanilla'] }, { days: 2, players: playersWithPeak(peak) })
  }
  await createServer(page, { name: attic })
  const theirs = `Pier of ${username}`
  await createServerWithHistory(other, program, { name: theirs }, { days: 2, players: playersWithPeak(99) })
  await grantManager(other, page, 'EDIT_DETAILS')

  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto('/servers')
  await expect(sparklineIn(rowOf(page, lantern))).toBeVisible()
  expect(calls.filter((path) => path.endsWith('/dayHistory'))).toHaveLength(1)
  expect(calls.filter((path) => path.endsWith('/history'))).toEqual([])

  await expect(rowOf(page, lantern)).toContainText('37 / 128')
  await expect(rowOf(page, lantern)).toContainText('Peak of 1,250 players in the last 24 hours')
  await expect(rowOf(page, harbour)).toContainText('Peak of 44 players in the last 24 hours')
  await expect(rowOf(page, theirs)).toContainText('Peak of 99 players in the last 24 hours')
  // Offline time is a gap in the line, not zero.
  const [area, line] = await sparklineIn(rowOf(page, lantern))
    .locator('path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d') ?? ''))
  expect([area, line].map((path) => path?.match(/M/g)?.length)).toEqual([2, 2])
  await expect(rowOf(page, attic)).toContainText('–')
  await expect(sparklineIn(rowOf(page, attic))).toHaveCount(0)
  // The peak counts what the list shows: both owned servers and the managed one.
  await expect(peakOn(page)).toHaveText(/^1,393 at \d\d?:\d\d/)
  await expect(peakOn(page).locator('time')).toHaveAttribute('datetime', new Date(stepsAgo(20)).toISOString())

  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `servers with sparklines, ${variant}`))
  await onDesktopAndNarrowPhone(page, async (variant) => {
    await expect(sparklineIn(rowOf(page, lantern)), variant).toBeVisible()
    await expectAccessible(page, `servers with sparklines, ${variant}`)
  })
})

test('the list shows before the sparklines have loaded, and nothing moves when they do', async ({ page, program, username }) => {
  await startSession(page, username)
  const name = `Quay of ${username}`
  await createServerWithHistory(page, program, { name }, { days: 2, players: playersWithPeak(60) })
  const release = await holdRequests(page, DAY_HISTORY, 'GET')
  await page.goto('/servers')
  const boundingBoxes = async () => await Promise.all([rowOf(page, name), page.locator('dl')].map((element) => element.boundingBox()))
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(rowOf(page, name)).toContainText('37 / 128')
    await expect(sparklineIn(rowOf(page, name))).toHaveCount(0)
  }
  const before = await boundingBoxes()
  release()
  await expect(sparklineIn(rowOf(page, name))).toBeVisible()
  await expect(peakOn(page)).toContainText('60')
  expect(await boundingBoxes()).toEqual(before)
})

test('when sparklines or their code cannot be loaded, the list still shows and the peak is a dash', async ({
  page,
  program,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/500 \(Internal Server Error\) .*\/dayHistory|ERR_FAILED|TypeError: Failed to fetch/)
  await startSession(page, username)
  const name = `Mole of ${username}`
  const server = await createServer(page, { name })
  await announce(program, server.credential)
  await page.route(DAY_HISTORY, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/servers')
  await expect(peakOn(page)).toHaveText('–')
  await expect(rowOf(page, name)).toContainText('37 / 128')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expectAccessible(page, 'servers without sparklines')

  await page.route('**/assets/day-*', (route) => route.abort())
  await page.reload()
  await expect(peakOn(page)).toHaveText('–')
  await expect(rowOf(page, name)).toContainText('37 / 128')
  await expect(page.getByRole('alert')).toHaveCount(0)
})
