/** The page of a server: listing, credential, bound address, deletion, announces, and live updates. */
import { announce, createServer, expect, holdRequests, startSession, test, timingSensitive } from '#tests/journeys/journey.ts'

test('an edited listing shows in the preview, and is saved', async ({ page, username }) => {
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Edit ${username}` })
  await page.goto(`/servers/${public_id}?tab=listing`)
  await page.getByLabel('Description').fill('A calm city.')
  await page.getByLabel('Tags').fill('drift')
  await page.getByLabel('Tags').press('Enter')
  await page.getByLabel('Website').fill('example.com')
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('A calm city.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  await expect(page.getByLabel('Website')).toHaveValue('https://example.com')
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('A calm city.')
  await expect(page.getByRole('button', { name: 'Remove tag drift' })).toBeVisible()
})

test('a taken name shows its error on the field, and the draft stays', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/409 \(Conflict\)/)
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `One ${username}` })
  await createServer(page, { name: `Two ${username}` })
  await page.goto(`/servers/${public_id}?tab=listing`)
  await page.getByLabel('Name').fill(`Two ${username}`)
  await page.getByLabel('Description').fill('Kept.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Name')).toBeFocused()
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription(/./)
  await expect(page.getByLabel('Name')).toHaveValue(`Two ${username}`)
  await expect(page.getByLabel('Description')).toHaveValue('Kept.')
  // Leaving asks for confirmation first.
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('not saved')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByLabel('Description')).toHaveValue('Kept.')

  await page.getByLabel('Name').fill(`Three ${username}`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Three ${username}` })).toBeVisible()
})

timingSensitive(() => {
  test('an open page shows within three seconds that its server goes online or offline, and so does its title', async ({
    page,
    program,
    username,
  }) => {
    await startSession(page, username)
    const { public_id, credential } = await createServer(page, { name: `Live ${username}` })
    await page.goto(`/servers/${public_id}`)
    await expect(page.getByRole('heading', { name: 'Why isn’t this server listed?' })).toBeVisible()
    await expect(page).toHaveTitle(/^○/)
    await announce(program, credential, { playersCount: 5 })
    await expect(page.getByRole('heading', { name: 'Why isn’t this server listed?' })).toBeHidden({ timeout: 3000 })
    await expect(page).toHaveTitle(/^●/)
    await fetch(`${program.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })
    await expect(page.getByText('Offline').first()).toBeVisible({ timeout: 3000 })
  })
})

test('search and tab are in the address, and an unknown tab shows the first', async ({ page, username }) => {
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Alpha ${username}` })
  await createServer(page, { name: `Beta ${username}` })
  await page.goto('/servers')
  const list = page.getByRole('region', { name: 'Your servers' })
  await expect(list).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('alpha')
  await expect(page).toHaveURL(/\?q=alpha$/)
  await page.reload()
  await expect(list.getByText(`Alpha ${username}`)).toBeVisible()
  await expect(list.getByText(`Beta ${username}`)).toBeHidden()
  await page.getByLabel('Search your servers').fill('nothing like it')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/servers$/)
  await page.goto(`/servers/${public_id}?tab=nonsense`)
  await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true')
})

