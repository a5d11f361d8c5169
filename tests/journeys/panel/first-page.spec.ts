/** The servers page as the backend renders it, before its scripts have loaded. */
import type { Page } from '@playwright/test'
import { createServer, errorResponse, expect, holdRequests, signIn, startSession, test } from '#tests/journeys/journey.ts'
import { raiseLimit } from '#tests/journeys/users.ts'

const SCRIPTS = '**/assets/*.js'
const NASTY = '</script><script>document.title=1</script>&amp;'

/** The place of each server's name, and how far the page is scrolled. */
const layoutOf = (page: Page) =>
  page.evaluate(() => ({
    rows: [...document.querySelectorAll('#main [role=row]')].map((row) => JSON.stringify(row.getBoundingClientRect())),
    scrolled: document.getElementById('main')?.scrollTop,
  }))

test('the servers page shows before its scripts have loaded, and stays where it is when they have', async ({
  page,
  signInAs,
  username,
}) => {
  const admin = await signInAs('admin')
  await signIn(page, username)
  await raiseLimit(admin, page, 30)
  await createServer(page, { name: `${username}${NASTY}` })
  for (let index = 1; index < 25; index += 1) await createServer(page, { name: `Server ${index} ${username}` })
  await page.getByRole('button', { name: 'Compact rows' }).click()
  await page.goto('about:blank')

  const release = await holdRequests(page, SCRIPTS, 'GET')
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto('/servers', { waitUntil: 'commit' })
  await expect(page.locator('#main').getByText(NASTY)).toBeVisible()
  await expect(page.locator('#main [role=row]')).toHaveCount(26)
  await page.evaluate(() => document.fonts.ready)
  await page.locator('#main').evaluate((main) => main.scrollTo({ top: 120 }))
  const before = await layoutOf(page)
  expect(before.scrolled).toBe(120)
  expect(before.rows).toHaveLength(26)
  // It has no scripts yet, so it takes no clicks.
  await expect(page.locator('#app > [inert]')).toBeAttached()

  release()
  await expect(page.locator('#app > [inert]')).not.toBeAttached()
  expect(await layoutOf(page)).toEqual(before)
  await expect(page).toHaveTitle(/^Servers · Muster$/)
  // The page came with these replies. The stream's refetch comes later.
  const stream = calls.indexOf('/api/users/tokens/events')
  expect(calls.slice(0, stream === -1 ? undefined : stream).filter((path) => path.startsWith('/api/'))).toEqual([])
})

test('a page that the backend has rendered follows changes of other tabs, and a failed refetch keeps it', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/503 \(/)
  await startSession(page, username)
  await createServer(page, { name: `Before ${username}` })
  await page.route('**/api/users/tokens', (route) => route.fulfill(errorResponse(503, 'Not now.')))
  await page.goto('/servers')
  await expect(page.locator('#main').getByText('Before')).toBeVisible()
  await page.unroute('**/api/users/tokens')
  await createServer(page, { name: `After ${username}` })
  await expect(page.locator('#main').getByText('After')).toBeVisible()
})

test('if its scripts cannot be loaded, the links of the servers page work', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/ERR_FAILED|dynamically imported module/)
  await startSession(page, username)
  const { public_id: id } = await createServer(page, { name: `No scripts ${username}` })
  await page.route(SCRIPTS, (route) => route.abort())
  await page.goto('/servers', { waitUntil: 'commit' })
  await page.unroute(SCRIPTS)
  await page.locator('#main').getByText(`No scripts ${username}`).click()
  await expect(page).toHaveURL(new RegExp(`/servers/${id}$`))
  await expect(page.getByRole('heading', { level: 1, name: `No scripts ${username}` })).toBeVisible()
})
