/** The login page works before its script loads: an early press counts. */
import type { Page } from '@playwright/test'
import { expect, test, whileHeld } from './journey.ts'

const SCRIPT = '**/assets/login-*.js'

/** Hides the page until its style loads: the browser paints nothing before, but would already measure. */
async function whenStyled(page: Page) {
  await page.waitForFunction(() => [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].every(({ sheet }) => sheet))
  await page.evaluate(() => document.fonts.ready)
}

for (const [how, press] of [
  ['the mouse', 'click'],
  ['Enter', 'Enter'],
  ['the space bar', 'Space'],
] as const) {
  test(`a sign-in started with ${how} before the script loads continues once it has loaded`, async ({ page, username }) => {
    let asked = 0
    await page.route('**/api/auth/discord', (route) => {
      asked += 1
      return route.continue()
    })
    const letGo = await whileHeld(page, SCRIPT, 'GET')
    await page.goto('/login?next=%2Fservers%2Fnew', { waitUntil: 'commit' })
    const button = page.getByRole('button', { name: 'Sign in with Discord' })
    const spinner = button.locator('.spinner')
    await expect(button).toBeVisible()
    await whenStyled(page)
    await expect(spinner).toBeHidden()
    const before = await button.boundingBox()
    // Twice, as users do when nothing seems to happen.
    for (let times = 0; times < 2; times += 1) await (press === 'click' ? button.click({ force: true }) : button.press(press))
    await expect(spinner).toBeVisible()
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    expect(await button.boundingBox()).toEqual(before)
    expect(new URL(page.url()).pathname).toBe('/login')
    letGo()
    await page.getByLabel('Another user').fill(username)
    expect(asked).toBe(1)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/\/servers\/new$/)
  })
}

test('a sign-in started before the script loads and then rejected says so, and can be started again', async ({ page, expectComplaint }) => {
  expectComplaint(/503 \(/)
  let isDown = true
  await page.route('**/api/auth/discord', (route) =>
    isDown
      ? route.fulfill({ status: 503, json: { statusCode: 503, errors: ['Signing in is not possible.'], isBusiness: false } })
      : route.continue(),
  )
  const letGo = await whileHeld(page, SCRIPT, 'GET')
  await page.goto('/login', { waitUntil: 'commit' })
  const button = page.getByRole('button', { name: 'Sign in with Discord' })
  await button.click()
  letGo()
  await expect(page.getByRole('alert')).toHaveText('Signing in is not possible.')
  await expect(button.locator('.spinner')).toBeHidden()
  isDown = false
  await button.click()
  await expect(page.getByLabel('Another user')).toBeVisible()
})

for (const when of ['before', 'after'] as const) {
  test(`the button pressed ${when} the script failed to load reloads the page`, async ({ page, expectComplaint }) => {
    expectComplaint(/Failed to load resource|dynamically imported module/)
    let loads = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1
    })
    await page.addInitScript(() => addEventListener('muster:no-script', () => document.documentElement.setAttribute('data-alone', '')))
    await page.route(SCRIPT, (route) => (loads === 1 ? route.abort() : route.continue()))
    const letGo = await whileHeld(page, SCRIPT, 'GET')
    await page.goto('/login', { waitUntil: 'commit' })
    const button = page.getByRole('button', { name: 'Sign in with Discord' })
    await expect(button).toBeVisible()
    if (when === 'before') await button.click()
    letGo()
    if (when === 'after') {
      await expect(page.locator('html[data-alone]')).toBeAttached()
      expect(loads).toBe(1)
      await button.click()
    }
    await expect.poll(() => loads).toBe(2)
    await expect(button.locator('.spinner')).toBeHidden()
    await button.click()
    await expect(page.getByLabel('Another user')).toBeVisible()
  })
}
