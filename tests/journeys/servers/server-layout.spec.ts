/** The page of a server as it looks: header, tabs, disclosure, sharing, and a phone. */
import sharp from 'sharp'
import { announce, createServer, expect, expectAccessible, expectPaper, startSession, test } from '#tests/journeys/journey.ts'
import { layoutShift } from '#tests/journeys/layout-shift.ts'
import { seedPlayerHistory } from '#tests/journeys/seed-player-history.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { forceTier, grantManager, idOf, onDesktopAndNarrowPhone, onDesktopAndPhone, send } from '#tests/journeys/users.ts'

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
    await expect(page.locator('[data-plot]')).toBeVisible()
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

test('on a phone, each tab has one bar of 52 px with its tabs at the lower edge, and says above the fold why the server is not listed', async ({
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
    await expect(reason).toBeInViewport()
    await expect(page.locator('[data-banner]')).toBeVisible()
    for (const tab of ['Overview', 'Listing', 'Announces']) {
      await page.getByRole('tab', { name: tab, exact: true }).click()
      await expect(header.getByRole('heading', { level: 1, name })).toBeInViewport()
      await expect(header.locator('[data-status=banned]')).toBeInViewport()
      expect((await header.boundingBox())?.height).toBe(52)
      expect((await tabs.boundingBox())?.y, `tabs of ${path}`).toBeGreaterThan(700)
      await expect(reason).toBeInViewport({ ratio: 1 })
      if (tab !== 'Overview') expect((await reason.boundingBox())?.height, 'one line').toBeLessThan(56)
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
