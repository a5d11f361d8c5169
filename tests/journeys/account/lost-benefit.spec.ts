/** A benefit is lost while its field is open: other fields can still be saved, and every rejection is visible. */
import type { Page } from '@playwright/test'
import {
  createServer,
  expect,
  expectAccessible,
  expireSessionOnCall,
  fieldErrorResponse,
  signInFromLoginPage,
  startSession,
  test,
} from '#tests/journeys/journey.ts'
import { forceTier, idOf, send } from '#tests/journeys/users.ts'

const KEPT_UNTIL_BENEFIT = 'It returns with the benefit'

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  await page.getByRole('button', { name: 'Close notification' }).click()
  await expect(page.getByText('Listing saved')).toBeHidden()
}

test('the draft of a lost benefit is discarded, its saved value can be removed, and other fields are saved', async ({
  page,
  signInAs,
  username,
  allowBrowserError,
}) => {
  test.slow()
  allowBrowserError(/403 \(Forbidden\)/)
  await startSession(page, username)
  const admin = await signInAs('admin')
  const id = await idOf(page)
  const { public_id } = await createServer(page, { name: `Lapsing ${username}` })
  const saved = () => send<Record<string, unknown>>(page, `GET /api/users/tokens/${public_id}`)
  const vanity = page.getByRole('textbox', { name: 'Vanity ID' })
  const locked = page.getByRole('group', { name: 'Vanity ID' })
  await forceTier(admin, page, 'RUBY')
  await page.goto(`/servers/${public_id}?tab=listing`)

  await vanity.fill('never-saved')
  await page.getByRole('switch', { name: 'Promote this server' }).check()
  await forceTier(admin, page, null)
  await expect(locked).toBeVisible()
  await expect(page.getByText('Unsaved changes')).toBeHidden()
  await expect(page.getByText(KEPT_UNTIL_BENEFIT)).toBeHidden()
  await page.getByLabel('Name').fill(`Lapsed ${username}`)
  await save(page)
  expect(await saved()).toMatchObject({ name: `Lapsed ${username}`, vanity_url: null, promoted: false })

  // The same when the draft is restored after the benefit is lost.
  await forceTier(admin, page, 'RUBY')
  await vanity.fill('never-saved')
  await page.getByLabel('Name').fill(`Drafted ${username}`)
  await expireSessionOnCall(page, (method) => method !== 'GET')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await forceTier(admin, id, null)
  await signInFromLoginPage(page, username)
  await expect(page.getByLabel('Name')).toHaveValue(`Drafted ${username}`)
  await expect(locked).not.toContainText('never-saved')
  await save(page)
  expect(await saved()).toMatchObject({ name: `Drafted ${username}`, vanity_url: null })

  // The saved value is kept under a newer draft, and removing it needs no benefit.
  await forceTier(admin, page, 'RUBY')
  const savedId = `kept-${username.replaceAll('_', '-')}`
  await vanity.fill(savedId)
  await save(page)
  await vanity.fill('never-saved')
  await forceTier(admin, page, null)
  await expect(locked).toContainText(savedId)
  await expect(locked).toContainText(KEPT_UNTIL_BENEFIT)
  await locked.getByRole('button', { name: 'Release vanity ID' }).click()

  // A rejection shows at the locked field.
  const rejection = 'This needs the benefit Custom Vanity URL, which you do not have.'
  await page.route(`**/api/users/tokens/${public_id}`, (route) =>
    route.request().method() === 'PATCH' ? route.fulfill(fieldErrorResponse(403, 'vanity_url', rejection)) : route.fallback(),
  )
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(locked.getByText(rejection)).toBeVisible()
  await expect(locked).toHaveAccessibleDescription(rejection)
  await expectAccessible(page, 'a rejection at a locked field')
  await page.unroute(`**/api/users/tokens/${public_id}`)
  await save(page)
  expect(await saved()).toMatchObject({ vanity_url: null })
})

test('when the panel missed the loss of a benefit, the rejection shows at the field', async ({
  page,
  signInAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/403 \(Forbidden\)|ERR_FAILED/)
  await startSession(page, username)
  const admin = await signInAs('admin')
  const { public_id } = await createServer(page, { name: `Missed ${username}` })
  await forceTier(admin, page, 'RUBY')
  await page.route('**/api/users/tokens/events', (route) => route.abort())
  await page.goto(`/servers/${public_id}?tab=listing`)
  await page.getByRole('switch', { name: 'Promote this server' }).check()
  await forceTier(admin, page, null)
  // A rejection reloads the session, which would lock the field.
  await page.route('**/api/auth/me', (route) => route.abort())
  await page.getByRole('button', { name: 'Save changes' }).click()
  const promote = page.getByRole('switch', { name: 'Promote this server' })
  await expect(promote).toBeFocused()
  await expect(promote).toHaveAttribute('aria-invalid', 'true')
  await expect(promote).toHaveAccessibleDescription('This needs the benefit Promotion, which you do not have.')
})
