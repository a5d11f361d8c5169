/** Small regressions: lost scroll positions, wrong clocks, missing labels, and hidden errors. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import {
  announce,
  createServer,
  errorResponse,
  expect,
  expectAccessible,
  openWithStream,
  signIn,
  startSession,
  test,
} from '#tests/journeys/journey.ts'
import { idOf, offerServer, send } from '#tests/journeys/users.ts'

test('an uncaught error in a timer or a promise shows the error page', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/Out of the blue/)
  await startSession(page, username)
  for (const fail of ["setTimeout(() => { throw new Error('Out of the blue') })", "void Promise.reject(new Error('Out of the blue'))"]) {
    await openWithStream(page, '/')
    // The error listener loads after the page.
    await page.waitForTimeout(1000)
    await page.evaluate(fail)
    await expect(page.getByRole('heading', { name: 'Whoops, something is wrong :(' })).toBeVisible()
    await expect(page.getByText('Out of the blue')).toBeVisible()
    await page.getByRole('link', { name: 'Go home' }).click()
    await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  }
})

test('a deletion can be cancelled in a browser whose clock is a day ahead', async ({ page, username }) => {
  await startSession(page, username)
  await send(page, 'POST /api/auth/me/delete')
  await page.clock.setFixedTime(Date.now() + 24 * 3_600_000 + 60_000)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Your account is set for deletion' })).toBeVisible()
  await expect(page.getByRole('timer')).toContainText('23')
  await page.getByRole('button', { name: 'Cancel deletion' }).click()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
})

test('a sign-in that fails with 500 is retried, and one that fails with 503 is not', async ({ page, allowBrowserError }) => {
  allowBrowserError(/50[03] \(/)
  let [status, requests] = [500, 0]
  await page.route('**/api/auth/discord', (route) => {
    requests += 1
    return requests === 1 ? route.fulfill(errorResponse(status, 'Not now.')) : route.continue()
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/local-discord/)
  expect(requests).toBe(2)
  ;[status, requests] = [503, 0]
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Not now.')
  expect(requests).toBe(1)
})

test("Back restores the list's scroll position, and another page starts at the top", async ({ page, signInAs, username }) => {
  await startSession(page, username)
  const admin = await signInAs('admin')
  await send(admin, `PATCH /api/admin/users/${await idOf(page)}`, { max_masterlist_tokens: 40 })
  for (let index = 0; index < 30; index += 1) await createServer(page, { name: `Row ${index} ${username}` })
  await page.goto('/servers')
  const main = page.locator('#main')
  const row = page.getByRole('link', { name: `Row 20 ${username}`, exact: true })
  await row.scrollIntoViewIfNeeded()
  await main.evaluate((element) => element.scrollBy(0, 200))
  const before = await main.evaluate((element) => element.scrollTop)
  expect(before).toBeGreaterThan(200)
  // The scroll position is saved in the next frame.
  await page.waitForTimeout(100)
  await row.click()
  await expect(page.getByRole('heading', { level: 1, name: `Row 20 ${username}` })).toBeVisible()
  expect(await main.evaluate((element) => element.scrollTop)).toBe(0)
  await page.goBack()
  await expect(row).toBeVisible()
  await expect.poll(async () => Math.abs((await main.evaluate((element) => element.scrollTop)) - before)).toBeLessThan(5)
})

test('the list of servers is a table, j and k move between its rows, and times are not Tab stops', async ({ page, program, username }) => {
  await startSession(page, username)
  for (const name of ['One', 'Two']) await announce(program, (await createServer(page, { name: `${name} ${username}` })).credential)
  await page.goto('/servers')
  const table = page.getByRole('table', { name: 'Servers' })
  await expect(table.getByRole('row')).toHaveCount(3)
  await expect(table.getByRole('columnheader', { name: 'Status' })).toBeVisible()
  await expect(table.getByRole('row').nth(1).getByRole('cell').nth(1)).toContainText(username)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(table.getByRole('row').nth(2).getByRole('link')).toBeFocused()
  await page.keyboard.press('k')
  await expect(table.getByRole('row').nth(1).getByRole('link')).toBeFocused()
  expect(await page.locator('time[tabindex="0"]').count()).toBe(0)
})

test('a verified server has its mark in the list and on its page', async ({ page, signInAs, username }) => {
  await startSession(page, username)
  const { public_id: id } = await createServer(page, { name: `Verified ${username}` })
  await send(await signInAs('admin'), `PATCH /api/admin/tokens/${id}`, { verified: true })
  await page.goto('/servers')
  await expect(page.getByRole('row').filter({ hasText: id }).getByRole('img', { name: 'Verified' })).toBeVisible()
  await page.goto(`/servers/${id}`)
  await expect(page.getByRole('main').getByRole('img', { name: 'Verified' })).toBeVisible()
})

