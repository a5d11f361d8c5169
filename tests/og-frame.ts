/** Measures whether a drawn name stays between the margins of the preview image. */
import sharp from 'sharp'
import { drawOgImage } from '#backend/services/public-site/draw-og-image.ts'

const [WIDTH, HEIGHT] = [1200, 630]
/** A glyph may overhang its advance by 16 pixels. */
const MARGIN = 72 - 16
const BOTTOM = 30
/** Below the gradient of the header. */
const TOP = 350

/** The brightest value of the pixels beside and below the text. The empty background has at most 15. */
export async function brightnessOutsideFrame(name: string): Promise<number> {
  const players = { count: 4096, max: 4096 }
  const png = await drawOgImage({
    name,
    id: 'AbCd123',
    players,
    facts: [name, name],
    icon: undefined,
    banner: undefined,
    brand: 'Muster',
    logo: undefined,
  })
  const areas = [
    { left: 0, top: TOP, width: MARGIN, height: HEIGHT - TOP },
    { left: WIDTH - MARGIN, top: TOP, width: MARGIN, height: HEIGHT - TOP },
    { left: 0, top: HEIGHT - BOTTOM, width: WIDTH, height: BOTTOM },
  ]
  const pixels = await Promise.all(areas.map((area) => sharp(png).extract(area).raw().toBuffer()))
  return pixels.reduce((brightest, bytes) => bytes.reduce((max, value) => Math.max(max, value), brightest), 0)
}
