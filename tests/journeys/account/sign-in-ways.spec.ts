/** Sign-in by two providers of OpenID Connect: the login page, linking and unlinking on the profile, and a recovery link. */
import type { Page } from '@playwright/test'
import { type FakeOidc, SESSION_COOKIE, startFakeOidc } from '#tests/fakes/fake-oidc.ts'
import { expect, expectAccessible, startSession, test as base } from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { idOf, onDesktopAndNarrowPhone } from '#tests/journeys/users.ts'
import { discard, type Program, runCommand, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'

interface Providers {
  readonly main: FakeOidc
  readonly spare: FakeOidc
}

const test = base.extend<object, { providers: Providers; program: Program }>({
  providers: [
    async ({ browserName: _browser }, provide) => {
      const providers = { main: await startFakeOidc(), spare: await startFakeOidc() }
      await provide(providers)
      await Promise.all([providers.main.close(), providers.spare.close()])
    },
    { scope: 'worker' },
  ],
  program: [
    async ({ providers: { main, spare } }, provide) => {
      const folder = temporaryFolder()
      const variables = { ...main.variables('MAIN', { LABEL: 'Main ID' }), ...spare.variables('SPARE', { LABEL: 'Spare ID' }) }
      const program = await startProgram(folder, variables)
      try {
        await untilReady(program)
        await main.allow(`${program.panelUrl}/login/main/callback`)
        await spare.allow(`${program.panelUrl}/login/spare/callback`)
        await provide(program)
      } finally {
        discard(folder, program)
      }
    },
    { scope: 'worker' },
  ],
})

const waysOn = (page: Page) => page.getByRole('region', { name: 'Ways to sign in' })
const way = (page: Page, label: string) => waysOn(page).getByRole('listitem').filter({ hasText: label })

/** Otherwise a provider remembers whom it signed in last. */
const signOutAtProviders = (page: Page) => page.context().clearCookies({ name: SESSION_COOKIE })

test('a visitor signs in by another provider, also while one is down', async ({ page, providers, username, allowBrowserError }) => {
  allowBrowserError(/502 \(Bad Gateway\)/)
  await page.goto('/login')
  const buttons = page.locator('main').getByRole('button', { name: /^Sign in/ })
  await expect(buttons).toHaveText(['Sign in', 'Sign in with Main ID', 'Sign in with Spare ID'])
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `login, ${variant}`))

  providers.main.isDown = true
  await buttons.nth(1).click()
  await expect(page.getByRole('alert')).toHaveText('Main ID can’t be reached. Try again in a moment, or sign in another way.')
  providers.main.isDown = false
  providers.spare.user = { sub: username, preferred_username: username }
  await tabTo(page, buttons.nth(2))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/')

  await page.goto('/settings/profile')
  await expect(page.getByText('Your name comes from the provider that you sign in with.')).toBeVisible()
  await expect(page.getByText(/^oidc:/)).toBeVisible()
  await expect(way(page, 'Spare ID')).toContainText('Your only way to sign in')
  await expect(waysOn(page).getByRole('button')).toHaveText(['Link', 'Link'])
})

test('a provider that rejects the sign-in, and a callback without one, show a sentence', async ({ page }) => {
  await page.goto('/login/main/callback?error=invalid_scope&state=x')
  await expect(page.getByRole('alert')).toContainText('The identity provider reported an error: invalid_scope.')
  await page.goto('/login/main/callback')
  await expect(page.getByRole('alert')).toContainText('This page only completes a sign-in.')
})

test('a user links a second way in, signs in by it, and unlinks it', async ({ page, providers, username, signInAs, allowBrowserError }) => {
  allowBrowserError(/409 \(Conflict\)|403 \(Forbidden\)/)
  await startSession(page, username)
  await page.goto('/settings/profile')
  await expect(way(page, 'Discord')).toContainText('Your only way to sign in')
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `profile before linking, ${variant}`))

  // An identity of another account is not linked, and the profile says why.
  const other = await signInAs(`${username}other`)
  providers.main.user = { sub: 'of another', preferred_username: 'another' }
  await other.goto('/settings/profile')
  await other.getByRole('button', { name: 'Link Main ID' }).click()
  await expect(way(other, 'Main ID')).toContainText('another')
  await page.getByRole('button', { name: 'Link Main ID' }).click()
  await expect(page.getByRole('heading', { name: 'It was not linked' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('This Main ID account belongs to another account here.')
  await expectAccessible(page, 'failed linking')
  await page.getByRole('link', { name: 'Back to your profile' }).click()

  await signOutAtProviders(page)
  providers.main.user = { sub: username, preferred_username: `${username} at main` }
  await tabTo(page, page.getByRole('button', { name: 'Link Main ID' }))
  await page.keyboard.press('Enter')
  await expect(way(page, 'Main ID')).toContainText(`${username} at main`)
  expect(new URL(page.url()).pathname).toBe('/settings/profile')
  await expect(way(page, 'Discord').getByRole('button', { name: 'Unlink Discord…' })).toBeVisible()
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `profile with two ways, ${variant}`))

  const id = await idOf(page)
  await page.context().clearCookies()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with Main ID' }).click()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  expect(await idOf(page)).toBe(id)

  await page.goto('/settings/profile')
  await page.getByRole('button', { name: 'Unlink Main ID…' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Unlink Main ID?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `unlinking, ${variant}`))
  await dialog.getByRole('button', { name: 'Unlink' }).click()
  await expect(dialog).toBeHidden()
  await expect(way(page, 'Main ID')).toContainText('Not linked')
  await expect(way(page, 'Discord')).toContainText('Your only way to sign in')
  await page.goto('/settings/activity')
  await expect(page.getByText('You unlinked one of the ways to sign in to your account')).toBeVisible()

  const admin = await signInAs('admin')
  await admin.goto(`/admin/users/${await idOf(other)}`)
  await expect(admin.getByText('Discord and Main ID (another)')).toBeVisible()
})

test('a locked-out user signs in by a recovery link, once, and only by the button', async ({
  page,
  program,
  username,
  signInAs,
  allowBrowserError,
}) => {
  allowBrowserError(/400 \(Bad Request\)/)
  const id = await idOf(await signInAs(username))
  const { code, output } = await runCommand(['users', 'recover', id], { DATA_DIR: program.folder, PORT: new URL(program.panelUrl).port })
  expect(code, output).toBe(0)
  const path = /\/login\/recovery#\S+/.exec(output)?.[0] ?? ''
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto('about:blank')
    await page.goto(path)
  }
  await expect(page.getByRole('heading', { name: 'Recover your account' })).toBeVisible()
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `recovery, ${variant}`))
  await tabTo(page, page.getByRole('button', { name: 'Sign in' }))
  await page.keyboard.press('Enter')
  await expect(waysOn(page)).toBeVisible()
  expect(await idOf(page)).toBe(id)
  expect(page.url()).not.toContain('#')

  await page.context().clearCookies()
  await page.goto('about:blank')
  await page.goto(path)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText('This link expired, was used, or was replaced by a newer one.')
  await page.goto('about:blank')
  await page.goto('/login/recovery')
  await expect(page.getByText('This link is incomplete.')).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
})
