/** Errors: failed calls, expired sessions, drafts, code that cannot be loaded, and toasts. */
import type { Page } from '@playwright/test'
import {
  createServer,
  errorResponse,
  expect,
  expectAccessible,
  expireSessionOnCall,
  holdRequests,
  openAndSettle,
  signIn,
  signInFromLoginPage,
  startSession,
  test,
  timingSensitive,
} from '#tests/journeys/journey.ts'
import { onDesktopAndPhone } from '#tests/journeys/users.ts'

async function openNewServer(page: Page, name: string): Promise<void> {
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(name)
}

for (const [status, calls] of [
  [500, 2],
  [502, 2],
  [503, 1],
  [409, 1],
] as const) {
  test(`a change that fails with ${status} is sent ${calls === 1 ? 'once' : 'twice'}, and the form keeps its values`, async ({
    page,
    username,
    allowBrowserError,
  }) => {
    allowBrowserError(new RegExp(`${status} \\(`))
    await signIn(page, username)
    await openNewServer(page, `Fault ${username}`)
    let sent = 0
    await page.route('**/api/users/tokens', (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      sent += 1
      return route.fulfill(errorResponse(status, 'One.', 'Two.'))
    })
    await page.getByRole('button', { name: 'Create server' }).click()
    await expect(page.getByRole('alert')).toContainText('One., Two.')
    // Nothing is sent after the error shows.
    await page.waitForTimeout(700)
    expect(sent).toBe(calls)
    await expect(page.getByLabel('Name')).toHaveValue(`Fault ${username}`)
  })
}

test('a read that fails once is repeated without an error', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/500 \(/)
  await startSession(page, username)
  // The page after sign-in may still be polling.
  await page.goto('about:blank')
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
  await signIn(page, username)
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
  await signIn(page, username)
  await page.route('**/api/auth/me', (route) => route.abort())
  await page.goto('/inbox')
  await expect(page.getByRole('alert')).toContainText('Can’t reach Muster')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Inbox', exact: true })).toBeVisible()
})

test('a 403 reloads the session once, and the page stays open', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/403 \(/)
  await startSession(page, username)
  // The reload of the session when the stream opens is not counted.
  await openAndSettle(page, '/servers/new', page.getByLabel('Name'))
  await page.getByLabel('Name').fill(`Missing ${username}`)
  let requests = 0
  await page.route('**/api/auth/me', (route) => {
    requests += 1
    return route.fallback()
  })
  await page.route('**/api/users/tokens', (route) =>
    route.request().method() === 'POST' ? route.fulfill(errorResponse(403, 'You have reached your limit of 3 servers.')) : route.fallback(),
  )
  await page.getByRole('button', { name: 'Create server' }).click()
  await expect(page.getByRole('alert')).toContainText('You have reached your limit')
  await page.waitForTimeout(1500)
  expect(requests).toBe(1)
  await expect(page.getByLabel('Name')).toHaveValue(`Missing ${username}`)
})

test('an expired session leads to the login page, and signing in returns to the same page', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/403 \(/)
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Session ${username}` })
  await page.goto(`/servers/${public_id}?tab=announces`)
  await expect(page.getByText('No announces yet')).toBeVisible()
  await expireSessionOnCall(page, (_method, path) => path.endsWith('/activity'))
  await page.getByRole('tab', { name: 'Activity' }).click()
  await expect(page).toHaveURL(new RegExp(`/login\\?next=%2Fservers%2F${public_id}%3Ftab%3Dactivity$`))
  const notice = page.getByText('Your session has ended. Sign in to continue where you left off.')
  await expect(notice).toBeVisible()
  await expectAccessible(page, 'the login page after a session ended')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(notice).toBeHidden()
  await signInFromLoginPage(page, username)
  await expect(page).toHaveURL(new RegExp(`/servers/${public_id}\\?tab=activity$`))
  await expect(page.getByRole('heading', { level: 1, name: `Session ${username}` })).toBeVisible()
})

test('the drafts of an edited and of a new server survive an expired session', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/403 \(/)
  const signInAgain = async () => {
    await expect(page).toHaveURL(/\/login\?next=/)
    await signInFromLoginPage(page, username)
  }
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Draft ${username}`, description: 'Original.' })
  await page.goto(`/servers/${public_id}?tab=listing`)
  await page.getByLabel('Description').fill('Half an hour of work.')
  await page.getByLabel('Tags').fill('drift')
  await page.getByLabel('Tags').press('Enter')
  await expireSessionOnCall(page, (method) => method !== 'GET')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await signInAgain()
  await expect(page).toHaveURL(new RegExp(`/servers/${public_id}\\?tab=listing$`))
  await expect(page.getByLabel('Description')).toHaveValue('Half an hour of work.')
  await expect(page.getByRole('button', { name: 'Remove tag drift' })).toBeVisible()
  await expect(page.getByText('Unsaved changes restored')).toBeVisible()
  await expectAccessible(page, 'a form with a restored draft')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('Half an hour of work.')
  await expect(page.getByText('unsaved changes', { exact: false })).toBeHidden()

  await openNewServer(page, `Second ${username}`)
  await expireSessionOnCall(page, (method) => method !== 'GET')
  await page.getByRole('button', { name: 'Create server' }).click()
  await signInAgain()
  await expect(page.getByLabel('Name')).toHaveValue(`Second ${username}`)
  await expect(page.getByText('Unsaved changes restored')).toBeVisible()
  await page.getByRole('button', { name: 'Create server' }).click()
  await expect(page.locator('[data-credential]')).toBeVisible()
})

