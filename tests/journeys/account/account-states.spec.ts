/** Account states: banned, scheduled for deletion, and erased. */
import { initialsOf } from '#contract/text/tile.ts'
import {
  announce,
  createServer,
  errorResponse,
  expect,
  expectAccessible,
  isListed,
  signIn,
  startSession,
  test,
  timingSensitive,
} from '#tests/journeys/journey.ts'
import { forceTier, idOf, onDesktopAndPhone, send } from '#tests/journeys/users.ts'

timingSensitive(() => {
  test('a ban replaces the page within a second and unlists the servers; lifting it restores the draft', async ({
    page,
    signInAs,
    program,
    username,
    allowBrowserError,
  }) => {
    allowBrowserError(/403 \(Forbidden\)/)
    await startSession(page, username)
    const admin = await signInAs('admin')
    const { public_id, credential } = await createServer(page, { name: `Banned ${username}` })
    await announce(program, credential)
    await expect.poll(() => isListed(program, public_id)).toBe(true)
    await page.goto(`/servers/${public_id}?tab=listing`)
    await page.getByLabel('Description').fill('Unfinished')

    const id = await idOf(page)
    await send(admin, `PATCH /api/admin/users/${id}/ban`, { banReason: 'Sold fake players.\nTwice.' })
    await expect(page.getByRole('heading', { name: 'Sorry, your account is banned' })).toBeFocused({ timeout: 1000 })
    await expect.poll(() => isListed(program, public_id), { timeout: 2000 }).toBe(false)
    await expect(page).toHaveTitle('Account banned · Muster')
    await expect(page.getByRole('region', { name: 'Ban reason' })).toContainText('Sold fake players.')
    const { ban_appeal_email: appeals } = await send<{ ban_appeal_email: string }>(page, 'GET /api/about')
    await expect(page.getByRole('link', { name: appeals })).toHaveAttribute('href', `mailto:${appeals}`)
    await expect(page.getByText(username, { exact: true })).toBeVisible()
    await expect(page.getByText(initialsOf(username), { exact: true })).toBeVisible()
    await onDesktopAndPhone(page, (variant) => expectAccessible(page, `banned, ${variant}`))

    await send(admin, `PATCH /api/admin/users/${id}/ban`, { banned: false })
    await expect(page.getByRole('heading', { level: 1, name: `Banned ${username}` })).toBeVisible({ timeout: 8000 })
    await expect(page.getByLabel('Description')).toHaveValue('Unfinished')
  })
})

