/** Journeys without a mouse. */
import type { Page } from '@playwright/test'
import { expect, signIn, test, holdRequests } from './journey.ts'

/** Presses Tab until the control with this role and name has the focus. */
async function tabToRole(page: Page, role: 'button' | 'link' | 'textbox', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name })
  for (let step = 0; step < 40; step += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached “${name}”.`)
}

test('a server is created without a mouse', async ({ page, username }) => {
  await page.goto('/login')
  await tabToRole(page, 'button', 'Sign in with Discord')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Another user')).toBeVisible()
  await tabToRole(page, 'textbox', 'Another user')
  await page.keyboard.type(username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Create your first server' })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type(`No mouse ${username}`)
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-credential]')).toBeVisible()
  await tabToRole(page, 'button', 'I have saved it')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Waiting for the first announce…' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/\/servers$/)
})

test('single-key shortcuts can be turned off, and Ctrl+K still opens the command palette', async ({ page, username }) => {
  await signIn(page, username)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.getByRole('switch').uncheck()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/\/$/)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('new serv')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/servers\/new$/)
})

test('keys typed before the command palette has loaded go into its field, and run no shortcut', async ({ page, username }) => {
  await signIn(page, username)
  const release = await holdRequests(page, '**/command-palette*.js', 'GET')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Find anything' })).toBeFocused()
  await page.keyboard.type('new serv')
  await expect(page).toHaveURL(/\/$/)
  release()
  const field = page.getByRole('combobox')
  await expect(field).toHaveValue('new serv')
  await page.keyboard.type('er')
  await expect(field).toHaveValue('new server')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/servers\/new$/)
})
