/** API keys in the settings: creating, using and revoking them. */
import type { Page } from '@playwright/test'
import { createServer, expect, expectAccessible, startSession, test } from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { onDesktopAndPhone, send } from '#tests/journeys/users.ts'

const NO_KEY = /401 \(Unauthorized\)/

async function open(page: Page): Promise<void> {
  await page.goto('/settings/api-keys')
  await expect(page.getByRole('heading', { name: 'Your API keys' })).toBeVisible()
}

/** Calls the API as a program, without the cookie of the page. */
async function callWith(page: Page, key: string): Promise<number> {
  const reply = await fetch(new URL('/api/users/tokens', page.url()), { headers: { authorization: `Bearer ${key}` } })
  await reply.body?.cancel()
  return reply.status
}

async function expectNoSidewaysOverflow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 700 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(overflow).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('a user creates a key, copies it, calls the API with it, and revokes it', async ({ page, username, allowBrowserError, context }) => {
  allowBrowserError(NO_KEY)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await startSession(page, username)
  await createServer(page, { name: `Keyed ${username}` })
  await open(page)
  await expect(page).toHaveTitle('API keys · Muster')
  const list = page.getByRole('region', { name: 'Your API keys' })
  await expect(list).toContainText('No API keys yet.')
  await expect(list).toContainText('Authorization: Bearer $MUSTER_API_KEY')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `no keys, ${variant}`))
  await expectNoSidewaysOverflow(page)

  await list.getByRole('button', { name: 'Create API key' }).click()
  const form = page.getByRole('form', { name: 'New API key' })
  const name = form.getByLabel('Name')
  await expect(name).toBeFocused()
  await form.getByRole('checkbox', { name: 'Read servers' }).uncheck()
  await form.getByRole('button', { name: 'Create API key' }).click()
  await expect(name).toHaveAccessibleDescription('Name is required.')
  await expect(name).toBeFocused()
  await expect(form).toContainText('Choose at least one scope.')
  await name.fill('Build server')
  await form.getByLabel('Expires').selectOption('custom')
  await form.getByLabel('Days (1 to 365)').fill('366')
  await expect(form.getByLabel('Days (1 to 365)')).toHaveAccessibleDescription('Enter a whole number from 1 to 365.')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `errors, ${variant}`))
  await expectNoSidewaysOverflow(page)
  await form.getByLabel('Days (1 to 365)').fill('3')
  await form.getByRole('checkbox', { name: 'Read servers' }).check()
  await form.getByRole('checkbox', { name: 'Read player history' }).check()
  await form.getByRole('button', { name: 'Create API key' }).click()

  const created = page.getByRole('region', { name: 'API key created' })
  await expect(created.getByRole('heading', { name: 'API key created' })).toBeFocused()
  await expect(created).toContainText('It is shown only once.')
  const key = await created.locator('[data-secret]').innerText()
  expect(key).toMatch(/^msk_[0-9A-Za-z]{8}_[0-9A-Za-z]{36}$/)
  await created.getByRole('button', { name: 'Copy key' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a new key, ${variant}`))
  await expectNoSidewaysOverflow(page)
  expect(await callWith(page, key)).toBe(200)

  // Leaving would lose the key.
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Activity' }).click()
  const warning = page.getByRole('alertdialog', { name: 'Leave without the key?' })
  await warning.getByRole('button', { name: 'Stay on this page' }).click()
  await created.getByRole('button', { name: 'I have copied it' }).click()
  await expect(list.getByRole('heading', { name: 'Your API keys' })).toBeFocused()
  await expect(page.locator('body')).not.toContainText(key)

  const row = list.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Build server' }) })
  await expect(row).toContainText(`${key.slice(0, 12)}_…`)
  await expect(row.getByRole('list', { name: 'What Build server may do' })).toHaveText('Read serversRead player history')
  await expect(row).toContainText(/Expires soon: in (2|3) days/)
  await page.reload()
  await expect(row).toContainText('Last used')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a key, ${variant}`))
  await expectNoSidewaysOverflow(page)

  await row.getByRole('button', { name: 'Revoke Build server' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Revoke Build server?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page, 'revoking')
  await dialog.getByRole('button', { name: 'Revoke API key' }).click()
  await expect(list).toContainText('No API keys yet.')
  await expect(list.getByRole('heading', { name: 'Your API keys' })).toBeFocused()
  expect(await callWith(page, key)).toBe(401)
  await page.goto('/settings/activity')
  await expect(page.getByRole('main')).toContainText('You revoked an API key')
})

test('a rejected key keeps the input, and keys from other windows appear at once', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/403 \(Forbidden\) .*api-keys/)
  await startSession(page, username)
  await open(page)
  await page.getByRole('button', { name: 'Create API key' }).click()
  const form = page.getByRole('form', { name: 'New API key' })
  await form.getByLabel('Name').fill('One too many')
  const body = { name: 'Script', scopes: ['servers:read'], expires_in_days: 30 }
  for (let count = 0; count < 20; count += 1) await send(page, 'POST /api/users/api-keys', body)
  const list = page.getByRole('region', { name: 'Your API keys' })
  await expect(list.getByRole('heading', { name: 'Script' })).toHaveCount(20)
  await expect(list).toContainText('You have reached your limit of 20 API keys.')
  await form.getByRole('button', { name: 'Create API key' }).click()
  await expect(form.getByRole('alert')).toHaveText('You have reached your limit of 20 API keys. Revoke one first.')
  await expect(form.getByLabel('Name')).toHaveValue('One too many')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(list.getByRole('heading', { name: 'Your API keys' })).toBeFocused()
})

test('a key can be created with the keyboard alone', async ({ page, username }) => {
  await startSession(page, username)
  await open(page)
  await tabTo(page, page.getByRole('button', { name: 'Create API key' }))
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'New API key' })
  await expect(form.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Bot')
  await tabTo(page, form.getByRole('checkbox', { name: 'Change servers' }))
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  const created = page.getByRole('region', { name: 'API key created' })
  await tabTo(page, created.getByRole('button', { name: 'I have copied it' }))
  await page.keyboard.press('Enter')
  const chips = page.getByRole('list', { name: 'What Bot may do' })
  await expect(chips).toHaveText('Read serversChange servers')
})
