/** Journeys without a mouse. */
import { createServer, expect, signIn, startSession, test } from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'

test('a server is created without a mouse', async ({ page, username }) => {
  await page.goto('/login')
  await tabTo(page, page.getByRole('button', { name: 'Sign in', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Another user')).toBeVisible()
  await tabTo(page, page.getByRole('textbox', { name: 'Another user' }))
  await page.keyboard.type(username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Create your first server' })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type(`No mouse ${username}`)
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-credential]')).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'I have saved it' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Waiting for the first announce…' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/\/servers$/)
})

test('a shortcut pressed at the moment when the page takes keys is not lost', async ({ page, username }) => {
  await startSession(page, username)
  await page.addInitScript(() => {
    // Called before the panel is painted.
    const observer = new MutationObserver(() => {
      if (!document.getElementById('main')) return
      observer.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true }))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await page.goto('/servers')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
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

test('the command palette ranks contiguous matches first, and each entry is one action', async ({ page, username }) => {
  await startSession(page, username)
  const { public_id: id } = await createServer(page, { name: `Frontier RP ${username}` })
  await page.goto('/servers')
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible()
  const choose = async (typed: string, text: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(typed)
    await expect(page.getByRole('option').first()).toHaveText(text)
    await page.keyboard.press('Enter')
  }
  await choose('reiss', `Frontier RP ${username}: reissue credential`)
  await expect(page).toHaveURL(new RegExp(`/servers/${id}#credential$`))
  await expect(page.locator('#credential')).toBeFocused()
  await choose('rp delete', `Frontier RP ${username}: delete`)
  await expect(page).toHaveURL(new RegExp(`/servers/${id}\\?tab=danger#danger-delete$`))
  await expect(page.locator('#danger-delete')).toBeFocused()
  await choose('rp why', `Frontier RP ${username}: why it isn’t listed`)
  await expect(page.locator('#why')).toBeFocused()
  await choose('rp share', `Frontier RP ${username}: share`)
  await expect(page.getByRole('dialog', { name: `Share Frontier RP ${username}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`/servers/${id}$`))
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
  for (const name of ['dark', 'light'] as const) {
    await choose(`${name} theme`, `Switch to the ${name} theme`)
    await expect.poll(theme).toBe(name)
  }
  // Letters that are scattered over a text find nothing.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('fnrp')
  await expect(page.getByRole('option')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await choose('sign out', 'Log out')
  await expect(page).toHaveURL(/\/login/)
})

test('the palette leads to the download of all data', async ({ page, username }) => {
  await startSession(page, username)
  await page.goto('/servers')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('download your data')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Download your data' })).toBeFocused()
})
