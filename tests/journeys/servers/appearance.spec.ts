/** Appearance of a server: icon, group, vanity ID, promotion and tags. */
import sharp from 'sharp'
import type { Program } from '#tests/program.ts'
import {
  announce,
  type CreatedServer,
  createServer,
  expect,
  expectAccessible,
  readList,
  startSession,
  test,
} from '#tests/journeys/journey.ts'
import { forceTier, idOf, onDesktopAndPhone, grantManager, send } from '#tests/journeys/users.ts'

/** What players see of a server's appearance. It announces first, because a slow machine may exceed the announce TTL. */
async function listed(program: Program, { public_id: id, credential }: CreatedServer) {
  await announce(program, credential)
  const server = (await readList(program)).find(({ publicId }) => publicId === id)
  return (
    server && { icon: server.masterlist_icon_url !== null, group: server.group?.name, vanity: server.vanityUrl, promoted: server.promoted }
  )
}

const PLAIN = { icon: false, group: undefined, vanity: '', promoted: false }
const KEPT_UNTIL_BENEFIT = 'It returns with the benefit'

async function iconFile(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const buffer = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#d0603a' } })
    .png()
    .toBuffer()
  return { name: 'icon.png', mimeType: 'image/png', buffer }
}

test('icon, group, vanity ID and promotion are locked without their benefits, hidden when these are lost, and restored with them', async ({
  page,
  signInAs,
  program,
  username,
  allowBrowserError,
}) => {
  test.slow()
  allowBrowserError(/409 \(Conflict\)/)
  await startSession(page, username)
  const admin = await signInAs('admin')
  const vanity = username.replaceAll('_', '-')
  const server = await createServer(page, { name: `Shown ${username}` })
  const other = await createServer(page, { name: `Other ${username}` })
  expect((await announce(program, server.credential)).status).toBe(200)
  await page.goto(`/servers/${server.public_id}?tab=listing`)
  const appearance = page.getByRole('region', { name: 'Appearance' })

  // Without benefits, each section says which tier unlocks it.
  await expect(appearance.getByRole('group', { name: 'Icon' })).toContainText('Custom Server Appearance comes with Bronze.')
  await expect(appearance.getByRole('group', { name: 'Group' })).toContainText('Server Groups comes with Silver.')
  await expect(appearance.getByRole('group', { name: 'Vanity ID' })).toContainText('Custom Vanity URL comes with Gold.')
  await expect(appearance.getByRole('group', { name: 'Promotion' })).toContainText('Promotion comes with Ruby.')
  await expect(appearance.getByRole('link', { name: 'View benefits' }).first()).toHaveAttribute('href', '/benefits')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `locked, ${variant}`))

  // The tier unlocks the controls without a reload.
  await forceTier(admin, page, 'RUBY')
  await expect(page.getByRole('textbox', { name: 'Vanity ID' })).toBeVisible()
  await send(page, `PATCH /api/users/tokens/${other.public_id}`, { vanity_url: `${vanity}-taken`, promoted: true })
  await page.locator('input[type=file]').setInputFiles(await iconFile())
  await page.getByRole('button', { name: 'Use image' }).click()
  await expect(page.getByRole('button', { name: 'Replace' })).toBeVisible()
  await page.getByRole('button', { name: 'New group…' }).click()
  await expect(page.getByLabel('New group')).toBeFocused()
  await page.getByLabel('New group').fill('x')
  await page.getByLabel('New group').press('Enter')
  await expect(page.getByLabel('New group')).toHaveAccessibleDescription(/3 to 48/)
  await page.getByLabel('New group').fill(`Night City ${username}`)
  await page.getByLabel('New group').press('Enter')
  await expect(page.getByRole('combobox', { name: 'Group' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Vanity ID' }).fill(`@${vanity.toUpperCase()}-taken`)
  await expect(page.getByRole('textbox', { name: 'Vanity ID' })).toHaveValue(`${vanity}-taken`)
  await page.getByRole('switch', { name: 'Promote this server' }).check()
  await expect(appearance).toContainText(`moves here from Other ${username}`)
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await expect(preview.getByRole('img', { name: 'Promoted' })).toBeVisible()
  await expect(preview).toContainText(`Night City ${username}`)

  // A taken vanity ID shows on its field, and the other fields keep their values.
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('textbox', { name: 'Vanity ID' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Vanity ID' })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('textbox', { name: 'Vanity ID' })).toHaveAccessibleDescription(/Another server has this vanity ID/i)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a taken vanity id, ${variant}`))
  await page.getByRole('textbox', { name: 'Vanity ID' }).fill(vanity)
  await expect(appearance).toContainText(`@${vanity} and at ${program.listUrl}/servers/${vanity}`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  await page.getByRole('button', { name: 'Close notification' }).click()
  const used = { icon: true, group: `Night City ${username}`, vanity, promoted: true }
  await expect.poll(() => listed(program, server), { timeout: 10_000 }).toEqual(used)
  await expect.poll(() => listed(program, other)).toMatchObject({ promoted: false })
  await expect(page.getByRole('button', { name: 'Copy the vanity ID' })).toBeVisible()
  await expectAccessible(page, 'every section used')

  // The benefits are lost: players see none of it, the owner sees the stored values.
  await forceTier(admin, page, null)
  await expect(appearance.getByText(KEPT_UNTIL_BENEFIT)).toHaveCount(4)
  await expect.poll(() => listed(program, server), { timeout: 10_000 }).toEqual(PLAIN)
  await expect(page.locator('h1 ~ *').and(page.getByRole('img', { name: 'Promotion is off: the benefit is missing' }))).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy the vanity ID' })).toBeHidden()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `without the benefits, ${variant}`))

  // Stored values can be removed, and the others return with the tier.
  await appearance.getByRole('button', { name: 'End promotion' }).click()
  await expect(appearance.getByRole('group', { name: 'Promotion' })).toBeFocused()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  await forceTier(admin, page, 'RUBY')
  await expect(page.getByRole('textbox', { name: 'Vanity ID' })).toHaveValue(vanity)
  await expect.poll(() => listed(program, server), { timeout: 10_000 }).toEqual({ ...used, promoted: false })
})

test('a manager edits the appearance within the owner’s benefits', async ({ page: owner, signInAs, program, username }) => {
  test.slow()
  await startSession(owner, username)
  const admin = await signInAs('admin')
  const manager = await signInAs(`${username}_helper`)
  const server = await createServer(owner, { name: `Helped ${username}` })
  await forceTier(admin, owner, 'SILVER')
  await send(owner, 'POST /api/users/groups', { name: `Group ${username}` })
  await grantManager(owner, manager, 'EDIT_APPEARANCE')
  await manager.goto(`/management/${await idOf(owner)}/servers/${server.public_id}?tab=listing`)
  const appearance = manager.getByRole('region', { name: 'Appearance' })
  await expect(appearance.getByRole('group', { name: 'Vanity ID' })).toContainText(
    `${username} doesn’t have this benefit. Custom Vanity URL comes with Gold.`,
  )
  await expect(manager.getByText('You can view these texts, but not edit them.')).toBeVisible()
  await manager.getByRole('combobox', { name: 'Group' }).selectOption({ label: `Group ${username}` })
  await manager.locator('input[type=file]').setInputFiles(await iconFile())
  await manager.getByRole('button', { name: 'Use image' }).click()
  await expect(manager.getByRole('button', { name: 'Replace' })).toBeVisible()
  await manager.getByRole('button', { name: 'Save changes' }).click()
  await expect(manager.getByText('Listing saved')).toBeVisible()
  await expect.poll(() => listed(program, server), { timeout: 10_000 }).toMatchObject({ icon: true, group: `Group ${username}` })
  await manager.getByRole('button', { name: 'Close notification' }).first().click()
  await onDesktopAndPhone(manager, (variant) => expectAccessible(manager, `the manager’s form, ${variant}`))

  // With another permission the texts are editable and the appearance is read-only.
  await grantManager(owner, manager, 'EDIT_DETAILS')
  await expect(appearance).toContainText('the permission “Edit appearance”')
  await expect(appearance).toContainText(`Group ${username}`)
  await expect(manager.getByLabel('Description')).toBeVisible()
  await onDesktopAndPhone(manager, (variant) => expectAccessible(manager, `the read-only appearance, ${variant}`))
})

test('groups are created, renamed and deleted on the benefits page', async ({ page, signInAs, username, allowBrowserError }) => {
  test.slow()
  allowBrowserError(/409 \(Conflict\)/)
  await startSession(page, username)
  const admin = await signInAs('admin')
  const panel = page.getByRole('region', { name: 'Your groups' })
  await page.goto('/benefits')
  await expect(panel).toContainText('Server Groups comes with Silver.')
  await forceTier(admin, page, 'GOLD')
  await expect(panel).toContainText('0 of 2 groups')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `no groups, ${variant}`))
  for (const name of ['First', 'Second']) {
    await panel.getByLabel('New group').fill(name)
    await panel.getByLabel('New group').press('Enter')
    await expect(panel.getByRole('heading', { name })).toBeVisible()
  }
  await expect(panel).toContainText('2 of 2 groups')
  await expect(panel).toContainText('You have reached your limit of 2 groups.')
  const groups = await send<{ id: string }[]>(page, 'GET /api/users/groups')
  await createServer(page, { name: `Grouped ${username}`, group_id: groups[0]?.id })

  await panel.getByRole('button', { name: 'Rename First' }).click()
  await panel.getByLabel('New name of First').fill('second')
  await panel.getByLabel('New name of First').press('Enter')
  await expect(panel.getByLabel('New name of First')).toHaveAccessibleDescription(/Another group of yours has this name/)
  await panel.getByLabel('New name of First').fill('Third')
  await panel.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(panel.getByRole('button', { name: 'Rename Third' })).toBeFocused()

  await page.reload()
  await expect(panel.getByRole('link', { name: `Grouped ${username}` })).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `two groups, ${variant}`))
  await panel.getByRole('button', { name: 'Delete Third' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(`Grouped ${username}`)
  await page.getByRole('button', { name: 'Delete group' }).click()
  await expect(panel.getByRole('heading', { name: 'Third', exact: true })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Your groups' })).toBeFocused()
  await expect(panel).toContainText('1 of 2 groups')

  // Links to the groups focus their heading, from this page and from another.
  const title = page.getByRole('heading', { name: 'Your groups' })
  await page.getByRole('heading', { level: 1 }).focus()
  await page.getByRole('link', { name: 'Your groups' }).click()
  await expect(title).toBeFocused()
  await page.goto('/servers')
  await page.setViewportSize({ width: 1440, height: 500 })
  await page
    .getByRole('main')
    .getByRole('link', { name: `Grouped ${username}` })
    .click()
  await page.getByRole('tab', { name: 'Listing' }).click()
  await page.getByRole('link', { name: 'Rename or delete groups' }).click()
  await expect(page).toHaveURL(/\/benefits#groups$/)
  await expect(title).toBeFocused()
  await expect(title).toBeInViewport()
  await page.getByRole('link', { name: 'Servers', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Servers' })).toBeFocused()
})

test('tags are added by Enter, Tab, comma, paste and leaving the field, and a rejected tag stays with its reason', async ({
  page,
  username,
}) => {
  test.slow()
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Tagged ${username}` })
  await page.goto(`/servers/${public_id}?tab=listing`)
  const input = page.getByLabel('Tags')
  const tag = (name: string) => page.getByRole('button', { name: `Remove tag ${name}`, exact: true })
  const paste = (text: string) =>
    input.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)

  await input.pressSequentially('enter')
  await input.press('Enter')
  await expect(tag('enter')).toBeVisible()
  await expect(page.getByText('Added enter. 1 of 4.')).toBeAttached()
  await input.pressSequentially('tab')
  await input.press('Tab')
  await expect(tag('tab')).toBeVisible()
  await expect(input).toBeFocused()
  // A comma in the middle adds the text before it; the rest stays in the field.
  await input.pressSequentially('firstrest')
  for (const _ of 'rest') await input.press('ArrowLeft')
  await input.pressSequentially(',')
  await expect(tag('first')).toBeVisible()
  await expect(input).toHaveValue('rest')
  await page.getByLabel('Website').focus()
  await expect(tag('rest')).toBeVisible()

  // A fifth tag stays in the field with the reason, and Tab still leaves the field.
  await input.pressSequentially('fifth')
  await input.press('Tab')
  await expect(input).not.toBeFocused()
  await expect(input).toHaveValue('fifth')
  await expect(input).toHaveAccessibleDescription(/You can add at most 4. Remove one to add “fifth”/)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  await page.getByRole('button', { name: 'Close notification' }).click()
  await expect(input).toHaveValue('fifth')
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Your changes to the listing are not saved.')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `one tag over the limit, ${variant}`))
  await tag('first').click()
  await expect(page.getByText('Removed first. 3 of 4.')).toBeAttached()
  await expect(tag('rest')).toBeFocused()
  await input.press('Enter')
  await expect(tag('fifth')).toBeVisible()
  for (const name of ['fifth', 'rest', 'tab']) {
    await input.press('Backspace')
    await expect(tag(name)).toBeHidden()
  }

  await paste('one,two\nENTER,three')
  for (const name of ['one', 'two', 'three']) await expect(tag(name)).toBeVisible()
  await expect(input).toHaveValue('ENTER')
  await expect(input).toHaveAccessibleDescription(/“ENTER” is already added/)
  await input.fill('')
  await tag('three').click()
  await paste('a tag that is longer than twenty-four')
  await expect(input).toHaveAccessibleDescription(/is too long: 37 of 24 characters/)
  await expect(input).toHaveValue('a tag that is longer than twenty-four')

  // Text in an input method's composition is not added.
  await input.fill('')
  await input.focus()
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text: 'かな,', selectionStart: 3, selectionEnd: 3 })
  await expect(input).toHaveValue('かな,')
  await expect(tag('かな')).toBeHidden()
  await session.send('Input.insertText', { text: 'かな' })
  await expect(tag('かな')).toBeHidden()
  await input.press('Enter')
  await expect(tag('かな')).toBeVisible()

  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Listing saved')).toBeVisible()
  expect((await send<{ tags: string[] }>(page, `GET /api/users/tokens/${public_id}`)).tags).toEqual(['enter', 'one', 'two', 'かな'])
})
