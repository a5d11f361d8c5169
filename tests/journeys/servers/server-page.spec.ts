/** The page of a server: listing, credential, bound address, deletion, announces, and live updates. */
import sharp from 'sharp'
import {
  announce,
  createServer,
  expect,
  expectAccessible,
  expectPaper,
  holdRequests,
  isListed,
  openWithStream,
  signIn,
  startSession,
  test,
  timingSensitive,
} from '#tests/journeys/journey.ts'
import { seedPlayerHistory } from '#tests/journeys/seed-player-history.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { forceTier, grantManager, idOf, onDesktopAndNarrowPhone, onDesktopAndPhone, send } from '#tests/journeys/users.ts'

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

test('after a reissue with a grace period both credentials work, and the dialog closes only by its button', async ({
  page,
  program,
  username,
}) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Reissue ${username}` })
  expect((await announce(program, credential)).status).toBe(200)
  await page.goto(`/servers/${public_id}`)
  await expect(page.getByText('Online', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Reissue credential…' }).click()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByLabel('In 24 hours').check()
  await page.getByRole('button', { name: 'Reissue credential', exact: true }).click()
  const reissued = await page.locator('[data-credential]').innerText()
  expect(reissued).not.toBe(credential)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(page.locator('[data-credential]')).toBeVisible()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText('Old credential valid for')).toBeVisible()
  for (const each of [credential, reissued]) expect((await announce(program, each)).status).toBe(200)
})

test('after a reissue without a grace period the old credential is rejected', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Leaked ${username}` })
  await announce(program, credential)
  await page.goto(`/servers/${public_id}`)
  await page.getByRole('button', { name: 'Reissue credential…' }).click()
  await page.getByRole('radio', { name: /^Now/ }).check()
  await page.getByRole('button', { name: 'Reissue credential', exact: true }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  expect((await announce(program, credential)).status).toBe(401)
  await page.getByRole('tab', { name: 'Announces' }).click()
  await page.getByRole('tabpanel').getByText('Technical details').first().click()
  await expect(page.getByText('CREDENTIAL_REVOKED').first()).toBeVisible()
  await expect(page.getByRole('tabpanel').getByText('Put the newest credential')).toBeVisible()
})

test('a bound address can be reset', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Moved ${username}` })
  await announce(program, credential)
  await page.goto(`/servers/${public_id}`)
  await page.getByRole('button', { name: 'Reset address…' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('127.0.0.1')
  await page.getByRole('button', { name: 'Reset address', exact: true }).click()
  await expect(page.getByText('Address reset')).toBeVisible()
  await expect(page.getByText('Not bound yet.')).toBeVisible()
})

test('deletion asks for the name, and takes the server off the list', async ({ page, program, username }) => {
  await startSession(page, username)
  const name = `Gone ${username}`
  const { public_id, credential } = await createServer(page, { name })
  await announce(program, credential)
  await page.goto(`/servers/${public_id}?tab=danger`)
  await page.getByRole('button', { name: 'Delete server…' }).click()
  const confirm = page.getByRole('button', { name: 'Delete server', exact: true })
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(confirm).toBeDisabled()
  await page.getByLabel('to confirm').fill('something else')
  await page.keyboard.press('Enter')
  await expect(confirm).toBeDisabled()
  await page.getByLabel('to confirm').fill(name)
  await confirm.click()
  await expect(page).toHaveURL(/\/servers$/)
  await expect(page.getByText('Server deleted')).toBeVisible()
  await expect(page.getByText('Put your first server on the list')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recently deleted' })).toContainText(name)
  await expect.poll(() => isListed(program, public_id)).toBe(false)
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

test('a rejected announce made while another tab was open shows on the Announces tab', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Missed ${username}` })
  await openWithStream(page, `/servers/${public_id}?tab=announces`)
  await expect(page.getByText('No announces yet')).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  expect((await announce(program, credential, { playersCount: -1 })).status).toBe(400)
  await expect(page.getByText('was rejected')).toBeVisible()
  await page.getByRole('tab', { name: 'Announces' }).click()
  const entries = page.getByRole('tabpanel').getByRole('listitem')
  await expect(entries).toContainText(['Rejected'])
  // Equal rejections are one entry. Different ones with the same code are not.
  for (const body of [{ playersCount: -1 }, { maxPlayersCount: 0 }]) expect((await announce(program, credential, body)).status).toBe(400)
  await expect(entries).toContainText([/maxPlayersCount must/, /2 times.*playersCount must/s])
})