test('a draft that the user left or discarded is not restored', async ({ page, username }) => {
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Thrown ${username}`, description: 'Original.' })
  await page.goto(`/servers/${public_id}?tab=listing`)
  await page.getByLabel('Description').fill('Never mind.')
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Leave page' }).click()
  await page.getByRole('tab', { name: 'Listing' }).click()
  await expect(page.getByLabel('Description')).toHaveValue('Original.')
  await page.getByLabel('Description').fill('Never mind either.')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('Original.')
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()
})

test('a dialog that cannot be loaded says so, and can be retried', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/ERR_FAILED|TypeError: Failed to fetch/)
  await startSession(page, username)
  await page.goto('/servers')
  await expect(page.getByText('Put your first server on the list')).toBeVisible()
  await page.evaluate(() => {
    addEventListener('vite:preloadError', (event) => {
      document.documentElement.dataset['preloadError'] = String((event as Event & { payload: Error }).payload.message)
    })
  })
  await page.route('**/assets/shortcut-sheet-*.js', (route) => route.abort())
  await page.keyboard.press('?')
  await expect(page.locator('html')).toHaveAttribute('data-preload-error', /dynamically imported module|Failed/)
  const failed = page.getByRole('dialog', { name: 'Couldn’t load this part.' })
  await expect(failed).toBeVisible()
  await expectAccessible(page, 'a dialog that can’t be loaded')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed.locator('[aria-busy]')).toHaveCount(0)
  await expect(failed.getByRole('button', { name: 'Try again' })).toBeFocused()
  await failed.getByRole('button', { name: 'Close' }).click()
  await expect(failed).toBeHidden()
  await expect(page.getByText('Put your first server on the list')).toBeVisible()

  // Opening the dialog loads it again, and so does its button. The button would join a load in flight, so wait until that fails.
  const failedRequest = page.waitForEvent('requestfailed')
  await page.keyboard.press('?')
  await expect(failed).toBeVisible()
  await failedRequest
  await page.unrouteAll({ behavior: 'wait' })
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(failed).toBeHidden()
})

test('a page or tab that cannot be loaded says so in place, and loads with a retry once the backend is back', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/ERR_FAILED|TypeError: Failed to fetch|Unable to preload/)
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Lazy ${username}` })
  await page.goto(`/servers/${public_id}`)
  await expect(page.getByRole('heading', { level: 1, name: `Lazy ${username}` })).toBeVisible()
  const isSameDocument = () => page.evaluate(() => 'isOriginalDocument' in globalThis)
  await page.evaluate(() => Object.assign(globalThis, { isOriginalDocument: true }))
  const failed = page.getByText('Couldn’t load this part.')

  // One retry loads a page and the parts inside it.
  await page.route('**/*', (route) => route.abort())
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(failed).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Discord username')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: `Lazy ${username}` })).toBeVisible()

  // When a tab fails, the other tabs stay usable.
  await page.route('**/*', (route) => route.abort())
  await page.getByRole('tab', { name: 'Listing' }).click()
  await expect(failed).toBeVisible()
  await expectAccessible(page, 'a tab that can’t be loaded')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Description')).toBeVisible()

  // A failed page does not discard the draft.
  await page.getByLabel('Description').fill('Half a sentence')
  await page.route('**/*', (route) => route.abort())
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('button', { name: 'Leave page' })).toBeVisible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByLabel('Description')).toHaveValue('Half a sentence')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()

  // When a tab of the settings fails, the header and the tabs stay.
  const nameField = page.getByLabel('Discord username')
  await nameField.fill('half_a_na')
  await page.route('**/*', (route) => route.abort())
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  for (const tab of ['Transfers', 'Activity', /^Delete/]) {
    await tabs.getByRole('link', { name: tab }).click()
    await expect(failed).toBeVisible()
    await expect(tabs.getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page')
  }
  expect(await isSameDocument(), 'the document was not reloaded').toBe(true)
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: /Delete/ }).first()).toBeVisible()
  for (const [tab, title] of [
    ['Activity', 'Activity'],
    ['Transfers', 'Incoming transfers'],
  ] as const) {
    await tabs.getByRole('link', { name: tab }).click()
    await expect(page.getByRole('heading', { name: title, level: 2 })).toBeAttached()
    await expect(failed).toBeHidden()
  }
  expect(await isSameDocument(), 'the document was not reloaded').toBe(true)
})

