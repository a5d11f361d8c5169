/** An image whose colours show which part of it was cropped. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'

export const SIZE = { width: 1600, height: 1200 }

/** An image of three bands: red at the top, green in the middle, blue at the bottom. */
export async function bandedImage({ width, height } = SIZE): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
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

export async function chooseImage(page: Page, field: string, image: Awaited<ReturnType<typeof bandedImage>>): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: `Choose image: ${field}` }).click()
  await (await chooser).setFiles(image)
}
