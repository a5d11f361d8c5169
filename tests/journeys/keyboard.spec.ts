import type { Page } from '@playwright/test'
import { expect, signIn, test, whileHeld } from './journey.ts'

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, role: 'button' | 'link' | 'textbox', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name })
  for (let step = 0; step < 40; step += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached “${name}”.`)
}

test('a server is created without a mouse', async ({ page, username }) => {
  await page.goto('/login')
  await tabTo(page, 'button', 'Sign in with Discord')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Another user')).toBeVisible()
  await tabTo(page, 'textbox', 'Another user')
  await page.keyboard.type(username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Create your first server' })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type(`No mouse ${username}`)
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-credential]')).toBeVisible()
  await tabTo(page, 'button', 'I have saved it')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Waiting for the first announce…' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/\/servers$/)
})

test('the shortcut sheet, the palette, and no single keys when they are off', async ({ page, username }) => {
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

test('keys typed before the palette opens go into it, and run no command', async ({ page, username }) => {
  await signIn(page, username)
  const letGo = await whileHeld(page, '**/command-palette*.js', 'GET')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Find anything' })).toBeFocused()
  await page.keyboard.type('new serv')
  await expect(page).toHaveURL(/\/$/)
  letGo()
  const field = page.getByRole('combobox')
  await expect(field).toHaveValue('new serv')
  await page.keyboard.type('er')
  await expect(field).toHaveValue('new server')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/servers\/new$/)
})