test('without the code for toasts, the page works and shows no error', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/ERR_FAILED|TypeError: Failed to fetch/)
  await signIn(page, username)
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/toaster-'))
  await page.route('**/assets/toaster-*.js', (route) => route.abort())
  await page.goto('/servers')
  await aborted
  await expect(page.getByText('Put your first server on the list')).toBeVisible()
  // React may show the fallback of a failed part about 300 ms later.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)))
  await expect(page.getByText('Couldn’t load this part.')).toHaveCount(0)
})

test('the error page of a failed call has its status and request ID, and Try again shows the page', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/503 \(|HttpError/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, username)
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

test('after an outage a bar offers to reload, but only if there is a new version of the panel', async ({
  page,
  context,
  username,
  allowBrowserError,
}) => {
  // Code that still loads when the network is lost fails, and is loaded when it is needed.
  allowBrowserError(/ERR_INTERNET_DISCONNECTED|TypeError: Failed to fetch/)
  await startSession(page, username)
  await openAndSettle(page, '/servers', page.getByText('Put your first server on the list'))
  const bar = page.getByText('A new version of the panel is available.')
  const reconnect = async () => {
    await context.setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    const check = page.waitForResponse(`**/servers`)
    await context.setOffline(false)
    await (await check).finished()
    await expect(page.getByText('You are offline.')).toBeHidden()
  }
  await reconnect()
  await expect(bar).toBeHidden()
  await page.route('**/servers', async (route) => {
    if (route.request().isNavigationRequest()) return route.fallback()
    const reply = await route.fetch()
    return route.fulfill({
      response: reply,
      body: (await reply.text()).replaceAll(/\/assets\/panel-[\w-]+\.js/g, '/assets/panel-newer.js'),
    })
  })
  const titleTop = () => page.getByRole('heading', { level: 1 }).evaluate((title) => title.getBoundingClientRect().top)
  const top = await titleTop()
  await reconnect()
  await expect(bar).toBeVisible()
  expect(await titleTop(), 'the bar moves nothing').toBe(top)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the bar of a new version, ${variant}`))
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Reload' }).click()
  await loaded
  await expect(bar).toBeHidden()
})

test('code that cannot be loaded after an update reloads the page', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/ERR_FAILED|TypeError: Failed to fetch/)
  await startSession(page, username)
  await page.goto('/servers')
  await expect(page.getByText('Put your first server on the list')).toBeVisible()
  await page.route('**/assets/shortcut-sheet-*.js', (route) => route.abort())
  await page.route('**/servers', async (route) => {
    // The same page after an update, with another script.
    const reply = await route.fetch()
    const body = (await reply.text()).replaceAll(/\/assets\/panel-[\w-]+\.js/g, '/assets/panel-newer.js')
    return route.request().isNavigationRequest() ? route.fallback() : route.fulfill({ response: reply, body })
  })
  const loaded = page.waitForEvent('load')
  await page.keyboard.press('?')
  await loaded
  await expect(page.getByText('Put your first server on the list')).toBeVisible()
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

test('logging out clears cached data and drafts, and leads to the login page', async ({ page, username }) => {
  await signIn(page, username)
  await createServer(page, { name: `Secret ${username}` })
  await openNewServer(page, `Typed ${username}`)
  await page.reload()
  await expect(page.getByLabel('Name')).toHaveValue(`Typed ${username}`)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  // Nor does the browser's Back button show the data.
  await page.goBack()
  await expect(page).toHaveURL(/\/login(?:\?|$)/)
  await expect(page.getByText(`Secret ${username}`)).toBeHidden()
  await startSession(page, username)
  await page.goto('/servers/new')
  await expect(page.getByLabel('Name')).toHaveValue('')
  await expect(page.getByText('unsaved changes', { exact: false })).toBeHidden()
})
