/** Webhooks: creating, testing, the delivery log, secrets, and the alerts of a server. */
import type { Page } from '@playwright/test'
import { Webhook as Verifier } from 'standardwebhooks'
import { createServer, expect, expectAccessible, fieldErrorResponse, openAndSettle, startSession } from '#tests/journeys/journey.ts'
import { onDesktopAndPhone, send } from '#tests/journeys/users.ts'
import { test, createWebhook } from './webhook-receiver.ts'

const DISCORD_URL = 'https://discord.com/api/webhooks/123456/abcDEF-ghi'

/** The narrowest phone. */
async function expectFitsNarrowPhone(page: Page, where: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page, `${where} at 320`)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const row = (page: Page, event: string) => page.getByRole('row').filter({ hasText: event })

test('without webhooks, the page shows a sample alert and the next step', async ({ page, username }) => {
  await startSession(page, username)
  await page.goto('/settings/webhooks')
  await expect(page).toHaveTitle('Webhooks · Muster')
  await expect(page.getByRole('figure', { name: 'What an alert looks like in Discord' })).toContainText('Server offline')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `no webhooks, ${variant}`))
  await page.getByRole('link', { name: 'New webhook' }).click()
  await expect(page).toHaveURL(/\/settings\/webhooks\/new$/)
  await expect(page.getByRole('radio', { name: 'Discord' })).toBeChecked()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.type('webhooks')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/settings\/webhooks$/)
})

test('a Discord alert is created for one server, errors keep the input, and drafts survive', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/400 \(Bad Request\)/)
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Alert ${username}` })
  await createServer(page, { name: `Other ${username}` })
  await page.goto(`/servers/${public_id}`)
  const card = page.getByRole('region', { name: 'Alerts' })
  await card.getByRole('link', { name: 'Add Discord alert' }).click()
  await expect(page).toHaveURL(new RegExp(`/settings/webhooks/new\\?server=${public_id}$`))
  await expect(page.getByRole('radio', { name: 'Selected servers' })).toBeChecked()
  await expect(page.getByLabel('Name')).toHaveValue(`Alert ${username}`)

  const create = page.getByRole('button', { name: 'Create webhook' })
  await create.click()
  const url = page.getByLabel('Discord webhook URL')
  await expect(url).toBeFocused()
  await expect(url).toHaveAccessibleDescription('URL is required.')
  await url.fill('https://example.com/hook')
  await page.getByLabel('Alert when silent for').fill('0')
  await create.click()
  await expect(url).toHaveAccessibleDescription(/^URL must be a Discord webhook/)
  await expect(page.getByLabel('Alert when silent for')).toHaveAccessibleDescription(/^Choose a whole number, from .* to 24 hours\.$/)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `webhook errors, ${variant}`))
  await expectFitsNarrowPhone(page, 'webhook errors')
  await url.fill(DISCORD_URL)
  await page.getByLabel('Alert when silent for').fill('5')

  // Leaving asks first; a reload restores the draft.
  await page.getByRole('link', { name: 'Benefits' }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
  await page.reload()
  await expect(page.getByText('Unsaved changes restored')).toBeVisible()
  await expect(url).toHaveValue(DISCORD_URL)

  await page.route('**/api/users/webhooks', (route) =>
    route.fulfill(fieldErrorResponse(400, 'url', 'This address is not on the public internet.')),
  )
  await create.click()
  await expect(url).toHaveAccessibleDescription('This address is not on the public internet.')
  await expect(url).toHaveValue(DISCORD_URL)
  await page.unroute('**/api/users/webhooks')
  await create.click()
  await expect(page.getByRole('region', { name: 'Webhook created' }).getByRole('button', { name: 'Send test' })).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a new Discord alert, ${variant}`))
  await page.getByRole('button', { name: 'Open webhook' }).click()
  await expect(page.getByRole('heading', { name: `Alert ${username}` })).toBeVisible()
  await expect(page).toHaveTitle(`Alert ${username} · Muster`)
  await expect(page.getByRole('region', { name: 'Signing secret' })).toBeHidden()
  await expect(page.getByLabel('Alert when silent for')).toHaveValue('5')

  await page.goto('/settings/webhooks')
  await expect(page.getByText('1 of 10')).toBeVisible()
  await expect(
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: `Alert ${username}` }),
  ).toContainText('discord.com')
  await page.goto(`/servers/${public_id}`)
  await expect(card.getByRole('link', { name: `Alert ${username}` })).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the alerts of a server, ${variant}`))
})

test('a standard webhook shows its secret once, and tests and events arrive signed', async ({ page, username, receiver }) => {
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Signed ${username}` })
  await page.goto('/settings/webhooks/new')
  await page.getByRole('radio', { name: 'Standard webhook' }).check()
  await page.getByLabel('URL', { exact: true }).fill(receiver.url)
  await page.getByLabel('Name').fill('My program')
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await expect(page.getByText('Enter a number of players.')).toBeHidden()
  await page.getByLabel('Alert above this many players').fill('100')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const secret = await page.locator('[data-secret]').textContent()
  expect(secret).toMatch(/^whsec_/)
  receiver.status = 500
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByText('The test failed')).toBeVisible()
  receiver.body = '{"ok":true}'
  receiver.status = 200
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByText('The test arrived')).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a new secret, ${variant}`))
  await page.getByRole('link', { name: 'Benefits' }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByRole('heading', { name: 'My program' })).toBeVisible()
  await expect(page.locator('[data-secret]')).toBeHidden()

  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByText('The test arrived')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Status 200 in' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Response body' })).toContainText('"ok": true')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a test that arrived, ${variant}`))
  const [test] = receiver.requests
  expect(() => new Verifier(secret ?? '').verify(test?.body ?? '', test?.headers ?? {})).not.toThrow()

  const { pathname } = new URL(page.url())
  await openAndSettle(page, `${pathname}?tab=deliveries`, row(page, 'Test').first())
  await send(page, `PATCH /api/users/tokens/${public_id}`, { description: 'Changed' })
  const delivered = row(page, 'Server changed')
  await expect(delivered).toContainText('Delivered')
  await expect(delivered).toContainText(`Signed ${username}`)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `deliveries, ${variant}`))
  await expectFitsNarrowPhone(page, 'deliveries')
})

test('a failed test says why, also without any reply', async ({ page, username, receiver }) => {
  await startSession(page, username)
  const { id } = await createWebhook(page, { name: 'Broken', url: receiver.url })
  receiver.status = 500
  receiver.body = 'out of order'
  await page.goto(`/settings/webhooks/${id}`)
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByText('The test failed')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Response body' })).toHaveText('out of order')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a test that failed, ${variant}`))
  receiver.close()
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'No response after' })).toBeVisible()
})
