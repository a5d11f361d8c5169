/** Benefit settings: cropping an image by keyboard, invalid addresses, drafts, and another user's settings. */
import type { Page } from '@playwright/test'
import { createServer, expect, expectAccessible, holdRequests, openWithStream, startSession, test } from '#tests/journeys/journey.ts'
import { forceTier, idOf, onDesktopAndPhone, onDesktopAndNarrowPhone, send } from '#tests/journeys/users.ts'
import { bandedImage, chooseImage } from './banded-image.ts'

test('an address without settings says why: unknown benefit or user, no settings page, or no permission', async ({
  page,
  signInAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(
    new RegExp(
      [
        'Invalid benefit key',
        'Benefit does not have a settings page',
        'User does not have this benefit',
        'administrative privileges',
        '404 \\(Not Found\\)',
        'no such user',
      ].join('|'),
    ),
  )
  await startSession(page, username)
  const admin = await signInAs('admin')
  const id = await idOf(page)
  const expectError = async (visitor: Page, path: string, reason: string) => {
    await visitor.goto(path)
    await expect(visitor.getByRole('heading', { name: 'Whoops, something is wrong :(' })).toBeVisible()
    await expect(visitor.getByRole('alert')).toContainText(reason)
  }
  const reasons = [
    ['no_such_thing', 'Invalid benefit key'],
    ['promoted', 'Benefit does not have a settings page'],
    ['Custom_Banner', 'User does not have this benefit'],
  ] as const
  for (const [key, reason] of reasons) {
    await expectError(page, `/benefits/${key}`, reason)
    await expectError(admin, `/admin/benefits/${key}/users/${id}`, reason)
  }
  await expectError(admin, `/admin/users/${id}/benefits/custom_banner`, 'User does not have this benefit')
  await expectError(admin, `/admin/benefits/custom_banner/users/${id.replaceAll(/\d/g, '0')}`, 'There is no such user.')
  await expectError(
    page,
    `/admin/benefits/custom_banner/users/${id}`,
    'This route can only be accessed by users with administrative privileges.',
  )
})

/** Expects that a feed's text and links render, and that its scripts and images do not. */
async function expectSafeFeedPreview(page: Page): Promise<void> {
  const html = '<p>The <b>harbour</b> is open: <a href="https://example.com/map">map</a>, <a href="javascript:alert(1)">trap</a></p>'
  const items = [
    {
      title: 'Season three',
      link: 'https://example.com/3',
      published_at: null,
      html: `${html}<img src="/nowhere"><script>alert(1)</script>`,
    },
  ]
  await page.route('**/feed-preview', (route) => route.fulfill({ json: { data: { title: 'Harbour news', items } } }), { times: 1 })
  await page.getByRole('button', { name: 'Preview' }).click()
  const news = page.getByRole('region', { name: 'Harbour news' })
  await expect(news.getByRole('link', { name: 'map' })).toHaveAttribute('rel', 'noopener nofollow ugc')
  await expect(news.getByRole('link')).toHaveCount(2)
  await expect(news.locator('img, style, script')).toHaveCount(0)
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('Season three')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `news, ${variant}`))
}

