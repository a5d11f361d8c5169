/** Webhooks: creating, testing, the delivery log, secrets, and the alerts of a server. */
import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { Webhook as Verifier } from 'standardwebhooks'
import { discard, type Program, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'
import { createServer, errorResponse, expect, expectAccessible, openAndSettle, startSession, test as base } from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { onDesktopAndPhone, send } from '#tests/journeys/users.ts'

interface Request {
  readonly headers: Record<string, string>
  readonly body: string
}

/** A program on this machine that receives webhooks. */
class Receiver {
  readonly requests: Request[] = []
  status = 204
  body = ''
  readonly #server: Server

  constructor() {
    this.#server = createHttpServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        this.requests.push({ headers: request.headers as Record<string, string>, body })
        response.writeHead(this.status, { 'content-type': 'application/json' }).end(this.body)
      })
    })
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  close(): void {
    this.#server.close()
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }
}

const test = base.extend<{ receiver: Receiver }, { program: Program }>({
  program: [
    async ({ browserName: _browser }, provide) => {
      const folder = temporaryFolder()
      const program = await untilReady(await startProgram(folder, { WEBHOOKS_PRIVATE: 'on' }))
      await provide(program)
      discard(folder, program)
    },
    { scope: 'worker' },
  ],
  receiver: async ({ browserName: _browser }, provide) => {
    const receiver = new Receiver()
    await receiver.listen()
    await provide(receiver)
    receiver.close()
  },
})

const DISCORD_URL = 'https://discord.com/api/webhooks/123456/abcDEF-ghi'

interface Created {
  readonly id: string
}

/** Creates a webhook without the form. */
async function createWebhook(page: Page, body: Record<string, unknown>): Promise<Created> {
  return await send<Created>(page, 'POST /api/users/webhooks', { kind: 'standard', events: ['server.updated'], ...body })
}

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

  await page.route('**/api/users/webhooks', (route) => route.fulfill(errorResponse(400, 'This address is not on the public internet.')))
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
