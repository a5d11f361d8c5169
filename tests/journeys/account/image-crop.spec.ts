/** Cropping an image: by keyboard in the form, and the function that does it. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import sharp from 'sharp'
import { PANEL } from '#web/build/messages.ts'
import { announce, createServer, expect, expectAccessible, readList, startSession, test } from '#tests/journeys/journey.ts'
import { forceTier, onDesktopAndPhone, onDesktopAndNarrowPhone } from '#tests/journeys/users.ts'
import { bandedImage, chooseImage } from './banded-image.ts'

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

test('cropImage crops the middle or a given area, applies the EXIF orientation, and rejects unusable images', async ({ page }) => {
  const code = stripTypeScriptTypes(readFileSync(new URL('../../../web/lib/image-crop.ts', import.meta.url), 'utf8'))
  const texts = `const texts = ${readFileSync(PANEL.english, 'utf8')}
    const m = new Proxy({}, { get: (_, key) => (values) => texts[key].replaceAll(/\\{(\\w+)\\}/g, (_, name) => values[name]) })`
  const source = code.replace("import { m } from '#messages'", () => texts)
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
