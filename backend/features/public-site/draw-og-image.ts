/** Draws the Open Graph image of a server, like the header of its page. Runs in the drawing process. */
import sharp, { type Sharp } from 'sharp'
import { type SetText, type Style, breakLines, drawLine, graphemesOf, setText, widthOf } from './og-text.ts'

/** Everything that the image shows. */
export interface OgImage {
  readonly name: string
  /** Replaces a name without a character that can be drawn, and chooses the colours of a server without images. */
  readonly id: string
  /** Undefined while the server is offline. */
  readonly players: { readonly count: number; readonly max: number } | undefined
  /** Language, region and game mode. */
  readonly facts: readonly string[]
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
const TILE = '#1a1d23'
const [BRIGHT, SOFT, FAINT, ONLINE] = ['#f1f3f6', '#b3b9c4', '#959ca9', '#45cf8f']
/** In the order of a colour wheel, so that neighbours make a gradient without grey. */
const HUES = ['#ff8380', '#f7a067', '#eeb44f', '#5fd09a', '#58cfc8', '#7db0ff', '#9fa9ff', '#b99fff', '#f58bc1'] as const

/** `web/shell/icon.svg`, at the size of the footer. */
const LOGO =
  '<rect width="32" height="32" rx="8" fill="#2f6fed"/><g fill="#fff"><rect x="7" y="8" width="12" height="4" rx="2"/><rect x="7" y="14" width="9" height="4" rx="2" opacity=".75"/><rect x="7" y="20" width="12" height="4" rx="2" opacity=".5"/><circle cx="23.5" cy="10" r="2.5" fill="#7df0b8"/></g>'

/** From large to small; the first that needs no more lines is used. */
const TITLE_SIZES = [
  { size: 84, maxLines: 1 },
  { size: 68, maxLines: 1 },
  { size: 58, maxLines: 2 },
  { size: 50, maxLines: 2 },
] as const
const NUMBER = new Intl.NumberFormat('en')
const FOOTER: Style = { size: 32, weight: 500, colour: SOFT }

// One image at a time, and no cache.
sharp.cache(false)
sharp.concurrency(1)

/** Returns a PNG. */
export async function drawOgImage(image: OgImage): Promise<Buffer> {
  const title = await titleOf(image)
  const parts = [
    await drawBackground(image),
    image.icon === undefined ? await drawInitial(title) : await drawIcon(image.icon),
    drawTitle(title),
    await drawFooter(image),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${parts.join('')}</svg>`
  return await sharp(Buffer.from(svg)).removeAlpha().png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer()
}

async function titleOf({ name, id }: OgImage): Promise<SetText> {
  const style = { size: TITLE_SIZES[0].size, weight: 700, colour: BRIGHT }
  const title = await setText(name, style)
  return title.text === '' ? await setText(id, style) : title
}

function drawTitle(title: SetText): string {
  const width = WIDTH - 2 * MARGIN
  const sizes = TITLE_SIZES.map(({ size, maxLines }) => ({ text: { ...title, style: { ...title.style, size } }, maxLines }))
  const fitting = sizes.find(({ text, maxLines }) => breakLines(text, width, maxLines + 1).length <= maxLines) ?? sizes.at(-1)
  if (fitting === undefined) return ''
  const { text, maxLines } = fitting
  const lines = breakLines(text, width, maxLines)
  const { size } = text.style
  const first = lines.length === 1 ? 444 : 412
  return lines.map((line, index) => drawLine({ ...text, text: line }, MARGIN, first + index * size * 1.22)).join('')
}

async function drawFooter({ players, facts }: OgImage): Promise<string> {
  const product = await setText('Muster', { ...FOOTER, colour: BRIGHT })
  const productX = WIDTH - MARGIN - widthOf(product)
  const count = await setText(players === undefined ? 'Offline' : `${NUMBER.format(players.count)} / ${NUMBER.format(players.max)}`, {
    ...FOOTER,
    colour: BRIGHT,
  })
  const drawable: string[] = []
  for (const fact of facts) if ((await setText(fact, FOOTER)).text !== '') drawable.push(fact)
  const rest = await setText([players === undefined ? '' : 'players', ...drawable].join(' · '), FOOTER)
  const countX = MARGIN + 34
  const restX = countX + widthOf(count) + 10
  const [line = ''] = breakLines(rest, productX - 90 - restX, 1)
  return [
    `<circle cx="${MARGIN + 9}" cy="${FOOTER_Y - 11}" r="9" fill="${players === undefined ? FAINT : ONLINE}"/>`,
    drawLine(count, countX, FOOTER_Y),
    drawLine({ ...rest, text: line }, restX, FOOTER_Y),
    `<g transform="translate(${productX - 56} ${FOOTER_Y - 32}) scale(1.3)">${LOGO}</g>`,
    drawLine(product, productX, FOOTER_Y),
  ].join('')
}

function frameOf(content: string): string {
  const { size, radius, border, y } = ICON
  return `<rect x="${MARGIN - border}" y="${y - border}" width="${size + 2 * border}" height="${size + 2 * border}" rx="${radius + border}" fill="${SURFACE}"/>
    <clipPath id="icon"><rect x="${MARGIN}" y="${y}" width="${size}" height="${size}" rx="${radius}"/></clipPath>
    <g clip-path="url(#icon)"><rect x="${MARGIN}" y="${y}" width="${size}" height="${size}" fill="${TILE}"/>${content}</g>`
}

async function drawIcon(icon: Uint8Array): Promise<string> {
  const { size, y } = ICON
  return frameOf(await drawPicture(sharp(icon).resize(size, size), { x: MARGIN, y, width: size, height: size }))
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

async function drawInitial(title: SetText): Promise<string> {
  const initial = { ...title, text: graphemesOf(title.text.toUpperCase())[0] ?? '' }
  const upper = await setText(initial.text, { ...title.style, size: 88 })
  return frameOf(drawLine(upper, MARGIN + (ICON.size - widthOf(upper)) / 2, ICON.y + ICON.size / 2 + 31))
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
  const number = Array.from(id).reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 0)
  const hue = (offset: number) => HUES[(number + offset) % HUES.length] ?? HUES[0]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="3"><linearGradient id="g" x2="1" y2="1"><stop stop-color="${hue(0)}"/><stop offset="1" stop-color="${hue(1)}"/></linearGradient><rect width="8" height="3" fill="${SURFACE}"/><rect width="8" height="3" fill="url(#g)" opacity=".6"/></svg>`
  return sharp(Buffer.from(svg))
}