test('text typed during a save stays, and stays unsaved', async ({ page, username }) => {
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Slow ${username}` })
  await page.goto(`/servers/${public_id}?tab=listing`)
  await page.getByLabel('Description').fill('Sent.')
  await page.getByLabel('Website').fill('example.com')
  const release = await holdRequests(page, `**/api/users/tokens/${public_id}`, 'PATCH')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveAttribute('aria-busy', 'true')
  await page.getByLabel('Description').press('End')
  await page.keyboard.type(' And more.')
  await page.getByLabel('Game mode').fill('Drift')
  await page.getByLabel('Game mode').press('Enter')
  release()
  await expect(page.getByText('Listing saved')).toBeVisible()
  await expect(page.getByLabel('Website')).toHaveValue('https://example.com')
  await expect(page.getByLabel('Description')).toHaveValue('Sent. And more.')
  await expect(page.getByLabel('Game mode')).toHaveValue('Drift')
  await expect(page.getByRole('button', { name: 'Save changes' })).not.toHaveAttribute('aria-busy')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('Sent. And more.')
  await expect(page.getByLabel('Game mode')).toHaveValue('Drift')
})

test('visible data reloads within 31 seconds, even if nothing changes', async ({ page, username }) => {
  await page.clock.install()
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Quiet ${username}` })
  await page.goto(`/servers/${public_id}?tab=announces`)
  await expect(page.getByText('No announces yet')).toBeVisible()
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.clock.runFor(31_000)
  const tokens = '/api/users/tokens'
  await expect.poll(() => requested).toEqual(expect.arrayContaining([tokens, `${tokens}/${public_id}`, `${tokens}/${public_id}/announces`]))
})

timingSensitive(() => {
  test('a blocked stream is not shown as an outage while reads work', async ({ page, username, allowBrowserError }) => {
    allowBrowserError(/ERR_FAILED|ERR_CONNECTION/)
    await startSession(page, username)
    await page.route('**/api/users/tokens/events', (route) => route.abort())
    const read = page.waitForResponse((reply) => reply.url().endsWith('/api/users/tokens'))
    await page.goto('/servers')
    await read
    await page.waitForTimeout(2500)
    await expect(page.getByText('Can’t reach Muster')).toBeHidden()
  })
})

test('the search keeps its caret while typing, and follows changes of the address', async ({ page, username }) => {
  await startSession(page, username)
  await createServer(page, { name: `Caret ${username}` })
  await page.goto('/servers')
  const search = page.getByLabel('Search your servers')
  await search.fill('cet')
  await search.press('ArrowLeft')
  await search.press('ArrowLeft')
  await search.pressSequentially('ar')
  await expect(search).toHaveValue('caret')
  await expect(page).toHaveURL(/\?q=caret$/)
  await page
    .getByRole('region', { name: 'Your servers' })
    .getByRole('link', { name: `Caret ${username}` })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goBack()
  await expect(search).toHaveValue('caret')
  await page.getByRole('navigation').getByRole('link', { name: 'Servers', exact: true }).click()
  await expect(search).toHaveValue('')
  await expect(page).toHaveURL(/\/servers$/)
})

test('Back to another server closes the dialog of the first', async ({ page, username }) => {
  await startSession(page, username)
  const first = await createServer(page, { name: `First ${username}` })
  const second = await createServer(page, { name: `Second ${username}` })
  await page.goto(`/servers/${first.public_id}?tab=danger`)
  await page
    .getByRole('navigation')
    .getByRole('link', { name: `Second ${username}` })
    .click()
  await expect(page).toHaveURL(new RegExp(second.public_id))
  await page.getByRole('tab', { name: 'Danger' }).click()
  await page.getByRole('button', { name: 'Delete server' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(first.public_id))
  await expect(page.getByRole('alertdialog')).toBeHidden()
})

test('a reply that was in flight during a save does not bring back the state before it', async ({ page, username }) => {
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Stale ${username}` })
  await page.goto(`/servers/${public_id}?tab=listing`)
  await expect(page.getByLabel('Description')).toBeVisible()
  const stale = Promise.withResolvers<void>()
  const { promise: isSaved, resolve: saved } = Promise.withResolvers<void>()
  let count = 0
  await page.route(`**/api/users/tokens/${public_id}`, async (route) => {
    if (route.request().method() !== 'GET') return await route.continue()
    const response = await route.fetch()
    if ((count += 1) === 1) {
      stale.resolve()
      await isSaved
    }
    await route.fulfill({ response }).catch(() => {})
  })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await stale.promise
  await page.getByLabel('Description').fill('Newer.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  saved()
  await expect.poll(() => count).toBe(2)
  await expect(page.getByLabel('Description')).toHaveValue('Newer.')
})
