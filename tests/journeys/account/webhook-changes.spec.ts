/** A webhook after its creation: failed deliveries, changes, and why it is disabled. */
import type { Page } from '@playwright/test'
import { createServer, expect, expectAccessible, openAndSettle, startSession } from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { onDesktopAndPhone, send } from '#tests/journeys/users.ts'
import { test, createWebhook } from './webhook-receiver.ts'

const row = (page: Page, event: string) => page.getByRole('row').filter({ hasText: event })

test('a failed delivery can be read and retried, with the keyboard', async ({ page, username, receiver }) => {
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Retry ${username}` })
  const { id } = await createWebhook(page, { name: 'Flaky', url: receiver.url })
  receiver.status = 503
  receiver.body = '{"error":"down"}'
  await openAndSettle(page, `/settings/webhooks/${id}?tab=deliveries`, page.getByText('No deliveries yet').last())
  await send(page, `PATCH /api/users/tokens/${public_id}`, { description: 'Changed' })
  await expect(row(page, 'Server changed')).toContainText('Retrying')
  await page.getByRole('link', { name: 'Failed (1)' }).click()
  await expect(page).toHaveURL(/status=failed/)

  const link = page.getByRole('link', { name: 'Server changed' })
  await tabTo(page, link)
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Server changed' })
  await expect(panel).toContainText('Status 503')
  await expect(panel.getByRole('region', { name: 'Response body' })).toContainText('"error": "down"')
  await expect(panel.getByRole('region', { name: 'Request body' })).toContainText('"type": "server.updated"')
  await expect(panel).toContainText('webhook-id')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a failed delivery, ${variant}`))

  receiver.status = 204
  receiver.body = ''
  await panel.getByRole('button', { name: 'Retry now' }).click()
  await expect(panel).toContainText('Delivered')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(page.getByText('No failed deliveries')).toBeVisible()
  await page.getByRole('link', { name: 'Show all' }).click()
  await expect(row(page, 'Server changed')).toContainText('Delivered')
})

test('changes are saved, the secret is replaced, and the webhook is disabled, enabled and deleted', async ({
  page,
  username,
  receiver,
}) => {
  await startSession(page, username)
  const { id } = await createWebhook(page, { name: 'Old name', url: receiver.url })
  await page.goto(`/settings/webhooks/${id}`)
  await page.getByLabel('Name').fill('New name')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'New name' })).toBeVisible()
  await expect(page.getByText('Unsaved changes')).toBeHidden()

  const card = page.getByRole('region', { name: 'Signing secret' })
  await card.getByRole('button', { name: 'Replace secret…' }).click()
  await expectAccessible(page, 'replacing a secret')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replace secret' }).click()
  await expect(card.locator('[data-secret]')).toHaveText(/^whsec_/)
  await expect(card).toContainText('For 24 hours')
  await card.getByRole('button', { name: 'I have copied it' }).click()
  await expect(card.locator('[data-secret]')).toBeHidden()

  const toggle = page.getByRole('switch', { name: 'Enabled' })
  await toggle.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable webhook' }).click()
  await expect(toggle).not.toBeChecked()
  await expect(page.getByText('You disabled this webhook. Nothing is sent.')).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a disabled webhook, ${variant}`))
  await page.goto('/settings/webhooks')
  await expect(page.getByRole('button', { name: 'Enable again: New name' })).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the list of webhooks, ${variant}`))
  await page.getByRole('button', { name: 'Enable again: New name' }).click()
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'New name' })).toContainText('Enabled')

  await page.getByRole('link', { name: 'New name' }).click()
  await page.getByRole('button', { name: 'Delete webhook…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page).toHaveURL(/\/settings\/webhooks$/)
  await expect(page.getByRole('link', { name: 'New webhook' })).toBeVisible()
  await page.goto(`/settings/webhooks/${id}`)
  await expect(page.getByText('There is no such webhook')).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a deleted webhook, ${variant}`))
})

test('a webhook that the program disabled says why', async ({ page, username, receiver }) => {
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Gone ${username}` })
  const { id } = await createWebhook(page, { name: 'Gone', url: receiver.url })
  receiver.status = 410
  await openAndSettle(page, '/settings/webhooks', page.getByRole('link', { name: 'Gone', exact: true }))
  await send(page, `PATCH /api/users/tokens/${public_id}`, { description: 'Changed' })
  await expect(page.getByText('The receiver answered 410 Gone.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enable again: Gone' })).toBeVisible()
  await page.goto(`/settings/webhooks/${id}`)
  await expect(page.getByRole('main')).toContainText('The receiver answered 410 Gone.')
})

test('at the limit there is no form', async ({ page, username, receiver }) => {
  await startSession(page, username)
  for (let count = 1; count <= 10; count += 1) await createWebhook(page, { name: `Number ${count}`, url: receiver.url })
  await page.goto('/settings/webhooks')
  await expect(page.getByText('10 of 10')).toBeVisible()
  await expect(page.getByRole('link', { name: 'New webhook' })).toBeHidden()
  await expectAccessible(page, 'ten webhooks')
  await page.goto('/settings/webhooks/new')
  await expect(page.getByText('You have the maximum number of webhooks')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create webhook' })).toBeHidden()
})