test('a rejected announce is explained in plain words, with its code in a disclosure', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Garbled ${username}` })
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  expect((await fetch(`${program.listUrl}/announce`, { method: 'POST', headers, body: '{' })).status).toBe(400)
  await page.goto(`/servers/${public_id}?tab=announces`)
  const tab = page.getByRole('tabpanel')
  await expect(tab).toContainText('Update the game server.')
  await expect(tab.getByText('BODY_NOT_JSON')).toBeHidden()
  await tab.locator('summary', { hasText: 'Technical details' }).click()
  await expect(tab.getByText('BODY_NOT_JSON')).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a rejected announce, ${variant}`))
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
    await signIn(page, username)
    await page.route('**/api/users/tokens/events', (route) => route.abort())
    const read = page.waitForResponse((reply) => reply.url().endsWith('/api/users/tokens'))
    await page.goto('/servers')
    await read
    await page.waitForTimeout(2500)
    await expect(page.getByText('Can’t reach Muster')).toBeHidden()
  })
})

test('after an immediate reissue the server counts as silent, not as never seen', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Again ${username}` })
  await announce(program, credential)
  await page.request.patch(`/api/users/tokens/${public_id}/reissue`, { headers: { 'sec-fetch-site': 'same-origin' } })
  await page.goto(`/servers/${public_id}`)
  await expect(page.getByText('Offline. No announces since')).toBeVisible()
  await page.goto('/servers')
  await expect(page.getByText('never', { exact: true })).toBeHidden()
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

/** Sums the shifts of the page since it was opened. */
const layoutShift = () =>
  new Promise<number>((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        if (!hadRecentInput) sum += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 500)
  })

test('the header shows the banner, the marks in words and the connect address, and nothing moves', async ({
  page,
  program,
  username,
  signInAs,
}) => {
  await startSession(page, username)
  const admin = await signInAs('admin')
  const { public_id, credential } = await createServer(page, { name: `Front ${username}` })
  await page.goto(`/servers/${public_id}`)
  const header = page.locator('#main header')
  await expect(header).toContainText('No connect address until the first announce.')
  await expect(header.getByRole('img', { name: 'Verified' })).toHaveCount(0)

  // The verification reaches the open page, and so does the banner.
  await forceTier(admin, page, 'GOLD')
  const buffer = await sharp({ create: { width: 1280, height: 320, channels: 3, background: '#305080' } })
    .jpeg()
    .toBuffer()
  const upload = await page.request.post('/api/users/images', {
    headers: { 'sec-fetch-site': 'same-origin' },
    multipart: { purpose: 'BANNER', file: { name: 'banner.jpg', mimeType: 'image/jpeg', buffer } },
  })
  expect(upload.ok(), await upload.text()).toBe(true)
  const { data: image } = (await upload.json()) as { data: { id: string } }
  await send(page, 'PUT /api/users/benefits/CUSTOM_BANNER/settings', { image_id: image.id, server_ids: [] })
  await send(admin, `PATCH /api/admin/tokens/${public_id}`, { verified: true })
  await expect(header.getByRole('img', { name: 'Verified' })).toBeVisible()
  await expect(header.locator('[data-banner] img')).toBeVisible()

  await announce(program, credential, { port: 7799 })
  const address = header.getByRole('group', { name: 'Connect address' })
  await expect(address).toContainText(':7799')
  await tabTo(page, address.getByRole('button', { name: 'Copy the connect address' }))
  await page.keyboard.press('Enter')
  await expect(address.getByRole('status')).toHaveText('Copied')

  await seedPlayerHistory(program, public_id, { days: 9 })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/servers/${public_id}?compare=week`)
    await expect(page.locator('canvas')).toBeVisible()
    expect(await page.evaluate(layoutShift), `layout shift at ${width}`).toBeLessThanOrEqual(0.02)
  }
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `the header, ${variant}`))
  await page.setViewportSize({ width: 320, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('tab', { name: 'Listing' }).click()
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await expect(preview.getByRole('img', { name: 'Verified' })).toBeVisible()
  await expect(preview.locator('img').first()).toBeVisible()
})

