/** Draws the Open Graph image of a server, like the header of its page. Runs in the drawing process. */
import sharp, { type Sharp } from 'sharp'
import { TILE_TEXT_COLOUR, initialsOf, tileColour } from '#contract/text/tile.ts'
import { FAMILIES, type Style, drawLines, drawableText, escapeXml } from './og-text.ts'

/** Everything that the image shows. */
export interface OgImage {
  readonly name: string
  /** Replaces a name without a character that can be drawn, and chooses the colour of a server without images. */
  readonly id: string
  /** Undefined while the server is offline. */
  readonly players: { readonly count: number; readonly max: number } | undefined
  /** Language, region and game mode. */
  readonly facts: readonly string[]
  /** The name of this installation. */
  readonly brand: string
  /** Its logo. Undefined for the product's own. */
  readonly logo: Uint8Array | undefined
  readonly icon: Uint8Array | undefined
  readonly banner: Uint8Array | undefined
}

const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 72]
const BANNER_HEIGHT = 264
const ICON = { size: 176, radius: 38, border: 8, y: 164 }
const FOOTER_Y = 560
/** The background is drawn this much smaller, because it has no details. */
const SHRINK = 8

/** Tokens of the dark theme (web/ui/tokens.css). */
const SURFACE = '#0b0c0f'
const [BRIGHT, SOFT, FAINT, ONLINE] = ['#f1f3f6', '#b3b9c4', '#959ca9', '#45cf8f']

/** `web/shell/icon.svg`, at the size of the footer. */
const LOGO =
  '<rect width="32" height="32" rx="8" fill="#2f6fed"/><g fill="#fff"><rect x="7" y="8" width="12" height="4" rx="2"/><rect x="7" y="14" width="9" height="4" rx="2" opacity=".75"/><rect x="7" y="20" width="12" height="4" rx="2" opacity=".5"/><circle cx="23.5" cy="10" r="2.5" fill="#7df0b8"/></g>'

/** From large to small; the first whose lines fit is used. */
const TITLE_SIZES = [84, 68, 58, 50, 42, 34, 28]
const TITLE = { top: 350, width: WIDTH - 2 * MARGIN, height: 146 }
const NUMBER = new Intl.NumberFormat('en')
const FOOTER: Style = { size: 32, weight: 'Medium', colour: SOFT }
const LOGO_SIZE = 42
const LOGO_GAP = 14
const FACTS_X = MARGIN + 34
/** Of the name of this installation: the facts need the rest. */
const MAX_BRAND_WIDTH = 400

// One image at a time, and no cache.
sharp.cache(false)
sharp.concurrency(1)

