/** Player history: graphs for owners, managers and administrators. */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { announce, expect, expectAccessible, startSession, test } from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { createServerWithHistory } from '#tests/journeys/seed-player-history.ts'
import { onDesktopAndPhone, onDesktopAndNarrowPhone, send } from '#tests/journeys/users.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WEEK_MS = 7 * 24 * HOUR_MS
const [OFFLINE, NOT_SAMPLED] = [-1, -2]

/** The hour in which the run starts, so that all journeys use the same hours. */
const HOUR = Math.floor(Date.now() / HOUR_MS)
const hoursAgo = (hours: number) => (HOUR - hours) * HOUR_MS

/** 20 players, and 77 for an hour; offline for an hour, and not sampled for another. */
function countAt(at: number): number {
  if (at >= hoursAgo(6) && at < hoursAgo(5)) return OFFLINE
  if (at >= hoursAgo(4) && at < hoursAgo(3)) return NOT_SAMPLED
  return at >= hoursAgo(9) && at < hoursAgo(8) ? 77 : 20
}

const cardOn = (page: Page) => page.getByRole('region', { name: 'Players', exact: true })

/** Whether the graph draws players and offline time at the step of its cursor. */
async function shapesUnderCursor(card: Locator): Promise<{ players: boolean; offline: boolean }> {
  return await card.evaluate((element) => {
    const step = Number(element.querySelector<HTMLInputElement>('input[type=range]')?.value)
    // In the middle of the step, just above zero.
    const covers = (path: string) => element.querySelector<SVGPathElement>(path)?.isPointInFill(new DOMPoint(step + 0.5, 14.8)) ?? false
    return { players: covers('[data-line=area] path'), offline: covers('path[data-line=band]') }
  })
}

