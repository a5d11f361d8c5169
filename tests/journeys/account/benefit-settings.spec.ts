/** Benefit settings: cropping an image by keyboard, invalid addresses, drafts, and another user's settings. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { parseSync } from 'oxc-parser'
import { BENEFIT_KEY_ERRORS } from '#contract/benefits.ts'
import { replaceMessages } from '#web/build/inline-messages.ts'
import { PANEL } from '#web/build/messages.ts'
import {
  announce,
  createServer,
  expect,
  expectAccessible,
  holdRequests,
  openWithStream,
  readList,
  signIn,
  startSession,
  test,
} from '#tests/journeys/journey.ts'
import { forceTier, idOf, onDesktopAndPhone, onDesktopAndNarrowPhone, send } from '#tests/journeys/users.ts'

const SIZE = { width: 1600, height: 1200 }

/** An image of three bands: red at the top, green in the middle, blue at the bottom. */
async function bandedImage({ width, height } = SIZE): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const band = (color: string) =>
    sharp({ create: { width, height: height / 3, channels: 3, background: color } })
      .png()
      .toBuffer()
  const [green, blue] = await Promise.all(['#00c000', '#0000c0'].map(band))
  const buffer = await sharp({ create: { width, height, channels: 3, background: '#c00000' } })
    .composite([
      { input: green, top: height / 3, left: 0 },
      { input: blue, top: (2 * height) / 3, left: 0 },
    ])
    .jpeg()
    .toBuffer()
  return { name: 'bands.jpg', mimeType: 'image/jpeg', buffer }
}

async function chooseImage(page: Page, field: string, image: Awaited<ReturnType<typeof bandedImage>>): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: `Choose image: ${field}` }).click()
  await (await chooser).setFiles(image)
}

test('a banner cropped by keyboard survives a failed upload, and shows on the selected servers only', async ({
  page,
  signInAs,
  program,
  username,
  allowBrowserError,
}) => {
  test.slow()
  allowBrowserError(/ERR_FAILED .*\/api\/users\/images$/)
  await startSession(page, username)
  const admin = await signInAs('admin')
  await forceTier(admin, page, 'GOLD')
  const shown = await createServer(page, { name: `With a banner ${username}` })
  const other = await createServer(page, { name: `Without ${username}` })
  for (const { credential } of [shown, other]) expect((await announce(program, credential)).status).toBe(200)
  await page.goto('/benefits/CUSTOM_banner')
  await expect(page.getByRole('heading', { name: 'Custom Banner' })).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `no banner, ${variant}`))

  await chooseImage(page, 'Banner', { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(page.getByText('Invalid file type. Expected an image.')).toBeVisible()
  // An SVG is rejected even at the right size, which would need no crop. Another image replaces it.
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="320"/>'
  await chooseImage(page, 'Banner', { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) })
  await expect(page.getByRole('dialog', { name: 'This image can’t be used' })).toContainText('This is an SVG.')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a rejected picture, ${variant}`))
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose another image' }).click()
  await (await chooser).setFiles(await bandedImage())
  const frame = page.getByRole('application', { name: 'Crop area' })
  await expect(frame).toBeFocused()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the cropper, ${variant}`))
  // Moves the crop from the middle to the top edge.
  for (let presses = 0; presses < 30; presses += 1) await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('status').filter({ hasText: 'from 0% left and 0% top' })).toBeAttached()

  // A paste does not reach the field behind the dialog.
  await frame.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['other'], 'other.png', { type: 'image/png' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })

  // An upload error shows in the dialog, and the crop stays.
  await page.route('**/api/users/images', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Use image' }).click()
  await expect(page.getByRole('alert')).toContainText('Can’t reach Muster')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Replace: Banner' })).toBeFocused()
  await page.getByRole('radio', { name: 'Selected servers' }).check()
  await expect(page.getByText('No servers are selected')).toBeVisible()
  await page.getByRole('checkbox', { name: `With a banner ${username}` }).check()
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `a banner, ${variant}`))
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()

  const listed = async () => {
    const servers = await readList(program)
    return [shown, other].map(({ public_id }) => servers.find(({ publicId }) => publicId === public_id)?.bannerUrl ?? '')
  }
  await expect.poll(async () => (await listed()).map((url) => url !== '')).toEqual([true, false])
  const [url = ''] = await listed()
  const { data, info } = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 1280, height: 320 })
  const [red = 0, green = 0, blue = 0] = data.subarray((info.width * 10 + 640) * info.channels)
  expect(red > 150 && green < 60 && blue < 60, 'the upper edge is red').toBe(true)
})

