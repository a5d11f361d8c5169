/** The panel around its pages: sign-in, session, error page, account states, toasts, scrolling, and outages. */
import {
  announce,
  createServer,
  errorResponse,
  expect,
  holdRequests,
  openAndSettle,
  openWithStream,
  signInFromLoginPage,
  startSession,
  test,
  timingSensitive,
} from '#tests/journeys/journey.ts'

const USER = {
  id: 'u',
  discord: { discord_id: '1', username: 'zoe', avatar: null },
  benefits: [],
  active_tier: null,
  owned_tier: null,
  is_tier_forced: false,
  max_masterlist_tokens: 3,
  max_managers: 2,
  max_masterlist_groups: 0,
  delete_at: null,
  gived_managements: [],
  recieved_managements: [],
  banned: false,
}

test('a signed-out user goes to the login page, and returns to the requested page after sign-in', async ({ page, username }) => {
  await page.goto('/servers/new')
  await expect(page).toHaveURL(/\/login\?next=%2Fservers%2Fnew$/)
  await signInFromLoginPage(page, username)
  await expect(page).toHaveURL(/\/servers\/new$/)
  await page.goto('/login')
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('the return address after sign-in cannot leave this origin', async ({ page, username }) => {
  for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
    // An open panel would notice the expired session and go to the login page.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.goto(`/login?next=${encodeURIComponent(next)}`)
    await signInFromLoginPage(page, username)
    await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/')
  }
})

test('a cancelled or expired sign-in shows what happened, and leads back to the login page', async ({ page, allowBrowserError }) => {
  allowBrowserError(/400 \(Bad Request\)/)
  await page.goto('/login/discord/callback?error=access_denied&state=x')
  await expect(page.getByRole('alert')).toContainText('cancelled')
  await page.goto('/login/discord/callback?code=stale&state=wrong')
  await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible()
  expect(page.url()).not.toContain('stale')
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
})

test('reloading the page of a completed sign-in, or going back to it, leads to the panel', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/400 \(Bad Request\)/)
  await startSession(page, username)
  for (const query of ['', '?code=used&state=used']) {
    await page.goto(`/login/discord/callback${query}`)
    await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/')
  }
})

test('the error page says that something is wrong, names the error, and leads home', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/404 \(Not Found\)|HttpError|NotFoundError/)
  await startSession(page, username)
  await page.goto('/servers/0000000')
  await expect(page.getByRole('heading', { name: 'Whoops, something is wrong :(' })).toBeVisible()
  await expect(page.getByText('HttpError')).toBeVisible()
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Whoops, something is wrong :(' })).toBeVisible()
  await page.getByRole('link', { name: 'Go home' }).click()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
})

test('“Authorizing...” shows until the session is known', async ({ page, username }) => {
  await startSession(page, username)
  const release = await holdRequests(page, '**/api/auth/me', 'GET')
  await page.goto('/inbox', { waitUntil: 'commit' })
  await expect(page.getByText('Authorizing...')).toBeVisible()
  release()
  await expect(page.getByText('Authorizing...')).toBeHidden()
})

test('a read that fails with 500 is sent twice, and one that fails with 503 or 404 once', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/(500|503|404) \(|HttpError/)
  await startSession(page, username)
  for (const [status, calls] of [
    [500, 2],
    [503, 1],
    [404, 1],
  ] as const) {
    let requests = 0
    await page.route('**/api/auth/me', (route) => {
      requests += 1
      return route.fulfill(errorResponse(status, `One of ${status}.`, 'Two.'))
    })
    await page.goto('/inbox')
    await expect(page.getByText(`One of ${status}., Two.`)).toBeVisible()
    expect(requests, `calls of ${status}`).toBe(calls)
    await page.unroute('**/api/auth/me')
  }
})

test('a read that failed before the stream opened is not repeated when it opens', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/503 \(|HttpError/)
  await startSession(page, username)
  let requests = 0
  await page.route('**/api/users/activity*', (route) => {
    requests += 1
    return route.fulfill(errorResponse(503, 'Not now.'))
  })
  // Only loaded data is read again when the stream opens.
  await openAndSettle(page, '/settings/activity', page.getByText('Not now.'))
  expect(requests).toBe(1)
})

test('visible data reloads when the tab becomes visible, but not when a page is opened', async ({ page, username }) => {
  await startSession(page, username)
  await createServer(page, { name: `Focus ${username}` })
  await openAndSettle(page, '/', page.getByRole('heading', { name: 'Servers', exact: true }))
  let requests = 0
  await page.route('**/api/users/tokens', (route) => {
    requests += 1
    return route.continue()
  })
  await page.keyboard.press('n')
  await expect(page.getByLabel('Name')).toBeVisible()
  await page.getByRole('link', { name: 'Servers' }).first().click()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  expect(requests).toBe(0)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect.poll(() => requests).toBe(1)
})

test('an expired session leads to the login page when the tab becomes visible', async ({ page, username }) => {
  await startSession(page, username)
  await page.goto('/servers')
  // Before it shows, nothing is read again.
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  await page.context().clearCookies()
  // A request sent when the stream opened may already have started the navigation.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))).catch(() => undefined)
  await expect(page).toHaveURL(/\/login\?next=%2Fservers$/)
})

