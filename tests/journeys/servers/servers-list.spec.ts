/** The list of the user's servers: order, filters, density, bulk changes, CSV, pins, keys, and long lists. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page, Route } from '@playwright/test'
import type { Server, ServerList } from '#contract/servers/servers.ts'
import { announce, createServer, expect, expectAccessible, isListed, startSession, test } from '#tests/journeys/journey.ts'
import { createVerifiedServer, grantManager, idOf, offerServer, onDesktopAndPhone, raiseLimit, send } from '#tests/journeys/users.ts'

const MAX_DOM_NODES = 6000

const names = (page: Page) => page.locator('[data-row-link]').allInnerTexts()
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const select = (row: Locator) => row.getByRole('checkbox')

/** Replaces the user's servers with many copies of the first. */
async function showCopies(page: Page, count: number): Promise<void> {
  await page.route('**/api/users/tokens', async (route) => {
    if (route.request().method() !== 'GET') return await route.fallback()
    const response = await route.fetch()
    const body = (await response.json()) as { data: ServerList }
    const [first] = body.data.owned as [Server]
    const owned = Array.from({ length: count }, (_, index) => {
      const number = String(index).padStart(3, '0')
      return { ...first, public_id: `Copy${number}`, name: `Copy ${number}` }
    })
    await route.fulfill({ response, json: { ...body, data: { ...body.data, owned } } })
  })
}

test('the order, the status and the search are in the URL, and the counts follow the search', async ({ page, program, username }) => {
  await startSession(page, username)
  const [one = '', two = '', three = ''] = ['Alder', 'Birch', 'Cedar'].map((name) => `${name} ${username}`)
  await announce(program, (await createServer(page, { name: one })).credential, { playersCount: 5 })
  await announce(program, (await createServer(page, { name: two })).credential, { playersCount: 90, port: 7790 })
  await createServer(page, { name: three })
  await page.goto('/servers')
  await expect(page.getByRole('button', { name: /^Listed 2$/ })).toBeVisible()
  await expect.poll(() => names(page)).toEqual([one, two, three])

  const table = page.getByRole('table', { name: 'Servers' })
  await table.getByRole('button', { name: 'Players' }).click()
  await expect(page).toHaveURL(/\?sort=-players$/)
  await expect(table.getByRole('columnheader', { name: 'Players' })).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => names(page)).toEqual([two, one, three])
  await table.getByRole('button', { name: 'Players' }).click()
  await expect.poll(() => names(page)).toEqual([one, two, three])

  await page.getByRole('button', { name: /^Not seen yet 1$/ }).click()
  await expect(page).toHaveURL(/status=never_seen/)
  await expect.poll(() => names(page)).toEqual([three])
  await page.reload()
  await expect.poll(() => names(page)).toEqual([three])
  await page.getByLabel('Search your servers').fill('Alder')
  await expect(page.getByText('No servers match')).toBeVisible()
  await expect(page.getByRole('button', { name: /^All 1$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/servers\?sort=players$/)

  await page.goto('/servers?sort=nonsense&status=nonsense&view=nonsense')
  await expect(page).toHaveURL(/\/servers$/)
  await page.getByRole('button', { name: 'Compact rows' }).click()
  await expect(page).toHaveURL(/\?view=compact$/)
  await page.goto('/servers')
  await expect(page.getByRole('button', { name: 'Compact rows' })).toHaveAttribute('aria-pressed', 'true')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `compact servers, ${variant}`))
})

