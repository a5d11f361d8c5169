/** What the preview image does with names that break layouts, fonts or markup. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { NASTY_NAMES } from '#tests/nasty-names.ts'
import { pngLogo } from '#tests/logos.ts'
import { brightnessOutsideFrame } from '#tests/og-frame.ts'
import { drawOgImage } from './draw-og-image.ts'
import { drawLines, drawableText } from './og-text.ts'

const STYLE = { size: 50, weight: 'Bold', colour: '#fff' } as const
const draw = (name: string, facts: readonly string[] = []) =>
  drawOgImage({ name, id: 'AbCd123', players: undefined, facts, icon: undefined, banner: undefined, brand: 'Muster', logo: undefined })

test('a name stays inside the frame', async () => {
  for (const index of [5, 10, 17, 23, 28]) expect(await brightnessOutsideFrame(NASTY_NAMES[index] ?? '')).toBeLessThan(40)
})

test('the name of the installation stays in its corner, and its logo takes the place of the product’s', async () => {
  const server = {
    name: 'Lantern',
    id: 'AbCd123',
    players: { count: 37, max: 128 },
    facts: ['Multilingual'],
    icon: undefined,
    banner: undefined,
  }
  const logo = await pngLogo(64)
  /** The pixels of the logo's green in a column of the footer. */
  const greenAt = async (png: Buffer, left: number) => {
    const { dominant } = await sharp(await sharp(png).extract({ left, top: 540, width: 12, height: 12 }).toBuffer()).stats()
    return dominant.g > dominant.r + 40
  }
  const [short, long, none] = await Promise.all(['Kiez', 'W'.repeat(40), '𐎀'].map((brand) => drawOgImage({ ...server, brand, logo })))
  for (const png of [short, long, none]) expect(await sharp(png).metadata()).toMatchObject({ width: 1200, height: 630 })
  // The name has at most 400 pixels, and one without a character that can be drawn has none.
  expect(await greenAt(long ?? Buffer.alloc(0), 1200 - 72 - 400 - 14 - 25)).toBe(true)
  expect(await greenAt(none ?? Buffer.alloc(0), 1200 - 72 - 14 - 25)).toBe(true)
  expect(await greenAt(short ?? Buffer.alloc(0), 1200 - 72 - 400 - 14 - 25)).toBe(false)
})

test('a long name breaks at spaces, then inside words', async () => {
  const height = async (name: string) => (await drawLines(name, STYLE, 1000)).height
  const line = await height('Xg')
  expect(await height('Nordic Roleplay')).toBeLessThan(line * 1.5)
  expect(await height('The extremely long name of a server for many words')).toBeGreaterThan(2 * line)
  const wide = await drawLines('W'.repeat(64), STYLE, 1000)
  expect([wide.width <= 1000, wide.height > 2 * line]).toEqual([true, true])
})

test('characters without a font are left out or replaced by plain ones, and none becomes a box', () => {
  expect(drawableText('𝕳𝖊𝖑𝖑𝖔 தமிழ் 🇩🇪')).toBe('Hello 🇩🇪')
  expect(drawableText('\u202Eevil\u200B\u0000')).toBe('evil')
  expect(drawableText('\uD800')).toBe('')
})

test.each([
  'Ångström',
  'Кириллица',
  'Ωμέγα',
  'خادم عربي',
  'שרת ישראלי',
  'เซิร์ฟเวอร์',
  'हिन्दी सर्वर',
  'বাংলা সার্ভার',
  'ქართული სერვერი',
  'Հայաստան',
  'ኢትዮጵያ',
  '中文服务器',
  '日本語サーバー',
  '한국 서버',
  '🔥🚀',
])('%s is drawn', async (name) => {
  expect(drawableText(name)).toBe(name.normalize('NFC'))
  expect((await drawLines(name, STYLE)).width).toBeGreaterThan(40)
})

test('a right-to-left name is set from the right, and its letters join', async () => {
  const widthOf = async (text: string) => (await drawLines(text, STYLE)).width
  expect(await widthOf('ععععع')).toBeLessThan((await widthOf('ع ع ع ع ع')) * 0.8)
  // The full stop is on the left, below the letter.
  const { png, width } = await drawLines('א.', STYLE)
  const left = await sharp(png)
    .extract({ left: 0, top: 0, width: Math.floor(width / 4), height: 1 })
    .raw()
    .toBuffer()
  expect(Math.max(...left)).toBe(0)
})

test('a keycap is drawn as its digit', () => {
  expect(drawableText('1️⃣ Best #️⃣1')).toBe('1 Best #1')
})

test.each([
  ['Roleplay · தமிழ்', 'Roleplay'],
  ['தமிழ் | Roleplay | తెలుగు', 'Roleplay'],
  ['Roleplay (தமிழ்) [తెలుగు] 24/7', 'Roleplay 24/7'],
  ['Foo - தமிழ் - Bar', 'Foo - Bar'],
  ['· Roleplay ·', '· Roleplay ·'],
])('%s leaves no separator and no bracket around what is left out', (name, drawn) => {
  expect(drawableText(name)).toBe(drawn)
})

test('the footer names only facts that can be drawn, and as many as fit', async () => {
  expect(await draw('Oak', ['German', 'தமிழ்'])).toEqual(await draw('Oak', ['German']))
  expect(await draw('Oak', ['German', 'Freeroam '.repeat(20)])).toEqual(await draw('Oak', ['German']))
})

test('a name is never markup', async () => {
  const name = '</text><span size="1">x</span> & <rect width="1200" height="630" fill="#fff"/>'
  expect(await brightnessOutsideFrame(name)).toBeLessThan(40)
  await expect(draw(name)).resolves.toBeInstanceOf(Buffer)
})
