/** Who sees a server's player history, and a server without one. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { announce, createServer, errorResponse, expect, expectAccessible, startSession, test } from '#tests/journeys/journey.ts'
import { createServerWithHistory, seedPlayerHistory } from '#tests/journeys/seed-player-history.ts'
import { idOf, onDesktopAndPhone, grantManager, onDesktopAndNarrowPhone, raiseLimit } from '#tests/journeys/users.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
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

test('a server that never announced has no graph, and a failed read can be retried', async ({
  page,
  program,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/500 \(Internal Server Error\) .*\/history/)
  await startSession(page, username)
  const server = await createServer(page, { name: `Wick of ${username}` })
  const card = cardOn(page)
  await page.goto(`/servers/${server.public_id}`)
  await expect(card).toContainText('The graph starts a few minutes after the first announce.')
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `no history yet, ${variant}`))

  await announce(program, server.credential)
  await seedPlayerHistory(program, server.public_id, { players: countAt })
  await page.route('**/history?range=24h', (route) => route.fulfill(errorResponse(500, 'Something went wrong on our side.')))
  await page.reload()
  await expect(card.getByRole('alert')).toContainText('Something went wrong on our side.')
  await expectAccessible(page, 'a history that can’t be read')
  await page.unroute('**/history?range=24h')
  await card.getByRole('button', { name: 'Try again' }).click()
  await expect(card.locator('[data-plot]')).toBeVisible()
  await expect(card.getByRole('heading', { name: 'Players' })).toBeFocused()
})

test('managers and administrators see a server’s history, and only administrators see the list’s statistics', async ({
  page: admin,
  program,
  signInAs,
  username,
  allowBrowserError,
}) => {
  test.slow()
  allowBrowserError(/can only be accessed by users with administrative privileges/)
  const owner = await signInAs(username)
  const manager = await signInAs(`${username}_helper`)
  const server = await createServerWithHistory(owner, program, { name: `Pier of ${username}` }, { players: countAt })
  await grantManager(owner, manager, 'EDIT_DETAILS')
  await manager.goto(`/management/${await idOf(owner)}/servers/${server.public_id}?range=31d`)
  await expect(cardOn(manager).locator('dl')).toContainText('Peak77')
  await expect(cardOn(manager).getByRole('slider')).toHaveAttribute('max', '185')
  await expect(manager.getByRole('link', { name: 'List statistics' })).toHaveCount(0)
  await manager.goto('/admin/statistics')
  await expect(manager.getByText('This route can only be accessed by users with administrative privileges.')).toBeVisible()

  await startSession(admin, 'admin')
  await admin.goto(`/admin/servers/${server.public_id}`)
  await expect(cardOn(admin).locator('dl')).toContainText('Peak77')
  await expect(cardOn(admin).locator('[data-plot]')).toBeVisible()
  await expectAccessible(admin, 'another user’s server, with its history')

  await admin.keyboard.press('Control+k')
  await admin.getByRole('combobox').fill('statistics')
  await admin.getByRole('option', { name: 'Admin: list statistics' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Statistics' })).toBeVisible()
  await expect(admin).toHaveTitle(/Statistics · Muster$/)
  await expect(admin.getByRole('link', { name: 'List statistics' })).toHaveAttribute('aria-current', 'page')
  const players = cardOn(admin)
  const servers = admin.getByRole('region', { name: 'Servers', exact: true })
  await expect(players.locator('dl')).toContainText(/Online now[1-9]\d*Peak\d+/)
  await expect(servers.locator('dl')).toContainText(/Online now[1-9]\d*Peak[1-9]\d*(now|.*20\d\d).*Average/)
  await expect(servers.locator('[data-plot]')).toBeVisible()
  await raiseLimit(admin, admin, 100)
  const { credential } = await createServer(admin, { name: `Crowd ${username}` })
  expect((await announce(program, credential, { playersCount: 900, maxPlayersCount: 1000 })).status).toBe(200)
  const figures = async () => (await players.locator('dd').allInnerTexts()).map((text) => Number.parseInt(text.replaceAll(',', ''), 10))
  await expect.poll(async () => (await figures())[0], 'players online now').toBeGreaterThanOrEqual(900)
  const [now = 0, peak = 0] = await figures()
  expect(peak, 'the peak').toBeGreaterThanOrEqual(now)
  await admin.getByRole('button', { name: '1 y', exact: true }).click()
  await expect(admin).toHaveURL('/admin/statistics?range=1y')
  await expect(players.getByRole('slider')).toHaveAttribute('max', '365')
  await onDesktopAndPhone(admin, (variant) => expectAccessible(admin, `statistics, ${variant}`))
  const overTime = admin.getByRole('region', { name: 'Over time' })
  await overTime.getByText('View as table').click()
  await expect(overTime.getByRole('table').getByRole('row')).toHaveCount(367)
  await expect(overTime.getByRole('columnheader', { name: 'Day (UTC)' })).toBeVisible()
  const download = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Download CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('masterlist-1y.csv')
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^\uFEFFtime,players_average,players_highest,servers_average,servers_highest\r\n/)

  await admin.reload()
  const languages = admin.getByRole('region', { name: 'Languages' })
  await languages.getByText('View as table').click()
  await expect(languages.getByRole('row').nth(1)).toContainText(/\d/)
  await expect(admin.getByRole('region', { name: 'Growth' }).getByText(/^\d+ this week$/)).toHaveCount(2)
  await expect(admin.getByRole('region', { name: 'Highest peaks in 30 days' }).getByRole('row').nth(1)).toContainText(/\d/)
  await admin
    .getByRole('region', { name: 'Most players now' })
    .getByRole('link', { name: `Crowd ${username}` })
    .click()
  await expect(admin.getByRole('heading', { level: 1, name: `Crowd ${username}` })).toBeVisible()
})
