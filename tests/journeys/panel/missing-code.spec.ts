/** Code that cannot be loaded: dialogs, pages, toasts, and a new version of the panel. */
import { createServer, expect, expectAccessible, openAndSettle, startSession, test } from '#tests/journeys/journey.ts'
import { onDesktopAndPhone } from '#tests/journeys/users.ts'

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

test('without the code that loads after the first page, the page works and shows no error', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/ERR_FAILED|TypeError: Failed to fetch/)
  await startSession(page, username)
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/after-first-page-'))
  await page.route('**/assets/after-first-page-*.js', (route) => route.abort())
  await page.goto('/servers')
  await aborted
  await expect(page.getByText('Put your first server on the list')).toBeVisible()
  // React may show the fallback of a failed part about 300 ms later.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)))
  await expect(page.getByText('Couldn’t load this part.')).toHaveCount(0)
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
