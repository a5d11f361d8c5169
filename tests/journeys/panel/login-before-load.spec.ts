/** The login button works before its script has loaded. */
import type { Page } from '@playwright/test'
import { errorResponse, expect, holdRequests, test } from '#tests/journeys/journey.ts'

const SCRIPT = '**/assets/login-*.js'

/** Waits for styles and fonts: before, the browser measures a layout that it never paints. */
async function waitForStyles(page: Page) {
  await page.waitForFunction(() => [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].every(({ sheet }) => sheet))
  await page.evaluate(() => document.fonts.ready)
}

for (const [method, press] of [
  ['the mouse', 'click'],
  ['Enter', 'Enter'],
  ['the space bar', 'Space'],
] as const) {
  test(`a sign-in started with ${method} before the script loads is sent once, when it has loaded`, async ({ page, username }) => {
    let requests = 0
    await page.route('**/api/auth/discord', (route) => {
      requests += 1
      return route.continue()
    })
    const release = await holdRequests(page, SCRIPT, 'GET')
    await page.goto('/login?next=%2Fservers%2Fnew', { waitUntil: 'commit' })
    const button = page.getByRole('button', { name: 'Sign in', exact: true })
    const spinner = button.locator('.spinner')
    await expect(button).toBeVisible()
    await waitForStyles(page)
    await expect(spinner).toBeHidden()
    const before = await button.boundingBox()
    // Twice, as impatient users do.
    for (let times = 0; times < 2; times += 1) await (press === 'click' ? button.click({ force: true }) : button.press(press))
    await expect(spinner).toBeVisible()
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    expect(await button.boundingBox()).toEqual(before)
    expect(new URL(page.url()).pathname).toBe('/login')
    release()
    await page.getByLabel('Another user').fill(username)
    expect(requests).toBe(1)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/\/servers\/new$/)
  })
}

test('a sign-in started before the script loads shows its rejection, and can be retried', async ({ page, allowBrowserError }) => {
  allowBrowserError(/503 \(/)
  let isDown = true
  await page.route('**/api/auth/discord', (route) =>
    isDown ? route.fulfill(errorResponse(503, 'Signing in is not possible.')) : route.continue(),
  )
  const release = await holdRequests(page, SCRIPT, 'GET')
  await page.goto('/login', { waitUntil: 'commit' })
  const button = page.getByRole('button', { name: 'Sign in', exact: true })
  await button.click()
  release()
  await expect(page.getByRole('alert')).toHaveText('Signing in is not possible.')
  await expect(button.locator('.spinner')).toBeHidden()
  isDown = false
  await button.click()
  await expect(page.getByLabel('Another user')).toBeVisible()
})

for (const when of ['before', 'after'] as const) {
  test(`pressing the button ${when} the script fails to load reloads the page`, async ({ page, allowBrowserError }) => {
    allowBrowserError(/Failed to load resource|dynamically imported module/)
    let loads = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1
    })
    await page.addInitScript(() =>
      addEventListener('muster:no-script', () => document.documentElement.setAttribute('data-script-failed', '')),
    )
    await page.route(SCRIPT, (route) => (loads === 1 ? route.abort() : route.continue()))
    const release = await holdRequests(page, SCRIPT, 'GET')
    await page.goto('/login', { waitUntil: 'commit' })
    const button = page.getByRole('button', { name: 'Sign in', exact: true })
    await expect(button).toBeVisible()
    if (when === 'before') await button.click()
    release()
    if (when === 'after') {
      await expect(page.locator('html[data-script-failed]')).toBeAttached()
      expect(loads).toBe(1)
      await button.click()
    }
    await expect.poll(() => loads).toBe(2)
    await expect(button.locator('.spinner')).toBeHidden()
    await button.click()
    await expect(page.getByLabel('Another user')).toBeVisible()
  })
}

test('a login page with a reason for signing out appears even if its script fails to load', async ({ page, allowBrowserError }) => {
  allowBrowserError(/Failed to load resource|dynamically imported module/)
  await page.addInitScript(() => sessionStorage.setItem('muster.farewell', 'Your session has ended.'))
  await page.route(SCRIPT, (route) => route.abort(), { times: 1 })
  await page.goto('/login', { waitUntil: 'commit' })
  const button = page.getByRole('button', { name: 'Sign in', exact: true })
  await expect(button).toBeVisible()
  // It reloads the page.
  await button.click()
  await expect(page.getByText('Your session has ended.')).toBeVisible()
})
