/** Profile, preferences and sessions, with two browsers of one user. */
import type { Page } from '@playwright/test'
import { createServer, expect, expectAccessible, startSession, test } from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { onDesktopAndPhone, send } from '#tests/journeys/users.ts'

const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme'])

/** No part of the page is wider than the screen. */
async function expectFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
}

test('a user signs out another browser, then all others', async ({ page, openPanelAs, username, allowBrowserError }) => {
  allowBrowserError(/403 \(Forbidden\)/)
  await startSession(page, username)
  const other = await openPanelAs(username)
  await page.goto('/settings/sessions')
  const list = page.getByRole('region', { name: 'Where you’re signed in' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  const own = list.getByRole('listitem').first()
  await expect(own).toContainText('This browser')
  await expect(own).toContainText('Active now')
  await expect(list).toContainText('127.0.0.•')
  await expect(list).not.toContainText('127.0.0.1')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `sessions, ${variant}`))
  await page.setViewportSize({ width: 320, height: 844 })
  await expectFits(page)
  await expectAccessible(page, 'sessions, 320')
  await page.setViewportSize({ width: 1440, height: 900 })

  await list.getByRole('listitem').nth(1).getByRole('button').click()
  await expect(other).toHaveURL(/\/login/)
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list.getByRole('heading')).toBeFocused()
  await expect(list.getByRole('button', { name: 'Sign out everywhere else…' })).toBeHidden()

  const [second, third] = [await openPanelAs(username), await openPanelAs(username)]
  await page.goto('/settings/sessions')
  await expect(list.getByRole('listitem')).toHaveCount(3)
  // By keyboard.
  await tabTo(page, list.getByRole('button', { name: 'Sign out everywhere else…' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Sign out everywhere else?' })
  await expect(dialog).toContainText('This signs out 2 other browsers at once.')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `ending all other sessions, ${variant}`))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  for (const lost of [second, third]) await expect(lost).toHaveURL(/\/login/)

  await page.goto('/settings/activity')
  await expect(page.getByText('You ended one of your sessions')).toBeVisible()
  await expect(page.getByText('You ended all of your other sessions')).toBeVisible()

  await page.goto('/settings/sessions')
  await list.getByRole('button', { name: 'Sign out this browser' }).click()
  await expect(page).toHaveURL(/\/login/)
})

test('the theme follows the account to another browser, and is there at the first paint of the next page', async ({
  page,
  openPanelAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/ERR_FAILED .*\.js$|dynamically imported module/)
  await page.emulateMedia({ colorScheme: 'light' })
  await startSession(page, username)
  const other = await openPanelAs(username)
  await page.goto('/settings/preferences')
  const themes = page.getByRole('group', { name: 'Theme' })
  await expect(themes.getByRole('radio', { name: 'System' })).toBeChecked()
  expect(await theme(page)).toBe('light')
  // By keyboard.
  await tabTo(page, themes.getByRole('radio', { name: 'System' }))
  await page.keyboard.press('ArrowRight')
  await expect(themes.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect.poll(() => theme(page)).toBe('dark')
  await expect.poll(() => theme(other)).toBe('dark')
  await expect.poll(async () => (await send<{ theme: string }>(page, 'GET /api/users/preferences')).theme).toBe('dark')

  // Without the panel's code: only the script in the page's head runs.
  await page.route('**/*.js', (route) => (/theme/.test(route.request().url()) ? route.continue() : route.abort()))
  await page.goto('/settings/preferences', { waitUntil: 'commit' }).catch(() => undefined)
  await expect.poll(() => theme(page)).toBe('dark')
  await page.unroute('**/*.js')

  await other.getByRole('button', { name: 'Your account' }).click()
  await expect(other.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
  await other.getByRole('menuitemradio', { name: 'Light' }).click()
  await expect.poll(() => theme(other)).toBe('light')
  await page.goto('/settings/preferences')
  await expect(themes.getByRole('radio', { name: 'Light' })).toBeChecked()
  await expect.poll(() => theme(page)).toBe('light')
})

test('the chosen time zone changes the times of every page, on every device', async ({ page, signInAs, username }) => {
  await startSession(page, username)
  await createServer(page, { name: `Clock ${username}` })
  const other = await signInAs(username)
  await other.goto('/settings/activity')
  await page.goto('/settings/preferences')
  const zone = page.getByLabel('Time zone')
  await expect(zone).toHaveValue('')
  const timeIn = (timeZone: string) =>
    page.evaluate(
      (name) => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: name }).format(Date.now()),
      timeZone,
    )
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `preferences, ${variant}`))
  await page.setViewportSize({ width: 320, height: 844 })
  await expectFits(page)
  await expectAccessible(page, 'preferences, 320')
  await page.setViewportSize({ width: 1440, height: 900 })
  const tip = other
    .getByText('Server created')
    .or(other.getByText(`You created Clock ${username}`))
    .first()
  await expect(tip).toBeVisible()
  // Of the oldest entry, because each change adds one.
  const oldestTime = () => other.locator('main time').last().getAttribute('data-tip')
  const before = await oldestTime()

  await zone.selectOption('Asia/Kathmandu')
  await expect(page.getByText(/^It is .* there/)).toContainText(`It is ${await timeIn('Asia/Kathmandu')} there`)
  await expect.poll(oldestTime).not.toBe(before)
  const [iso, shown] = await other
    .locator('main time')
    .first()
    .evaluate((time) => [time.getAttribute('datetime') ?? '', time.getAttribute('data-tip') ?? ''])
  expect(shown).toBe(
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Asia/Kathmandu' }).format(new Date(iso)),
  )

  await page.reload()
  await expect(zone).toHaveValue('Asia/Kathmandu')
  await zone.selectOption('')
  await expect.poll(oldestTime).toBe(before)
})

test('preferences that cannot be saved go back, with the reason', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/400 \(Bad Request\)/)
  await page.emulateMedia({ colorScheme: 'dark' })
  await startSession(page, username)
  await page.goto('/settings/preferences')
  await page.route('**/api/users/preferences', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 400, json: { statusCode: 400, errors: ['Not today.'], isBusiness: false } })
      : route.continue(),
  )
  await page.getByRole('radio', { name: 'Light' }).click()
  await expect(page.getByText('Not today.')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'System' })).toBeChecked()
  expect(await theme(page)).toBe('dark')
})

test('the profile shows who the account is and what it uses', async ({ page, username }) => {
  await startSession(page, username)
  await createServer(page, { name: `Profile ${username}` })
  await page.goto('/settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Profile' }).click()
  await expect(page).toHaveTitle('Profile · Muster')
  const card = page.getByRole('region', { name: username })
  await expect(card).toContainText('To refresh them, sign out and sign in again.')
  await expect(card.getByRole('button', { name: 'Copy the Discord ID' })).toBeVisible()
  const limits = page.getByRole('region', { name: 'Limits' })
  await expect(limits).toContainText('1 of 3')
  await expect(limits).toContainText('0 of 2')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `profile, ${variant}`))
  await page.setViewportSize({ width: 320, height: 844 })
  await expectFits(page)
  await expectAccessible(page, 'profile, 320')
})
