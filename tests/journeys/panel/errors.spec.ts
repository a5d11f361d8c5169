/** Errors: failed calls, expired sessions, drafts, code that cannot be loaded, and toasts. */
import type { Page } from '@playwright/test'
import {
  createServer,
  errorResponse,
  expect,
  expectAccessible,
  holdRequests,
  signIn,
  startSession,
  test,
  timingSensitive,
} from '#tests/journeys/journey.ts'
import { onDesktopAndPhone } from '#tests/journeys/users.ts'

async function openNewServer(page: Page, name: string): Promise<void> {
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(name)
}

test('a change that fails with 500 or 502 is sent twice, one that fails with 503 or 409 once, and the form keeps its values', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/(500|502|503|409) \(/)
  await startSession(page, username)
  await openNewServer(page, `Fault ${username}`)
  for (const [status, calls] of [
    [500, 2],
    [502, 2],
    [503, 1],
    [409, 1],
  ] as const) {
    let sent = 0
    await page.route('**/api/users/tokens', (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      sent += 1
      return route.fulfill(errorResponse(status, `One of ${status}.`, 'Two.'))
    })
    await page.getByRole('button', { name: 'Create server' }).click()
    await expect(page.getByRole('alert')).toContainText(`One of ${status}., Two.`)
    // Nothing is sent after the error shows.
    await page.waitForTimeout(700)
    expect(sent, `calls of ${status}`).toBe(calls)
    await expect(page.getByLabel('Name')).toHaveValue(`Fault ${username}`)
    await page.unroute('**/api/users/tokens')
  }
})

test('a read that fails once is repeated without an error', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/500 \(/)
  await startSession(page, username)
  // The page reloads its data when the stream opens. The stream is held until after the count.
  const release = await holdRequests(page, '**/api/users/tokens/events', 'GET')
  let requests = 0
  await page.route('**/api/users/tokens', (route) => {
    requests += 1
    return requests === 1 ? route.fulfill(errorResponse(500, 'Once.')) : route.fallback()
  })
  // The servers page comes with its data.
  await page.goto('/inbox')
  await expect(page.getByRole('heading', { name: 'Inbox', exact: true })).toBeVisible()
  expect(requests).toBe(2)
  release()
  await expect.poll(() => requests).toBe(3)
})

test('an error body of another format shows the error page with the status text', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/500 \(|HttpError/)
  await startSession(page, username)
  await page.route('**/api/auth/me', (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>nginx</h1>' }))
  await page.goto('/inbox')
  await expect(page.getByRole('alert')).toContainText('HttpErrorWhoops, something is wrong :(Internal Server Error')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.getByText('HttpError')).toHaveCSS('color', 'rgb(255, 125, 122)')
  await expect(page).toHaveTitle('Error · Muster')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the error page, ${variant}`))
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('link', { name: 'Go home' }).click()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/')
})

test('a failed connection shows an error that can be retried', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/ERR_FAILED|ConnectionError/)
  await startSession(page, username)
  await page.route('**/api/auth/me', (route) => route.abort())
  await page.goto('/inbox')
  await expect(page.getByRole('alert')).toContainText('Can’t reach Muster')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Inbox', exact: true })).toBeVisible()
})

test('the error page of a failed call has its status and request ID, and Try again shows the page', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/503 \(|HttpError/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await startSession(page, username)
  const { public_id: id } = await createServer(page, { name: `Retried ${username}` })
  await page.route(`**/api/users/tokens/${id}`, (route) =>
    route.fulfill({ ...errorResponse(503, 'Not now.'), headers: { 'x-request-id': 'r-42' } }),
  )
  await page.goto(`/servers/${id}`)
  await expect(page.getByRole('alert')).toContainText('Not now.')
  await expect(page.getByRole('alert')).toContainText('Status 503 · Request r-42')
  await page.getByRole('button', { name: 'Copy details' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Request: r-42')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Retried ${username}` })).toBeVisible()
})

test('a page that does not exist has no Try again', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/404 \(|NotFoundError/)
  await startSession(page, username)
  await page.goto('/nothing')
  await expect(page.getByRole('link', { name: 'Go home' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('at most ten toasts are visible', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/503 \(/)
  await signIn(page, username)
  await page.route('**/api/auth/logout', (route) => route.fulfill(errorResponse(503, 'Not now.')))
  for (let count = 1; count <= 12; count += 1) {
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(count)
  }
  await expect(page.locator('[data-sonner-toast][data-visible=true]')).toHaveCount(10)
})

timingSensitive(() => {
  test('a toast does not time out while the tab is hidden', async ({ page, username }) => {
    await startSession(page, username)
    await createServer(page, { name: `Hidden ${username}` })
    await page.goto('/servers')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: `Actions for Hidden ${username}` }).click()
    await page.getByRole('menuitem', { name: 'Copy server ID' }).click()
    const toast = page.getByText('Server ID copied')
    await expect(toast).toBeVisible()
    const setHidden = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, hidden)
    await setHidden(true)
    await page.waitForTimeout(3500)
    await expect(toast).toBeVisible()
    await setHidden(false)
    await expect(toast).toBeHidden({ timeout: 4500 })
  })
})

test('every page has a title', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/404 \(|HttpError|NotFoundError/)
  await page.goto('/login')
  await expect(page).toHaveTitle(/Muster/)
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Title ${username}` })
  for (const [path, title] of [
    ['/', 'Servers · Muster'],
    ['/servers', 'Servers · Muster'],
    ['/servers/new', 'New server · Muster'],
    [`/servers/new?server=${public_id}`, 'Waiting for the first announce · Muster'],
    [`/servers/${public_id}`, `○ Title ${username} · Muster`],
    ['/settings', 'Managers · Muster'],
    ['/settings/managers', 'Managers · Muster'],
    ['/settings/transfers', 'Transfers · Muster'],
    ['/settings/activity', 'Activity · Muster'],
    ['/settings/delete-account', 'Delete account · Muster'],
    ['/no/such/page', 'Error · Muster'],
  ] as const) {
    await page.goto(path)
    await expect(page).toHaveTitle(title)
  }
})
