/** The icons of browsers and home screens, and the web manifest, made from `shell/icon.svg`. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

type File = [path: string, content: Buffer]

const FAVICON_SIZE = 32
const TOUCH_ICON_SIZE = 180

/** @param root the folder of the web app. Returns paths in the folder of the build. */
export async function buildIcons(root: string): Promise<File[]> {
  const rounded = await readFile(join(root, 'shell/icon.svg'), 'utf8')
  // Phones cut off the corners.
  const square = rounded.replace('rx="8"', '')
  if (square === rounded) throw new Error('shell/icon.svg has no rounded background')
  const icons = await Promise.all([
    manifestIcon(rounded, 192, 'any'),
    manifestIcon(rounded, 512, 'any'),
    manifestIcon(square, 512, 'maskable'),
  ])
  const [background] = /(?<=--surface-0: )#\w+/.exec(await readFile(join(root, 'ui/tokens.css'), 'utf8')) ?? []
  if (background === undefined) throw new Error('ui/tokens.css has no --surface-0')
  const manifest = {
    id: '/',
    name: 'Muster',
    start_url: '/',
    display: 'minimal-ui',
    background_color: background,
    theme_color: background,
    icons: icons.map(({ path, size, purpose }) => ({ src: `/${path}`, sizes: `${size}x${size}`, type: 'image/png', purpose })),
  }
  return [
    ['favicon.ico', icoOf(await draw(rounded, FAVICON_SIZE))],
    ['apple-touch-icon.png', await draw(square, TOUCH_ICON_SIZE)],
    ['manifest.webmanifest', Buffer.from(JSON.stringify(manifest))],
    ...icons.map(({ path, content }): File => [path, content]),
  ]
}

async function manifestIcon(svg: string, size: number, purpose: 'any' | 'maskable') {
  const content = await draw(svg, size)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 7)
  return { path: `assets/icon-${size}-${purpose}-${hash}.png`, content, size, purpose }
}

async function draw(svg: string, size: number): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
}

/** An ICO file with this PNG image: a header of 6 bytes and a directory of 16. */
function icoOf(png: Buffer): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(FAVICON_SIZE, 6)
  head.writeUInt8(FAVICON_SIZE, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