test('an address without settings says why: unknown benefit or user, no settings page, or no permission', async ({
  page,
  openPanelAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(
    new RegExp(
      [
        ...Object.values(BENEFIT_KEY_ERRORS).map((error) => error()),
        'administrative privileges',
        '404 \\(Not Found\\)',
        'no such user',
      ].join('|'),
    ),
  )
  await signIn(page, username)
  const admin = await openPanelAs('admin')
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

test('cropImage crops the middle or a given area, applies the EXIF orientation, and rejects unusable images', async ({ page }) => {
  const code = stripTypeScriptTypes(readFileSync(new URL('../../../web/lib/image-crop.ts', import.meta.url), 'utf8'))
  const texts = JSON.parse(readFileSync(PANEL.english, 'utf8')) as Record<string, unknown>
  const source = replaceMessages(code, parseSync('image-crop.js', code).program, { '#messages': { texts, modules: '' } })
  await page.goto('about:blank')
  const jpeg = (await bandedImage({ width: 60, height: 90 })).buffer
  const rotated = await sharp(jpeg).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const gif = await sharp(jpeg).gif().toBuffer()
  const results = await page.evaluate(
    async ({ source: text, files }) => {
      const { cropImage } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
        cropImage: (file: Blob, to: { width: number; height: number }, area?: object) => Promise<Blob>
      }
      const blobOf = async (type: string, base64: string) =>
        new Blob([await (await fetch(`data:;base64,${base64}`)).arrayBuffer()], { type })
      const [picture, rotatedImage, animated] = await Promise.all([
        blobOf('image/jpeg', files.jpeg),
        blobOf('image/jpeg', files.rotated),
        blobOf('image/gif', files.gif),
      ])
      const describe = async (blob: Blob) => {
        const bitmap = await createImageBitmap(blob)
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
        const context = canvas.getContext('2d')
        context?.drawImage(bitmap, 0, 0)
        const middle = Array.from(context?.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data ?? [])
        return { type: blob.type, size: `${bitmap.width}x${bitmap.height}`, color: 'RGB'[middle.indexOf(Math.max(...middle.slice(0, 3)))] }
      }
      const rejectionOf = (promise: Promise<unknown>) =>
        promise.then(
          () => '',
          (error: Error) => error.message,
        )
      const to = { width: 30, height: 15 }
      const results = {
        middle: await describe(await cropImage(picture, to)),
        part: await describe(await cropImage(picture, to, { x: 0, y: 0, width: 60, height: 30 })),
        rotated: await describe(await cropImage(rotatedImage, { width: 90, height: 60 }, { x: 62, y: 0, width: 26, height: 20 })),
        untouched: (await cropImage(picture, { width: 60, height: 90 })) === picture,
        gif: (await describe(await cropImage(animated, to))).type,
        text: await rejectionOf(cropImage(new Blob(['x'], { type: 'text/plain' }), to)),
        broken: await rejectionOf(cropImage(new Blob(['x'], { type: 'image/png' }), to)),
        noBlob: '',
        noContext: '',
      }
      HTMLCanvasElement.prototype.toBlob = (done) => done(null)
      results.noBlob = await rejectionOf(cropImage(picture, to))
      HTMLCanvasElement.prototype.getContext = () => null
      results.noContext = await rejectionOf(cropImage(picture, to))
      return results
    },
    { source, files: { jpeg: jpeg.toString('base64'), rotated: rotated.toString('base64'), gif: gif.toString('base64') } },
  )
  expect(results).toEqual({
    middle: { type: 'image/jpeg', size: '30x15', color: 'G' },
    part: { type: 'image/jpeg', size: '30x15', color: 'R' },
    // Rotated by 90 degrees, the top band is at the right.
    rotated: { type: 'image/jpeg', size: '90x60', color: 'R' },
    untouched: true,
    gif: 'image/png',
    text: 'Invalid file type. Expected an image.',
    broken: 'This image can’t be opened. It may be damaged, or in a format that your browser does not support.',
    noBlob: 'Failed to create blob',
    noContext: 'Failed to create 2D context',
  })
})
