/** A benefit lapses while its field is open: the unsaved value blocks nothing else, and every rejection is visible. */
import type { Page } from '@playwright/test'
import { createServer, endSessionWithCall, expect, expectSound, signIn, test } from './journey.ts'
import { forceTier, idOf, send } from './people.ts'

const COMES_BACK = 'it comes back with the benefit'

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  await page.getByRole('button', { name: 'Close toast' }).click()
  await expect(page.getByText('Listing saved')).toBeHidden()
}

test('a draft whose benefit has lapsed is discarded, and the rest is saved', async ({ page, openPanelAs, username, expectComplaint }) => {
  test.slow()
  expectComplaint(/403 \(Forbidden\)/)
  await signIn(page, username)
  const admin = await openPanelAs('admin')
  const id = await idOf(page)
  const { public_id } = await createServer(page, { name: `Lapsing ${username}` })
  const saved = () => send<Record<string, unknown>>(page, `GET /api/users/tokens/${public_id}`)
  const vanity = page.getByRole('textbox', { name: 'Vanity id' })
  const locked = page.getByRole('group', { name: 'Vanity id' })
  await forceTier(admin, page, 'RUBY')
  await page.goto(`/servers/${public_id}?tab=listing`)

  await vanity.fill('never-saved')
  await page.getByRole('switch', { name: 'Promote this server' }).check()
  await forceTier(admin, page, null)
  await expect(locked).toBeVisible()
  await expect(page.getByText('Unsaved changes')).toBeHidden()
  await expect(page.getByText(COMES_BACK)).toBeHidden()
  await page.getByLabel('Name').fill(`Lapsed ${username}`)
  await save(page)
  expect(await saved()).toMatchObject({ name: `Lapsed ${username}`, vanity_url: null, promoted: false })

  // The same when the draft is restored after the benefit has lapsed.
  await forceTier(admin, page, 'RUBY')
  await vanity.fill('never-saved')
  await page.getByLabel('Name').fill(`Drafted ${username}`)
  await endSessionWithCall(page, (method) => method !== 'GET')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await forceTier(admin, id, null)
  await page.getByRole('button', { name: 'Sign in with Discord' }).click()
  await page.getByLabel('Another user').fill(username)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Name')).toHaveValue(`Drafted ${username}`)
  await expect(locked).not.toContainText('never-saved')
  await save(page)
  expect(await saved()).toMatchObject({ name: `Drafted ${username}`, vanity_url: null })

  // The earlier saved value is kept, even under a newer draft; removing it needs no benefit.
  await forceTier(admin, page, 'RUBY')
  const kept = `kept-${username.replaceAll('_', '-')}`
  await vanity.fill(kept)
  await save(page)
  await vanity.fill('never-saved')
  await forceTier(admin, page, null)
  await expect(locked).toContainText(kept)
  await expect(locked).toContainText(COMES_BACK)
  await locked.getByRole('button', { name: 'Give up id' }).click()

  // A rejection shows in the row, locked or not.
  const refusal = 'This needs the benefit Custom Vanity URL, which you do not have.'
  await page.route(`**/api/users/tokens/${public_id}`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 403, json: { statusCode: 403, errors: [refusal], isBusiness: false } })
      : route.fallback(),
  )
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(locked.getByText(refusal)).toBeVisible()
  await expect(locked).toHaveAccessibleDescription(refusal)
  await expectSound(page, 'a refusal of a locked field')
  await page.unroute(`**/api/users/tokens/${public_id}`)
  await save(page)
  expect(await saved()).toMatchObject({ vanity_url: null })
})

test('when the panel missed the lapse, the rejection shows at the field', async ({ page, openPanelAs, username, expectComplaint }) => {
  expectComplaint(/403 \(Forbidden\)|ERR_FAILED/)
  await signIn(page, username)
  const admin = await openPanelAs('admin')
  const { public_id } = await createServer(page, { name: `Unheard ${username}` })
  await forceTier(admin, page, 'RUBY')
  await page.route('**/api/users/tokens/events', (route) => route.abort())
  await page.goto(`/servers/${public_id}?tab=listing`)
  await page.getByRole('switch', { name: 'Promote this server' }).check()
  await forceTier(admin, page, null)
  // Until the panel reloads, which a rejection causes.
  await page.route('**/api/auth/me', (route) => route.abort())
  await page.getByRole('button', { name: 'Save changes' }).click()
  const promote = page.getByRole('switch', { name: 'Promote this server' })
  await expect(promote).toBeFocused()
  await expect(promote).toHaveAttribute('aria-invalid', 'true')
  await expect(promote).toHaveAccessibleDescription('This needs the benefit Promotion, which you do not have.')
})
