/** From the bytes of any picture to one of an exact size, with as little memory as the format allows. Runs in the decoder's own process. */
import sharp, { type Sharp } from 'sharp'
import { ANIMATED, DAMAGED, type ImageHeader, type ImageType, ImageRejection, type Size, checkDecoderMemory } from './image-header.ts'

/** Longer lines are shortened in a pass of their own, because the decoder holds dozens of them. */
const LONG_LINE_PIXELS = 4096
/** A picture so much longer than its place is cut first, or resizing it would take many megapixels. */
const MAX_SHAPE_RATIO = 4

// One picture at a time on one thread, and nothing kept of it; no format but the three, whatever the bytes look like.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })

const FORMATS: Readonly<Record<ImageType, 'png' | 'jpeg' | 'webp'>> = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/webp': 'webp' }

/**
 * Upright, centre-cropped to the wanted size, sRGB with 8 bits, no metadata, same type. Throws Refused, or the decoder's error.
 * @param intermediatePath a path for the first of two passes.
 */
export async function resizeImage(head: ImageHeader, wanted: Size, intermediatePath: string): Promise<Buffer> {
  const found = await open(head.bytes).metadata()
  if (found.format !== FORMATS[head.type]) throw new ImageRejection(DAMAGED)
  if ((found.pages ?? 1) > 1) throw new ImageRejection(ANIMATED)
  if (found.width !== head.width || found.height !== head.height) throw new ImageRejection(DAMAGED)
  const orientation = found.orientation ?? 1
  const place = orientation >= 5 ? { width: wanted.height, height: wanted.width } : wanted
  const whole = isSinglePass(head, place) ? open(head.bytes) : open(await cropAndShrink(head, place, orientation, intermediatePath))
  const fitted = whole.autoOrient().resize({ ...wanted, fit: 'cover', position: 'centre', kernel: 'lanczos3' })
  const { data, info } = await encode(fitted, head.type).toBuffer({ resolveWithObject: true })
  if (info.width !== wanted.width || info.height !== wanted.height) throw new ImageRejection(DAMAGED)
  return data
}

/** Its size was checked before; the decoder's own limit of pixels is far above. */
function open(source: Buffer | string): Sharp {
  return sharp(source, { failOn: 'error', sequentialRead: true, pages: 1 })
}

/** WebP is shrunk while it is decoded, so its lines are never long; only what must be cut first is decoded whole. */
function isSinglePass({ type, width, height }: ImageHeader, place: Size): boolean {
  const shape = width / height / (place.width / place.height)
  const isLong = Math.max(shape, 1 / shape) > MAX_SHAPE_RATIO
  if (type !== 'image/webp') return !isLong && width <= LONG_LINE_PIXELS
  if (isLong) checkDecoderMemory(width * height * 4, 'a WebP of a very different shape')
  return !isLong
}

/** Cuts the middle out and shortens its lines, height untouched; answers where that is. */
async function cropAndShrink(
  { bytes, width, height }: ImageHeader,
  place: Size,
  orientation: number,
  intermediatePath: string,
): Promise<string> {
  const scale = Math.min(width / place.width, height / place.height)
  const cut = { width: clampLength(place.width * scale, width), height: clampLength(place.height * scale, height) }
  await open(bytes)
    .extract({ left: Math.floor((width - cut.width) / 2), top: Math.floor((height - cut.height) / 2), ...cut })
    .resize({ width: place.width, height: cut.height, fit: 'fill' })
    .withMetadata({ orientation })
    .png({ compressionLevel: 1 })
    .toFile(intermediatePath)
  return intermediatePath
}

function clampLength(length: number, most: number): number {
  return Math.min(most, Math.max(1, Math.round(length)))
}

function encode(picture: Sharp, type: ImageType): Sharp {
  const upright = picture.toColourspace('srgb')
  if (type === 'image/png') return upright.png({ compressionLevel: 7 })
  return type === 'image/jpeg' ? upright.jpeg({ quality: 88 }) : upright.webp({ quality: 88, alphaQuality: 100 })
}