async function pressUntil(page: Page, key: string, cursor: Locator, value: RegExp): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if (value.test((await cursor.getAttribute('aria-valuetext')) ?? '')) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never reached ${String(value)}.`)
}

test('an owner reads by keyboard when the server peaked, was offline, and was not sampled', async ({ page, program, username }) => {
  await startSession(page, username)
  const server = await createServerWithHistory(page, program, { name: `Lantern of ${username}` }, { players: countAt }, 20)
  await page.goto(`/servers/${server.public_id}`)
  const card = cardOn(page)
  await expect(card.locator('dl')).toContainText(/Peak77.*Average while online2\d.*Uptime9\d(\.\d)?%/)
  // The peak's time is its five minutes, in the page's language and the browser's zone.
  const peakedAt = await page.evaluate(
    (at) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).formatRange(at, at + 300_000).replace(/\u2009/g, ''),
    hoursAgo(9),
  )
  await expect(card.locator('dl').getByText(/^77/)).toHaveText(`77${peakedAt}`)

  const cursor = card.getByRole('slider', { name: 'Players over time: cursor' })
  await expect(card.locator('[data-plot]')).toBeVisible()
  await expect(cursor).toHaveAttribute('aria-valuetext', 'No time selected')
  await tabTo(page, cursor)
  // The current step may have no complete minute yet, or only the one in which the server was created.
  await expect(cursor).toHaveAttribute('aria-valuetext', /: (Average 20, Highest 20|No data|Offline)$/)
  await page.keyboard.press('Home')
  await expect(cursor).toHaveAttribute('aria-valuetext', /: Average 20, Highest 20$/)
  await page.keyboard.press('PageUp')
  await expect(cursor).not.toHaveValue('0')
  await page.keyboard.press('End')
  await expect(cursor).toHaveValue('143')
  await pressUntil(page, 'ArrowLeft', cursor, /: Average 20, Highest 20$/)

  // A gap is not drawn as zero, and offline differs from not sampled.
  await pressUntil(page, 'ArrowLeft', cursor, /: No data$/)
  await page.keyboard.press('ArrowLeft')
  await expect(card.locator('figure')).toContainText('Average–')
  expect(await shapesUnderCursor(card)).toEqual({ players: false, offline: false })
  await pressUntil(page, 'ArrowLeft', cursor, /: Offline$/)
  await page.keyboard.press('ArrowLeft')
  expect(await shapesUnderCursor(card)).toEqual({ players: false, offline: true })
  await pressUntil(page, 'ArrowLeft', cursor, /Highest 77/)
  await page.keyboard.press('ArrowLeft')
  expect(await shapesUnderCursor(card)).toEqual({ players: true, offline: false })
  await expect(card.locator('figure')).toContainText('Highest77')

  // Another theme or width redraws the graph and keeps the cursor.
  await onDesktopAndPhone(page, async (variant) => {
    await expect.poll(() => shapesUnderCursor(card), variant).toEqual({ players: true, offline: false })
    await expectAccessible(page, `the graph, ${variant}`)
  })
  await page.keyboard.press('Escape')
  await expect(cursor).toHaveAttribute('aria-valuetext', 'No time selected')
  await expect(card.locator('figure')).not.toContainText('77')

  // The same with the mouse.
  const box = await card.locator('[data-plot]').boundingBox()
  await page.mouse.move((box?.x ?? 0) + 4, (box?.y ?? 0) + 40)
  await expect(card.locator('figure')).toContainText(/Average20.*Highest20/)
})

test('the graph is drawn in a browser with an invalid language tag', async ({ page, program, username }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true }))
  await startSession(page, username)
  const server = await createServerWithHistory(page, program, { name: `Lamp of ${username}` }, { players: countAt })
  await page.goto(`/servers/${server.public_id}`)
  await expect(cardOn(page).locator('[data-plot]')).toBeVisible()
})

test('the address keeps the range, and the numbers are available as a table and as CSV', async ({ page, program, username }) => {
  await startSession(page, username)
  const server = await createServerWithHistory(page, program, { name: `Beacon of ${username}` }, { players: countAt })
  await page.goto(`/servers/${server.public_id}?range=week`)
  const card = cardOn(page)
  const cursor = card.getByRole('slider')
  const range = (name: string) => card.getByRole('button', { name, exact: true })
  await expect(page).toHaveURL(`/servers/${server.public_id}`)
  await expect(range('24 h')).toHaveAttribute('aria-pressed', 'true')
  for (const [label, key, steps] of [
    ['7 d', '7d', 168],
    ['31 d', '31d', 186],
    ['1 y', '1y', 366],
  ] as const) {
    await range(label).click()
    await expect(page).toHaveURL(`/servers/${server.public_id}?range=${key}`)
    await expect(cursor).toHaveAttribute('max', String(steps - 1))
    await expect(card.locator('dl')).toContainText('Peak77')
  }
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `a year, ${variant}`))
  // The range survives a visit to another tab and another page.
  await page.getByRole('tab', { name: 'Announces' }).click()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(range('1 y')).toHaveAttribute('aria-pressed', 'true')
  await page.goto('/benefits')
  await page.goBack()
  await expect(range('1 y')).toHaveAttribute('aria-pressed', 'true')
  await range('24 h').click()
  await expect(page).toHaveURL(`/servers/${server.public_id}`)
  await expect(cursor).toHaveAttribute('max', '143')

  await card.getByText('View as table').click()
  const table = card.getByRole('table')
  await expect(table.getByRole('row')).toHaveCount(145)
  await expect(table).toContainText('77')
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `the numbers, ${variant}`))

  const download = page.waitForEvent('download')
  await card.getByRole('button', { name: 'Download CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`players-${server.public_id}-24h.csv`)
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n')
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([146, '\uFEFFtime,average,highest,online_percent', ''])
  const lineAt = (hours: number) => lines.find((line) => line.startsWith(new Date(hoursAgo(hours) + 10 * MINUTE_MS).toISOString()))
  expect([9, 6, 4, 7].map((hours) => lineAt(hours)?.replace(/^[^,]+/, ''))).toEqual([',77,77,100', ',,,0', ',,,', ',20,20,100'])
})

test('the week before shows as a second line, in the table and in words, and the address keeps it', async ({ page, program, username }) => {
  await startSession(page, username)
  const weekAgo = hoursAgo(0) - WEEK_MS + HOUR_MS
  const players = (at: number) => (at < weekAgo ? 5 : countAt(at))
  const server = await createServerWithHistory(page, program, { name: `Torch of ${username}` }, { days: 16, players }, 20)
  await page.goto(`/servers/${server.public_id}`)
  const card = cardOn(page)
  const compare = card.getByRole('button', { name: 'Compare with the week before' })
  await expect(card.locator('[data-plot]')).toBeVisible()
  await expect(card.getByText(/average 2\d while online/)).toBeAttached()
  await tabTo(page, compare)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/servers/${server.public_id}?compare=week`)
  await expect(compare).toHaveAttribute('aria-pressed', 'true')
  await expect(compare).toBeFocused()
  await expect(card.locator('figure')).toContainText('Average, week before')
  await expect(card.getByText('The week before: peak 5, average 5.')).toBeAttached()
  const cursor = card.getByRole('slider')
  await tabTo(page, cursor)
  await pressUntil(page, 'ArrowLeft', cursor, /: Average 20, Highest 20, Average, week before 5$/)
  await card.getByText('View as table').click()
  await expect(card.getByRole('columnheader', { name: 'Average, week before' })).toBeVisible()
  await expect(card.getByRole('row').nth(2)).toContainText(/5$/)
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `a comparison, ${variant}`))

  // Longer ranges have no week before. The choice returns with a shorter one.
  await page.reload()
  await expect(card.locator('figure')).toContainText('Average, week before')
  await card.getByRole('button', { name: '31 d', exact: true }).click()
  await expect(compare).toHaveAttribute('aria-disabled', 'true')
  await expect(card.locator('figure')).not.toContainText('week before')
  await card.getByRole('button', { name: '7 d', exact: true }).click()
  await expect(page).toHaveURL(/compare=week/)
  await expect(card.locator('figure')).toContainText('Average, week before')
  await compare.click()
  await expect(page).toHaveURL(`/servers/${server.public_id}?range=7d`)
  await expect(card.locator('figure')).not.toContainText('week before')
  await page.goto(`/servers/${server.public_id}?compare=month`)
  await expect(page).toHaveURL(`/servers/${server.public_id}`)
})