test('the launcher form shows a preview, keeps its draft through errors and a reload, and can be edited by an administrator', async ({
  page,
  signInAs,
  username,
  allowBrowserError,
}) => {
  test.slow()
  allowBrowserError(/400 \(Bad Request\) .*\/feed-preview$/)
  allowBrowserError(/412 \(Precondition Failed\) .*\/settings$/)
  await startSession(page, username)
  const admin = await signInAs('admin')
  await forceTier(admin, page, 'DIAMOND_ALTRUIST')
  await createServer(page, { name: `Launched ${username}` })
  await page.goto('/benefits/custom_launcher')
  const preview = page.getByRole('complementary', { name: 'Preview' })
  const name = page.getByRole('textbox', { name: /^Name/ })
  const address = page.getByRole('textbox', { name: /^UI address/ })
  await name.fill('Harbour Life')
  await page.getByPlaceholder('#3fa2e9').fill('ffcc33')
  await expect(page.getByPlaceholder('#3fa2e9')).toHaveValue('#ffcc33')
  await expect(preview.getByText('Harbour Life')).toHaveCount(2)
  await expect(preview.getByText('Connect')).toHaveCSS('background-color', 'rgb(255, 204, 51)')
  await expect(preview.getByText('Connect')).toHaveCSS('color', 'rgb(0, 0, 0)')
  await page.getByLabel('News feed').fill('https://localhost.example/feed.xml')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectSafeFeedPreview(page)
  await page.getByLabel('News feed').fill('http://example.com/feed.xml')
  await address.fill('https://example.com/launcher')
  await expect(preview).toContainText('Your own page appears here')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('News feed')).toBeFocused()
  await expect(page.getByLabel('News feed')).toHaveAccessibleDescription('News feed must begin with https://.')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `an error in the launcher, ${variant}`))

  // The draft survives a reload, and leaving the page asks for confirmation.
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByText('Unsaved changes restored')).toBeVisible()
  await expect(page.getByPlaceholder('#3fa2e9')).toHaveValue('#ffcc33')
  await page.getByRole('link', { name: 'Servers', exact: true }).first().click()
  await expect(page.getByText('Your changes to these settings are not saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByLabel('News feed').fill('')

  // Text typed during a save stays unsaved.
  const release = await holdRequests(page, '**/settings', 'PUT')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await name.fill('Harbour Lives')
  release()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()

  // Without its benefit, the saved UI address is read-only and its draft is discarded.
  await address.fill('https://example.com/never-saved')
  await send(admin, `PUT /api/admin/users/${await idOf(page)}/benefits/CUSTOM_LAUNCHER`)
  await forceTier(admin, page, null)
  await expect(address).toHaveAttribute('readonly')
  await expect(address).toHaveAccessibleDescription(/Custom Launcher UI, which comes with Diamond Altruist/)
  await expect(address).toHaveValue('https://example.com/launcher')
  await expect(address).toHaveAccessibleDescription(/stays saved/)
  await expect(preview).not.toContainText('Your own page appears here')

  // An administrator has the same page and can upload an image.
  await openWithStream(admin, `/admin/benefits/custom_launcher/users/${await idOf(page)}`)
  await expect(admin.getByRole('heading', { name: `${username}’s Custom Launcher` })).toBeVisible()
  await expect(admin.getByRole('textbox', { name: /^Name/ })).toHaveValue('Harbour Lives')
  // Fields that the owner saves at the same time are not overwritten by the administrator.
  await name.fill('Harbour Nights')
  await page.getByRole('button', { name: 'Remove: UI address' }).click()
  await expect(address).toBeFocused()
  await expect(address).not.toHaveAccessibleDescription(/stays saved/)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()
  await chooseImage(admin, 'Logo', await bandedImage({ width: 300, height: 300 }))
  await admin.getByRole('button', { name: 'Use image' }).click()
  await expect(admin.getByRole('button', { name: 'Replace: Logo' })).toBeFocused()
  await admin.getByRole('button', { name: 'Save changes' }).click()
  await admin.getByRole('button', { name: 'Save selection' }).click()
  await expect(admin.getByText('Settings saved')).toBeVisible()
  await expect(admin.getByRole('textbox', { name: /^Name/ })).toHaveValue('Harbour Nights')
  await onDesktopAndNarrowPhone(admin, (variant) => expectAccessible(admin, `a user’s launcher, ${variant}`))
  await expect(page.getByRole('button', { name: 'Replace: Logo' })).toBeVisible()
  await page.reload()
  await expect(name).toHaveValue('Harbour Nights')
  await expect(address).toHaveValue('')
  await expect(admin.getByRole('link', { name: `${username}’s benefits` })).toHaveAttribute('href', /\/admin\/users\/.*\/benefits$/)
})