test('a bulk change shows the result of each server, and what failed stays selected with the reason', async ({
  page,
  username,
  signInAs,
  allowBrowserError,
}) => {
  allowBrowserError(/40[04] |412 /)
  await startSession(page, username)
  await raiseLimit(await signInAs('admin'), page, 10)
  const free = `Free ${username}`
  const full = `Full ${username}`
  const last = `Last ${username}`
  const { public_id: freeId } = await createServer(page, { name: free })
  const { public_id: fullId } = await createServer(page, { name: full, tags: ['a', 'b', 'c', 'd'] })
  await createServer(page, { name: last })
  await page.goto('/servers')
  await select(rowOf(page, free)).click()
  await select(rowOf(page, last)).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('group', { name: 'Actions for the selection' })
  await expect(bar).toContainText('3 servers selected')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select all shown servers' }).click()
  await expect(bar).toContainText('3 servers selected')
  await select(rowOf(page, last)).click()
  await expectAccessible(page, 'selected servers')

  await bar.getByRole('button', { name: 'Add tags…' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Add tags to 2 servers' })
  await dialog.getByRole('button', { name: 'Add tags', exact: true }).click()
  await expect(dialog.getByText('Add at least one tag.')).toBeVisible()
  await dialog.getByLabel('Tags').fill('drift')
  await dialog.getByRole('button', { name: 'Add tags', exact: true }).click()
  const result = page.getByRole('dialog', { name: '1 of 2 servers changed' })
  await expect(result.getByRole('listitem').filter({ hasText: full })).toContainText('Failed')
  await expectAccessible(page, 'the result of a bulk change')
  await result.getByRole('button', { name: 'Close' }).click()
  expect((await send<Server>(page, `GET /api/users/tokens/${freeId}`)).tags).toEqual(['drift'])
  await expect(bar).toContainText('1 server selected')
  await expect(select(rowOf(page, full))).toBeChecked()
  await expect(rowOf(page, full)).toContainText(/tags/)

  // Another tab changes the server first. The retry is based on its version.
  const change = async (route: Route) => {
    await send(page, `PATCH /api/users/tokens/${fullId}`, { description: 'Changed elsewhere' })
    await route.continue()
  }
  await page.route(`**/api/users/tokens/${fullId}`, change, { times: 1 })
  // Hiding needs no confirmation: it can be undone.
  await bar.getByRole('button', { name: 'Hide from list' }).click()
  await expect(page.getByText('0 of 1 server changed')).toBeVisible()
  await expect(rowOf(page, full)).toContainText('This was changed in the meantime')
  await expect(select(rowOf(page, full))).toBeChecked()
  await bar.getByRole('button', { name: 'Hide from list' }).click()
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  expect(await send<Server>(page, `GET /api/users/tokens/${fullId}`)).toMatchObject({ visible: false, description: 'Changed elsewhere' })
  // The toast of the first change may be behind it.
  await page.locator('[data-sonner-toast][data-front=true]').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone')).toBeVisible()
  expect(await send<Server>(page, `GET /api/users/tokens/${fullId}`)).toMatchObject({ visible: true, description: 'Changed elsewhere' })
})

test('the CSV file has the shown servers in their order', async ({ page, username }) => {
  await startSession(page, username)
  await createServer(page, { name: `Oak, "the big" ${username}`, tags: ['x', 'y'] })
  await createServer(page, { name: `Сосна Łódź ${username}` })
  await page.goto('/servers?sort=-name')
  await page.getByRole('button', { name: 'Download as CSV' }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^servers-\d{4}-\d\d-\d\d\.csv$/)
  const file = await readFile(await download.path())
  // A byte order mark, or Excel shows other letters.
  expect(file.subarray(0, 3).toString('hex')).toBe('efbbbf')
  const lines = file.toString('utf8', 3).trim().split('\r\n')
  expect(lines[0]).toMatch(/^id,name,owner,status,/)
  expect(lines[1]).toContain(`,Сосна Łódź ${username},`)
  expect(lines[2]).toContain(`"Oak, ""the big"" ${username}"`)
  expect(lines).toHaveLength(3)
})

test('the header, the strip, the chips and the list count the same servers, and the rail has the order of the list', async ({
  page,
  program,
  username,
  signInAs,
}) => {
  await startSession(page, username)
  const boss = await signInAs(`${username}_boss`)
  const created = []
  for (const name of ['Willow', 'Acacia']) created.push(await createServer(page, { name: `${name} ${username}` }))
  for (const name of ['Rowan', 'Beech']) created.push(await createServer(boss, { name: `${name} ${username}` }))
  for (const [index, { credential }] of created.slice(0, 3).entries()) await announce(program, credential, { port: 7810 + index })
  await grantManager(boss, page, 'EDIT_DETAILS')
  await send(page, `PUT /api/users/tokens/${created[0]?.public_id}/pin`)
  await page.goto('/servers')
  await expect(page.getByText('2 of 3, and 2 you manage')).toBeVisible()
  await expect(page.getByRole('button', { name: /^All 4$/ })).toBeVisible()
  const figure = (label: string) => page.locator('dl > div').filter({ hasText: label }).locator('dd')
  await expect(figure('Servers online')).toHaveText('3 / 4')
  await expect(figure('Listed')).toHaveText('3 / 4')
  await expect(page.getByRole('button', { name: /^Listed 3$/ })).toBeVisible()
  await expect(figure('Players online')).toHaveText('111')
  const order = ['Willow', 'Acacia', 'Beech', 'Rowan'].map((name) => `${name} ${username}`)
  expect(await names(page)).toEqual(order)
  expect(await page.getByRole('navigation', { name: 'Main' }).locator('li [title]').allInnerTexts()).toEqual(order)
})

test('a pinned server comes first for its user, also after a reload', async ({ page, username }) => {
  await startSession(page, username)
  const [one = '', two = ''] = ['Ash', 'Yew'].map((name) => `${name} ${username}`)
  for (const name of [one, two]) await createServer(page, { name })
  await page.goto('/servers')
  await page.getByRole('button', { name: `Actions for ${two}` }).click()
  const pinned = page.waitForResponse('**/pin')
  await page.getByRole('menuitem', { name: 'Pin to top' }).click()
  expect((await pinned).status()).toBe(204)
  await page.reload()
  await expect(rowOf(page, two).getByRole('img', { name: 'Pinned' })).toBeVisible()
  await expect.poll(() => names(page)).toEqual([two, one])
})

test('250 servers render few rows, keys reach all of them, and back restores the position', async ({
  page,
  username,
  allowBrowserError,
}) => {
  // The page of a focused row is preloaded, and the copies have none.
  allowBrowserError(/404 \(Not Found\) .*\/Copy/)
  await startSession(page, username)
  await createServer(page, { name: `Source ${username}` })
  await showCopies(page, 250)
  await page.goto('/servers')
  const table = page.getByRole('table', { name: 'Servers' })
  await expect(table).toHaveAttribute('aria-rowcount', '251')
  await expect(page.getByRole('link', { name: 'Copy 000', exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(MAX_DOM_NODES)
  for (let index = 0; index < 40; index += 1) await page.keyboard.press('j')
  const link = page.getByRole('link', { name: 'Copy 039', exact: true })
  await expect(link).toBeFocused()
  await expect(link).toBeInViewport()
  await expect(rowOf(page, 'Copy 039')).toHaveAttribute('aria-rowindex', '41')
  await page.keyboard.press('x')
  await expect(select(rowOf(page, 'Copy 039'))).toBeChecked()
  // The focused row stays rendered, far away from the visible ones.
  await page.locator('#main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
  await expect(page.getByRole('link', { name: 'Copy 249', exact: true })).toBeInViewport()
  await expect(link).toBeFocused()
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(MAX_DOM_NODES)
  await expectAccessible(page, '250 servers')

  const before = await page.locator('#main').evaluate((main) => main.scrollTop)
  await page.waitForTimeout(100)
  await page.getByRole('link', { name: 'Benefits' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Benefits' })).toBeVisible()
  await page.goBack()
  await expect.poll(() => page.locator('#main').evaluate((main) => main.scrollTop)).toBeGreaterThan(before - 60)
})

test('with an offer and two issues, ten rows are above the fold, and the first card of a phone is above 400 px', async ({
  page,
  program,
  username,
  signInAs,
}) => {
  test.setTimeout(180_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  await startSession(page, username)
  const admin = await signInAs('admin')
  const other = await signInAs(`${username}_other`)
  await raiseLimit(admin, page, 40)
  await createVerifiedServer(admin, `Lighthouse ${username}`)
  for (let index = 0; index < 10; index += 1) await createServer(page, { name: `Row ${index} ${username}`, tags: ['vanilla', 'english'] })
  for (const [index, suffix] of ['Official', 'Original'].entries()) {
    const imitation = await createServer(page, { name: `Lighthouse ${username} ${suffix}` })
    await announce(program, imitation.credential, { port: 7900 + index })
    await expect.poll(() => isListed(program, imitation.public_id)).toBe(true)
  }
  const offered = await createServer(other, { name: `Offer of ${username}` })
  await offerServer(other, offered.public_id, page)
  const issues = async () => await send<unknown[]>(page, `GET /api/users/${await idOf(page)}/protection-issues`)
  await expect.poll(async () => (await issues()).length, { timeout: 30_000 }).toBeGreaterThan(1)
  await page.goto('/servers')
  await expect(page.getByRole('link', { name: '3 items need your answer' })).toBeVisible()
  const boxes = async () =>
    await page
      .locator('[data-row]')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })))
  expect((await boxes()).filter(({ bottom }) => bottom <= 900).length).toBeGreaterThanOrEqual(10)
  await page.setViewportSize({ width: 390, height: 844 })
  expect((await boxes())[0]?.top).toBeLessThan(400)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `offers and issues, ${variant}`))
  await page.setViewportSize({ width: 320, height: 700 })
  await expectAccessible(page, 'offers and issues at 320')
  // Also where the words are longer, each line shows its arrow.
  await page.context().addCookies([{ name: 'muster_language', value: 'de', url: page.url() }])
  await page.reload()
  for (const line of await page.locator('#main .card > a').all())
    // The page may be rendered again while its code loads.
    await expect.poll(async () => (await line.locator('svg').last().boundingBox())?.x ?? Infinity).toBeLessThan(300)
})