/** Returns a PNG. */
export async function drawOgImage(image: OgImage): Promise<Buffer> {
  const name = drawableText(image.name) || image.id
  const parts = [
    await drawBackground(image),
    image.icon === undefined ? drawInitials(name, image.id) : await drawIcon(image.icon),
    await drawFooter(image),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="${FAMILIES}">${parts.join('')}</svg>`
  const picture = sharp(Buffer.from(svg)).composite([await drawTitle(name)])
  return await picture.removeAlpha().png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer()
}

/** The title in the largest size that fits, in the middle of its place. */
async function drawTitle(name: string) {
  let title = { png: Buffer.alloc(0), width: Infinity, height: Infinity }
  for (const size of TITLE_SIZES) {
    title = await drawLines(name, { size, weight: 'Bold', colour: BRIGHT }, TITLE.width)
    const isFitting = title.width <= TITLE.width && title.height <= TITLE.height
    // One line if it is large enough to read, or else two or three.
    if (isFitting && (size <= 58 || title.height < size * 1.5)) break
  }
  const { data, info } = await sharp(title.png)
    .resize({ width: TITLE.width, height: TITLE.height, fit: 'inside', withoutEnlargement: true })
    .toBuffer({ resolveWithObject: true })
  return { input: data, left: MARGIN, top: TITLE.top + Math.round((TITLE.height - info.height) / 2) }
}

async function drawFooter({ players, facts, brand, logo }: OgImage): Promise<string> {
  const name = await fittingName(drawableText(brand))
  const logoX = WIDTH - MARGIN - (await widthOf(name)) - LOGO_GAP - LOGO_SIZE
  const factsWidth = logoX - 30 - FACTS_X
  const count = players === undefined ? 'Offline' : `${NUMBER.format(players.count)} / ${NUMBER.format(players.max)}`
  const shown = facts.map(drawableText).filter((fact) => fact !== '')
  const rest = () => (players === undefined ? ['', ...shown].join(' · ') : ` ${['players', ...shown].join(' · ')}`)
  while (shown.length > 0 && (await drawLines(count + rest(), FOOTER)).width > factsWidth) shown.pop()
  return `<circle cx="${MARGIN + 9}" cy="${FOOTER_Y - 11}" r="9" fill="${players === undefined ? FAINT : ONLINE}"/>
    <g font-size="${FOOTER.size}" font-weight="500" fill="${BRIGHT}">
      <text x="${FACTS_X}" y="${FOOTER_Y}" xml:space="preserve">${count}<tspan fill="${SOFT}">${escapeXml(rest())}</tspan></text>
      <text x="${WIDTH - MARGIN}" y="${FOOTER_Y}" text-anchor="end">${escapeXml(name)}</text>
    </g>
    ${await drawLogo(logo, logoX)}`
}

/** A name can have no character that can be drawn. */
const widthOf = async (text: string) => (text === '' ? 0 : (await drawLines(text, FOOTER)).width)

async function fittingName(name: string): Promise<string> {
  let fitting = name
  while ((await widthOf(fitting)) > MAX_BRAND_WIDTH) fitting = `${fitting.slice(0, -2).trimEnd()}…`
  return fitting
}

async function drawLogo(logo: Uint8Array | undefined, x: number): Promise<string> {
  const y = FOOTER_Y - 32
  if (logo === undefined) return `<g transform="translate(${x} ${y}) scale(${LOGO_SIZE / 32})">${LOGO}</g>`
  const box = { x, y, width: LOGO_SIZE, height: LOGO_SIZE }
  return await drawPicture(sharp(logo).resize(LOGO_SIZE * 2, LOGO_SIZE * 2, { fit: 'contain', background: '#0000' }), box)
}

function frameOf(content: string, colour: string): string {
  const { size, radius, border, y } = ICON
  return `<rect x="${MARGIN - border}" y="${y - border}" width="${size + 2 * border}" height="${size + 2 * border}" rx="${radius + border}" fill="${SURFACE}"/>
    <clipPath id="icon"><rect x="${MARGIN}" y="${y}" width="${size}" height="${size}" rx="${radius}"/></clipPath>
    <g clip-path="url(#icon)"><rect x="${MARGIN}" y="${y}" width="${size}" height="${size}" fill="${colour}"/>${content}</g>`
}

async function drawIcon(icon: Uint8Array): Promise<string> {
  const { size, y } = ICON
  return frameOf(await drawPicture(sharp(icon).resize(size, size), { x: MARGIN, y, width: size, height: size }), SURFACE)
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

async function drawPicture(picture: Sharp, { x, y, width, height }: Box): Promise<string> {
  const png = await picture.png({ compressionLevel: 1 }).toBuffer()
  const href = `data:image/png;base64,${png.toString('base64')}`
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none" href="${href}"/>`
}

function drawInitials(name: string, id: string): string {
  const middle = `x="${MARGIN + ICON.size / 2}" y="${ICON.y + ICON.size / 2 + 26}" text-anchor="middle"`
  const text = `<text ${middle} font-size="72" font-weight="600" fill="${TILE_TEXT_COLOUR}">${escapeXml(initialsOf(name))}</text>`
  return frameOf(text, tileColour(id))
}

/** The colours of the banner or the icon without its shapes, fading into the page. */
async function drawBackground({ banner, icon, id }: OgImage): Promise<string> {
  const source = banner ?? icon
  const colours = source === undefined ? gradientOf(id) : sharp(source).flatten({ background: SURFACE }).resize(8, 3, { fit: 'fill' })
  const grid = await colours.modulate({ saturation: 1.2 }).png().toBuffer()
  const [width, height] = [WIDTH / SHRINK, Math.ceil(HEIGHT / SHRINK)]
  const bannerHeight = BANNER_HEIGHT / SHRINK
  const background = sharp(grid)
    .resize(width, bannerHeight, { fit: 'fill', kernel: 'cubic' })
    .extend({ bottom: height - bannerHeight, background: SURFACE })
    .blur(5)
  return await drawPicture(background, { x: 0, y: 0, width: WIDTH, height: height * SHRINK })
}

function gradientOf(id: string): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="3"><linearGradient id="g" x2="1" y2=".4"><stop stop-color="${tileColour(id)}"/><stop offset="1" stop-color="${tileColour(id)}" stop-opacity=".3"/></linearGradient><rect width="8" height="3" fill="${SURFACE}"/><rect width="8" height="3" fill="url(#g)"/></svg>`
  return sharp(Buffer.from(svg))
}