test('technical details are behind one disclosure, and the danger tab only transfers and deletes', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Plain ${username}` })
  await announce(program, credential, { version: '3.2.1' })
  await page.goto(`/servers/${public_id}`)
  await expect(page.getByText('of 128 players')).toBeVisible()
  await expect(page.getByText('3.2.1')).toBeHidden()
  await tabTo(page, page.getByText('Technical details'))
  await page.keyboard.press('Enter')
  await expect(page.getByText('3.2.1')).toBeVisible()
  await page.getByRole('tab', { name: 'Danger' }).click()
  await expect(page.getByRole('tabpanel').getByRole('button')).toHaveText(['Transfer server…', 'Delete server…'])
})

test('the activity names the group that a server joined', async ({ page, username, signInAs }) => {
  await startSession(page, username)
  await forceTier(await signInAs('admin'), page, 'SILVER')
  const { public_id } = await createServer(page, { name: `Member ${username}` })
  const group = await send<{ id: string }>(page, 'POST /api/users/groups', { name: `Harbour ${username}` })
  await send(page, `PATCH /api/users/tokens/${public_id}`, { group_id: group.id })
  await page.goto(`/servers/${public_id}?tab=activity`)
  await expect(page.getByRole('tabpanel')).toContainText(`Harbour ${username}`)
})

test('an owner shares a server: link, badge, card and QR code, or why it has no public page', async ({
  page,
  program,
  username,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Shared ${username}` })
  await page.goto(`/servers/${public_id}`)
  const share = page.getByRole('button', { name: 'Share', exact: true })
  const dialog = page.getByRole('dialog')
  await tabTo(page, share)
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('The public page appears with the first announce.')
  await page.keyboard.press('Escape')
  await expect(share).toBeFocused()
  await expect(page.getByRole('link', { name: 'View public page' })).toBeHidden()

  await announce(program, credential, { playersCount: 5 })
  await expect(page.getByRole('link', { name: 'View public page' })).toHaveAttribute('href', `/s/${public_id}`)
  await share.press('Enter')
  await expect(dialog.frameLocator('iframe').getByText(`Shared ${username}`)).toBeVisible()
  await tabTo(page, dialog.getByRole('button', { name: 'Copy: Link' }))
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${program.panelUrl}/s/${public_id}`)
  await dialog.getByLabel('Style').selectOption('for-the-badge')
  await dialog.getByLabel('Text on the left').fill('drivers')
  await expect(dialog.getByRole('textbox', { name: 'BBCode' })).toHaveValue(/badge\.svg\?style=for-the-badge&label=drivers\[\/img\]/)
  const badge = dialog.getByRole('img', { name: /^Badge/ })
  await expect.poll(() => badge.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 50)).toBe(true)
  const download = page.waitForEvent('download')
  await dialog.getByRole('link', { name: 'Download QR code' }).click()
  expect((await download).suggestedFilename()).toBe(`${public_id}.svg`)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the share dialog, ${variant}`))
})

test('on a phone, each tab but the overview has one bar of 56 px, and every tab says above the fold why the server is not listed', async ({
  page: owner,
  username,
  signInAs,
}) => {
  await startSession(owner, username)
  const admin = await signInAs('admin')
  const manager = await signInAs(`${username}_helper`)
  const name = `Phone ${username} with a name that is too long for one line`
  const { public_id: id } = await createServer(owner, { name })
  await grantManager(owner, manager, 'EDIT_DETAILS')
  await send(admin, `PATCH /api/admin/tokens/${id}/ban`, { banned: true, reason: 'Copied another server.' })
  for (const [page, path, why] of [
    [owner, `/servers/${id}`, 'Why isn’t this server listed?'],
    [manager, `/management/${await idOf(owner)}/servers/${id}`, 'Why isn’t this server listed?'],
    [admin, `/admin/servers/${id}`, 'Ban'],
  ] as const) {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(path)
    const header = page.locator('#main header')
    const tabs = page.getByRole('tablist')
    const reason = page.getByRole('region', { name: why, exact: true })
    await expect(header.locator('[data-banner]')).toBeVisible()
    await expect(reason).toBeInViewport()
    expect((await tabs.boundingBox())?.y, `tabs of ${path}`).toBeLessThan(480)
    for (const tab of ['Listing', 'Announces']) {
      await page.getByRole('tab', { name: tab, exact: true }).click()
      await expect(header.locator('[data-banner]')).toBeHidden()
      await expect(header.getByRole('heading', { level: 1, name })).toBeInViewport()
      await expect(header.locator('[data-status=banned]')).toBeInViewport()
      expect((await header.boundingBox())?.height).toBeLessThanOrEqual(56)
      expect((await tabs.boundingBox())?.y).toBeLessThan(100)
      await expect(reason).toBeInViewport({ ratio: 1 })
      expect((await reason.boundingBox())?.height, 'one line').toBeLessThan(56)
    }
    await expectAccessible(page, `${path} on a phone`)
  }
  // On a desktop, the tabs stay where they are.
  await owner.setViewportSize({ width: 1440, height: 900 })
  // The phone's scroll position may remain.
  const placeOfTabs = () =>
    owner.getByRole('tablist').evaluate((tabs) => tabs.getBoundingClientRect().y + (document.getElementById('main')?.scrollTop ?? 0))
  await owner.getByRole('tab', { name: 'Overview' }).click()
  await expect(owner.getByRole('region', { name: 'Players', exact: true })).toBeVisible()
  const place = await placeOfTabs()
  await owner.getByRole('tab', { name: 'Announces' }).click()
  await expect.poll(placeOfTabs).toBe(place)
  await owner.getByRole('tab', { name: 'Overview' }).click()
  await expect.poll(placeOfTabs).toBe(place)

  // On paper, without what only works on a screen, and in full.
  await owner.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(owner.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(owner.getByRole('tablist')).toBeHidden()
  await expect(owner.getByRole('button')).toHaveCount(0)
  await expect(owner.getByText('Copied another server.')).toBeVisible()
  await expectPaper(owner)
})