test('the graph marks restarts, updates and bans, and lists them for the keyboard', async ({ page, program, username, signInAs }) => {
  await startSession(page, username)
  const server = await createServerWithHistory(page, program, { name: `Flare of ${username}` }, { players: countAt }, 20)
  await page.goto(`/servers/${server.public_id}`)
  const card = cardOn(page)
  await expect(card.getByText('No restarts, updates or bans in this period')).toBeVisible()
  await fetch(`${program.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${server.credential}` } })
  // The list saves each state before the next one replaces it.
  await expect(page.getByText('Offline', { exact: true }).first()).toBeVisible()
  await page.waitForTimeout(600)
  expect((await announce(program, server.credential, { version: '99.1' })).status).toBe(200)
  const admin = await signInAs('admin')
  await send(admin, `PATCH /api/admin/tokens/${server.public_id}/ban`, { reason: 'Testing the marks' })
  await send(admin, `PATCH /api/admin/tokens/${server.public_id}/ban`, { banned: false })
  await expect(async () => {
    await page.reload()
    await expect(card.getByText('Events in this period (3)')).toBeVisible({ timeout: 2000 })
  }).toPass()
  const mark = card.locator('.chart-mark')
  await expect(mark).toHaveCount(1)
  await mark.hover()
  await expect(page.getByRole('tooltip')).toContainText(/Updated from .* to 99\.1, .*Banned/)
  await page.mouse.move(5, 5)
  await expect(page.getByRole('tooltip')).toBeHidden()
  await tabTo(page, card.getByText('Events in this period (3)'))
  await page.keyboard.press('Enter')
  const events = card.getByRole('region', { name: 'Events in this period' }).getByRole('listitem')
  await expect(events).toHaveText([/^Ban lifted/, /^Banned/, /^Updated from .* to 99\.1/])
  await page.keyboard.press('Tab')
  await expect(card.getByRole('region', { name: 'Events in this period' })).toBeFocused()
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `events, ${variant}`))
})