test('without the stream the next call shows the ban, and without a reason there is no reason box', async ({
  page,
  signInAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/403 \(Forbidden\)|ERR_FAILED/)
  await startSession(page, username)
  const admin = await signInAs('admin')
  await page.route('**/api/users/tokens/events', (route) => route.abort())
  const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/events'))
  await page.goto('/servers/new')
  await refused
  await page.getByLabel('Name').fill(`Never ${username}`)
  await send(admin, `PATCH /api/admin/users/${await idOf(page)}/ban`)
  // A poll can be the next call, too. It removes the form.
  await page
    .getByRole('button', { name: 'Create server' })
    .click({ timeout: 5000 })
    .catch(() => undefined)
  await expect(page.getByRole('heading', { name: 'Sorry, your account is banned' })).toBeVisible()
  await expect(page.getByText('Ban reason')).toBeHidden()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

timingSensitive(() => {
  test('scheduling deletion shows a countdown within two seconds, and cancelling it by keyboard restores the panel', async ({
    page,
    username,
    allowBrowserError,
  }) => {
    allowBrowserError(/403 \(Forbidden\)/)
    await startSession(page, username)
    const { public_id } = await createServer(page, { name: `Leaving ${username}` })
    await page.goto(`/servers/${public_id}`)
    await expect(page.getByRole('region', { name: 'Players', exact: true })).toBeVisible()
    await send(page, 'POST /api/auth/me/delete')
    await expect(page.getByRole('heading', { name: 'Your account is set for deletion' })).toBeVisible({ timeout: 2000 })
    await expect(page).toHaveTitle('Account set for deletion · Muster')
    await expect(page.getByText('permanently erased and unrecoverable')).toBeVisible()
    const timer = page.getByRole('timer')
    await expect(timer).toContainText(/^2[34]hours\d\dminutes\d\dseconds$/)
    const before = await timer.innerText()
    await expect.poll(() => timer.innerText(), { timeout: 2500 }).not.toBe(before)
    await onDesktopAndPhone(page, (variant) => expectAccessible(page, `scheduled for deletion, ${variant}`))

    await page.getByRole('button', { name: 'Cancel deletion' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/')
    await expect(page.getByRole('region', { name: 'Your servers' })).toContainText(`Leaving ${username}`)
  })
})

timingSensitive(() => {
  test('a ban replaces the countdown of an account scheduled for deletion, and lifting it restores the countdown', async ({
    page,
    username,
    signInAs,
    allowBrowserError,
  }) => {
    allowBrowserError(/403 \(Forbidden\)/)
    await signIn(page, username)
    const admin = await signInAs('admin')
    const id = await idOf(page)
    await send(page, 'POST /api/auth/me/delete')
    await expect(page.getByRole('timer')).toBeVisible()
    await send(admin, `PATCH /api/admin/users/${id}/ban`, { banReason: 'Both.' })
    await expect(page.getByRole('heading', { name: 'Sorry, your account is banned' })).toBeVisible({ timeout: 2500 })
    await expect(page.getByRole('timer')).toBeHidden()
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Sorry, your account is banned' })).toBeVisible()

    // A cancellation elsewhere restores the panel.
    await send(admin, `PATCH /api/admin/users/${id}/ban`, { banned: false })
    await expect(page.getByRole('timer')).toBeVisible({ timeout: 8000 })
    await page.request.post('/api/auth/me/delete/cancel')
    await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible({ timeout: 4000 })
  })
})

timingSensitive(() => {
  test('after the countdown the page polls one to three times in seven seconds, and an erased account goes to the login page', async ({
    page,
    username,
    allowBrowserError,
  }) => {
    allowBrowserError(/403 \(Forbidden\)/)
    await startSession(page, username)
    const me = await send<Record<string, unknown>>(page, 'GET /api/auth/me')
    const until = new Date(Date.now() + 4000).toISOString()
    let requests = 0
    let isErased = false
    await page.route('**/api/auth/me', (route) => {
      requests += 1
      if (!isErased) return route.fulfill({ json: { data: { ...me, delete_at: until } } })
      return route.fulfill(errorResponse(403, 'Not signed in.'))
    })
    await page.goto('/servers')
    await expect(page.getByRole('timer')).toContainText('00hours00minutes00seconds')
    await expect(page.getByText('Time is up.')).toBeVisible()
    // The browser's clock may be wrong: only the backend knows whether the deletion can still be cancelled.
    await expect(page.getByRole('button', { name: 'Cancel deletion' })).toBeEnabled()
    const before = requests
    await page.waitForTimeout(7000)
    expect(requests - before).toBeGreaterThanOrEqual(1)
    expect(requests - before).toBeLessThanOrEqual(3)
    isErased = true
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().clearCookies()
    await expect(page).toHaveURL(/\/login$/, { timeout: 6000 })
    await expect(page.getByText('Your account has been erased.')).toBeVisible()
  })
})

test('a group created while the stream was blocked appears when it reconnects', async ({ page, signInAs, username, allowBrowserError }) => {
  allowBrowserError(/ERR_FAILED/)
  await startSession(page, username)
  const admin = await signInAs('admin')
  await forceTier(admin, page, 'GOLD')
  await page.route('**/api/users/tokens/events', (route) => route.abort())
  await page.goto('/benefits')
  const groups = page.getByRole('region', { name: 'Your groups' })
  await expect(groups).toContainText('0 of 2 groups')
  await send(page, 'POST /api/users/groups', { name: `Missed ${username}` })
  // A reopened stream does not repeat events.
  const opened = page.waitForResponse('**/api/users/tokens/events')
  await page.unroute('**/api/users/tokens/events')
  await opened
  await expect(groups).toContainText('1 of 2 groups')
  await expect(groups.getByRole('heading', { name: `Missed ${username}` })).toBeVisible()
})

for (const [action, address, button] of [
  ['cancellation', '**/api/auth/me/delete/cancel', 'Cancel deletion'],
  ['logout', '**/api/auth/logout', 'Logout'],
] as const) {
  test(`a failed ${action} says that the deletion was not cancelled, and its details can be copied`, async ({
    page,
    username,
    allowBrowserError,
  }) => {
    allowBrowserError(/503 \(|403 \(Forbidden\)/)
    await startSession(page, username)
    await send(page, 'POST /api/auth/me/delete')
    await page.route(address, (route) => route.fulfill({ ...errorResponse(503, 'Not now.'), headers: { 'x-request-id': 'req-42' } }))
    await page.goto('/')
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText('Failed to cancel deletion')).toBeVisible()
    await expect(page.getByText('Not now.')).toBeVisible()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy details' }).click()
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^POST \/api\/auth[^]*Status: 503[^]*Request: req-42$/)
    await expectAccessible(page, 'the error message')
    if (action !== 'cancellation') return
    await page.unroute(address)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText('Account deletion cancelled')).toBeVisible()
    await expect(page.getByText('Failed to cancel deletion')).toBeHidden()
  })
}