test('a banned user who also deletes the account sees the ban, its reason and the contact', async ({ page }) => {
  await page.route('**/api/auth/me', (route) =>
    route.fulfill({
      json: { data: { ...USER, banned: true, ban_reason: 'Sold fake players.', delete_at: new Date(Date.now() + 1e6).toISOString() } },
    }),
  )
  await page.goto('/servers')
  await expect(page.getByRole('heading', { name: 'Sorry, your account is banned' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Ban reason' })).toContainText('Sold fake players.')
  await expect(page.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/)
  await expect(page.getByText('zoe')).toBeVisible()
  await expect(page.getByText('Z', { exact: true })).toBeVisible()
})

test('an account scheduled for deletion shows a countdown, a failed cancellation shows its error, and a second one succeeds', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/500 \(|501 \(|404 \(/)
  await startSession(page, username)
  let deleteAt: string | null = new Date(Date.now() + (2 * 3600 + 3 * 60 + 30) * 1000).toISOString()
  await page.route('**/api/auth/me', (route) => route.fulfill({ json: { data: { ...USER, delete_at: deleteAt } } }))
  await page.goto('/servers')
  await expect(page.getByRole('heading', { name: 'Your account is set for deletion' })).toBeVisible()
  const timer = page.getByRole('timer')
  await expect(timer).toContainText('02hours03minutes')
  await expect(page.getByRole('link', { name: 'appeals@example.com' })).toHaveAttribute('href', 'mailto:appeals@example.com')
  const before = await timer.innerText()
  await expect.poll(() => timer.innerText()).not.toBe(before)
  await page.getByRole('button', { name: 'Logout' }).hover()
  await expect(page.getByRole('tooltip')).toHaveText('Logout')

  await page.route('**/api/auth/me/delete/cancel', (route) => route.fulfill(errorResponse(409, 'Too late.')))
  allowBrowserError(/409 \(/)
  await page.getByRole('button', { name: 'Cancel deletion' }).click()
  await expect(page.getByText('Failed to cancel deletion')).toBeVisible()
  await expect(page.getByText('Too late.')).toBeVisible()

  await page.route('**/api/auth/me/delete/cancel', (route) => {
    deleteAt = null
    return route.fulfill({ status: 204 })
  })
  await page.getByRole('button', { name: 'Cancel deletion' }).click()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/')
})

test('the countdown of an expired deletion stays at zero', async ({ page }) => {
  await page.route('**/api/auth/me', (route) => route.fulfill({ json: { data: { ...USER, delete_at: '2001-01-01T00:00:00.000Z' } } }))
  await page.goto('/')
  await expect(page.getByRole('timer')).toContainText('00hours00minutes00seconds')
})

timingSensitive(() => {
  test('a success toast stays while the mouse is over it, and disappears afterwards', async ({ page, username }) => {
    await startSession(page, username)
    const { public_id } = await createServer(page, { name: `Toast ${username}` })
    await page.goto(`/servers/${public_id}?tab=listing`)
    await page.getByLabel('Description').fill('x')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const toast = page.getByText('Listing saved')
    await expect(toast).toBeVisible()
    await toast.hover()
    await page.waitForTimeout(3500)
    await expect(toast).toBeVisible()
    const box = await toast.boundingBox()
    expect(box?.x).toBeGreaterThan(900)
    expect(box?.y).toBeGreaterThan(700)
    await page.mouse.move(10, 10)
    await expect(toast).toBeHidden({ timeout: 4500 })
  })
})

test('another page scrolls to the top, and so does another tab on a phone, but not on a desktop', async ({ page, username }) => {
  await page.setViewportSize({ width: 1440, height: 360 })
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Scroll ${username}` })
  await createServer(page, { name: `Second ${username}` })
  await page.goto(`/servers/${public_id}?tab=listing`)
  await expect(page.getByLabel('Website')).toBeVisible()
  const main = page.locator('main')
  const scrolled = () => main.evaluate((element) => element.scrollTop)
  const maxScroll = () => main.evaluate((element) => element.scrollHeight - element.clientHeight)
  await main.evaluate((element) => {
    element.scrollTop = 250
  })
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeInViewport({ ratio: 0.9 })
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByRole('region', { name: 'Players', exact: true })).toBeVisible()
  expect(await maxScroll()).toBeGreaterThan(250)
  expect(await scrolled()).toBe(250)
  // On a phone, the tabs are in sight wherever the page is scrolled to.
  await page.setViewportSize({ width: 390, height: 360 })
  await main.evaluate((element) => {
    element.scrollTop = 250
  })
  await page.getByRole('tab', { name: 'Listing' }).click()
  await expect(page.getByLabel('Website')).toBeVisible()
  expect(await scrolled()).toBe(0)
  await page.getByRole('navigation').getByRole('link', { name: 'Servers' }).click()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeFocused()
  expect(await maxScroll()).toBeGreaterThan(100)
  expect(await scrolled()).toBe(0)
})

timingSensitive(() => {
  test('being offline shows a notice, which disappears when online, and missed changes appear', async ({
    page,
    program,
    username,
    allowBrowserError,
  }) => {
    allowBrowserError(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
    await startSession(page, username)
    const { public_id, credential } = await createServer(page, { name: `Outage ${username}` })
    // The server's page is cached but not visible, so only a full reload after the outage updates it.
    await openWithStream(page, `/servers/${public_id}`)
    await expect(page.getByText('No connect address until the first announce.')).toBeVisible()
    await page.getByRole('link', { name: 'Servers', exact: true }).first().click()
    await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
    await page.context().setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    expect((await announce(program, credential)).status).toBe(200)
    await page.waitForTimeout(1500)
    await page.context().setOffline(false)
    await expect(page.getByText('You are offline.')).toBeHidden()
    await page
      .getByRole('region', { name: 'Your servers' })
      .getByRole('link', { name: `Outage ${username}` })
      .click()
    await expect(page.getByText('of 128 players')).toBeVisible({ timeout: 5000 })
  })
})