test("a banned server's page shows the reason, the end in local time, and where to appeal", async ({ page, signInAs, username }) => {
  await startSession(page, username)
  const { public_id: id } = await createServer(page, { name: `Banned ${username}` })
  const until = '2036-12-03T12:00:00.000Z'
  await send(await signInAs('admin'), `PATCH /api/admin/tokens/${id}/ban`, { reason: 'Fake players', banned_until: until })
  await page.goto(`/servers/${id}`)
  const box = page.getByRole('region', { name: /listed/ })
  await expect(box).toContainText('The reason: Fake players.')
  await expect(box).not.toContainText('UTC')
  await expect(box).not.toContainText('Its page in the panel')
  const { ban_appeal_email: appeals } = await send<{ ban_appeal_email: string }>(page, 'GET /api/about')
  await expect(box.getByRole('link', { name: appeals })).toHaveAttribute('href', `mailto:${appeals}`)
})

test('a save without a network says that nothing was saved, and the draft stays', async ({
  page,
  context,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/)
  await startSession(page, username)
  await openWithStream(page, '/servers/new')
  await page.getByLabel('Name').fill(`Offline ${username}`)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Create server' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'nothing was saved' })).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue(`Offline ${username}`)
  await context.setOffline(false)
})

test('the credential page shows the configured announce TTL', async ({ page, username }) => {
  await startSession(page, username)
  await page.route('**/api/about', async (route) => {
    const reply = await route.fetch()
    const { data } = (await reply.json()) as { data: Record<string, unknown> }
    expect(data['announce_ttl_seconds']).toBe(75)
    await route.fulfill({ response: reply, json: { data: { ...data, announce_ttl_seconds: 120 } } })
  })
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(`Waits ${username}`)
  await page.getByRole('button', { name: 'Create server' }).click()
  await page.getByText('Test it without a server').click()
  await expect(page.getByText('The server goes offline again 120 seconds later.')).toBeVisible()
})

test('the navigation bar of an administrator fits into 320 px', async ({ page }) => {
  await startSession(page, 'admin')
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/servers', '/admin/servers', '/admin/users']) {
    await page.goto(path)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320)
    const bar = await page
      .locator('header')
      .first()
      .evaluate((element) => [element.scrollWidth, element.clientWidth])
    expect(bar[0], path).toBeLessThanOrEqual(bar[1] ?? 0)
  }
  // Beside the title: on a line of its own, the list would move when its total arrives.
  const title = await page.getByRole('heading', { level: 1, name: 'Users' }).boundingBox()
  const download = await page.getByRole('button', { name: 'Download page as CSV' }).boundingBox()
  expect(download?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0))
})

test('simulate --help lists all options', () => {
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, '../../../backend/cli/muster.ts'), 'simulate', '--help'], {
    encoding: 'utf8',
  })
  for (const option of ['--servers', '--interval', '--seed', '--keep', '--answer']) expect(stdout).toContain(option)
})

test('without downloads and a support page, nothing links to them', async ({ page, username }) => {
  await signIn(page, username)
  const bar = page.getByRole('navigation', { name: 'Main' })
  await expect(bar.getByRole('link', { name: 'Benefits' })).toBeVisible()
  await expect(bar.getByRole('link', { name: 'Downloads' })).toHaveCount(0)
  await page.keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts.getByText('Go to benefits')).toBeVisible()
  await expect(shortcuts.getByText('Go to downloads')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('downloads')
  await expect(page.getByRole('option', { name: 'Downloads' })).toHaveCount(0)
  await page.goto('/benefits')
  await expect(page.getByRole('region', { name: 'Your tier' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Become a supporter' })).toHaveCount(0)
})

for (const colorScheme of ['dark', 'light'] as const) {
  test(`the local sign-in page has the panel's font and is accessible in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/login')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Local sign-in' })).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => [...document.fonts].some(({ family, status }) => family === 'Inter' && status === 'loaded')))
      .toBe(true)
    await page.setViewportSize({ width: 320, height: 700 })
    await expectAccessible(page, `local sign-in, ${colorScheme}`)
  })
}

test("a transfer expires by the server's clock, in a browser whose clock is a day ahead", async ({ page, signInAs, username }) => {
  const sender = await signInAs(`${username}_sender`)
  await page.clock.install({ time: Date.now() + 86_400_000 })
  await startSession(page, username)
  const { public_id } = await createServer(sender, { name: `Offer of ${username}` })
  await offerServer(sender, public_id, page)
  await page.goto('/settings/transfers')
  await expect(page.getByText('in 7 days')).toBeVisible()
})

test('without fonts the panel shows, because a browser can be set to load none', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/Failed to load resource.*\.woff2|ERR_FAILED/)
  await page.route('**/*.woff2', (route) => route.abort())
  await startSession(page, username)
  await page.goto('/servers')
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
})

test('an autofilled field and a draft of another version of the panel don’t break the listing form', async ({ page, username }) => {
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Old draft ${username}` })
  await page.goto('/servers')
  await page.evaluate((id) => sessionStorage.setItem(`muster.draft.listing.${id}`, JSON.stringify({ description: 'Before' })), public_id)
  await page.goto(`/servers/${public_id}?tab=listing`)
  // Chromium sends an event without a key when the user chooses a suggestion.
  await page.getByLabel('Website').evaluate((field) => field.dispatchEvent(new Event('keydown', { bubbles: true })))
  await page.getByLabel('Description').fill('After')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
})
