/** Expired sessions, and drafts that survive them. */
import type { Page } from '@playwright/test'
import {
  createServer,
  errorResponse,
  expect,
  expectAccessible,
  expireSessionOnCall,
  openAndSettle,
  signInFromLoginPage,
  startSession,
  test,
} from '#tests/journeys/journey.ts'

async function openNewServer(page: Page, name: string): Promise<void> {
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(name)
}

test('a 403 reloads the session once, and the page stays open', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/403 \(/)
  await startSession(page, username)
  // The reload of the session when the stream opens is not counted.
  await openAndSettle(page, '/servers/new', page.getByLabel('Name'))
  await page.getByLabel('Name').fill(`Missing ${username}`)
  let requests = 0
  await page.route('**/api/auth/me', (route) => {
    requests += 1
    return route.fallback()
  })
  await page.route('**/api/users/tokens', (route) =>
    route.request().method() === 'POST' ? route.fulfill(errorResponse(403, 'You have reached your limit of 3 servers.')) : route.fallback(),
  )
  await page.getByRole('button', { name: 'Create server' }).click()
  await expect(page.getByRole('alert')).toContainText('You have reached your limit')
  await page.waitForTimeout(1500)
  expect(requests).toBe(1)
  await expect(page.getByLabel('Name')).toHaveValue(`Missing ${username}`)
})

test('an expired session leads to the login page, and signing in returns to the same page', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/403 \(/)
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Session ${username}` })
  await page.goto(`/servers/${public_id}?tab=announces`)
  await expect(page.getByText('No announces yet')).toBeVisible()
  await expireSessionOnCall(page, (_method, path) => path.endsWith('/activity'))
  await page.getByRole('tab', { name: 'Activity' }).click()
  await expect(page).toHaveURL(new RegExp(`/login\\?next=%2Fservers%2F${public_id}%3Ftab%3Dactivity$`))
  const notice = page.getByText('Your session has ended. Sign in to continue where you left off.')
  await expect(notice).toBeVisible()
  await expectAccessible(page, 'the login page after a session ended')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(notice).toBeHidden()
  await signInFromLoginPage(page, username)
  await expect(page).toHaveURL(new RegExp(`/servers/${public_id}\\?tab=activity$`))
  await expect(page.getByRole('heading', { level: 1, name: `Session ${username}` })).toBeVisible()
})

test('the drafts of an edited and of a new server survive an expired session', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/403 \(/)
  const signInAgain = async () => {
    await expect(page).toHaveURL(/\/login\?next=/)
    await signInFromLoginPage(page, username)
  }
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Draft ${username}`, description: 'Original.' })
  await page.goto(`/servers/${public_id}?tab=listing`)
  await page.getByLabel('Description').fill('Half an hour of work.')
  await page.getByLabel('Tags').fill('drift')
  await page.getByLabel('Tags').press('Enter')
  await expireSessionOnCall(page, (method) => method !== 'GET')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await signInAgain()
  await expect(page).toHaveURL(new RegExp(`/servers/${public_id}\\?tab=listing$`))
  await expect(page.getByLabel('Description')).toHaveValue('Half an hour of work.')
  await expect(page.getByRole('button', { name: 'Remove tag drift' })).toBeVisible()
  await expect(page.getByText('Unsaved changes restored')).toBeVisible()
  await expectAccessible(page, 'a form with a restored draft')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('Half an hour of work.')
  await expect(page.getByText('unsaved changes', { exact: false })).toBeHidden()

  await openNewServer(page, `Second ${username}`)
  await expireSessionOnCall(page, (method) => method !== 'GET')
  await page.getByRole('button', { name: 'Create server' }).click()
  await signInAgain()
  await expect(page.getByLabel('Name')).toHaveValue(`Second ${username}`)
  await expect(page.getByText('Unsaved changes restored')).toBeVisible()
  await page.getByRole('button', { name: 'Create server' }).click()
  await expect(page.locator('[data-credential]')).toBeVisible()
})

test('a draft that the user left or discarded is not restored', async ({ page, username }) => {
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Thrown ${username}`, description: 'Original.' })
  await page.goto(`/servers/${public_id}?tab=listing`)
  await page.getByLabel('Description').fill('Never mind.')
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Leave page' }).click()
  await page.getByRole('tab', { name: 'Listing' }).click()
  await expect(page.getByLabel('Description')).toHaveValue('Original.')
  await page.getByLabel('Description').fill('Never mind either.')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('Original.')
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()
})

test('logging out clears cached data and drafts, and leads to the login page', async ({ page, username }) => {
  await startSession(page, username)
  await createServer(page, { name: `Secret ${username}` })
  await openNewServer(page, `Typed ${username}`)
  await page.reload()
  await expect(page.getByLabel('Name')).toHaveValue(`Typed ${username}`)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  // Nor does the browser's Back button show the data.
  await page.goBack()
  await expect(page).toHaveURL(/\/login(?:\?|$)/)
  await expect(page.getByText(`Secret ${username}`)).toBeHidden()
  await startSession(page, username)
  await page.goto('/servers/new')
  await expect(page.getByLabel('Name')).toHaveValue('')
  await expect(page.getByText('unsaved changes', { exact: false })).toBeHidden()
})
