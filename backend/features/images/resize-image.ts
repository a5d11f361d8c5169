/** Resizes an image to an exact size with as little memory as the format allows. Runs in the decoder process. */
import sharp, { type Sharp } from 'sharp'
import { type ImageHeader, type ImageType, ImageRejection, type Size, checkDecoderMemory } from './image-header.ts'

/** Longer lines are shortened in a first pass, because the decoder buffers dozens of them. */
const LONG_LINE_PIXELS = 4096
/** An image whose aspect ratio differs more than this is cropped first. Otherwise resizing would produce many megapixels. */
const MAX_SHAPE_RATIO = 4

// One image at a time, one thread, no cache, and only these three formats.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })

const FORMATS: Readonly<Record<ImageType, 'png' | 'jpeg' | 'webp'>> = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/webp': 'webp' }

/**
 * Returns the image upright, centre-cropped to the wanted size, as 8-bit sRGB without metadata, in its original type. Throws `ImageRejection`
 * or the decoder's error.
 * @param intermediatePath for the result of a first pass.
 */
export async function resizeImage(header: ImageHeader, wanted: Size, intermediatePath: string): Promise<Buffer> {
  const metadata = await open(header.bytes).metadata()
  if (metadata.format !== FORMATS[header.type]) throw new ImageRejection('IMAGE_DAMAGED')
  if ((metadata.pages ?? 1) > 1) throw new ImageRejection('IMAGE_ANIMATED')
  if (metadata.width !== header.width || metadata.height !== header.height) throw new ImageRejection('IMAGE_DAMAGED')
  const orientation = metadata.orientation ?? 1
  // Orientations from 5 on swap width and height.
  const target = orientation >= 5 ? { width: wanted.height, height: wanted.width } : wanted
  const source = isSinglePass(header, target) ? header.bytes : await cropAndShrink(header, target, orientation, intermediatePath)
  const resized = open(source)
    .autoOrient()
    .resize({ ...wanted, fit: 'cover', position: 'centre', kernel: 'lanczos3' })
  const { data, info } = await encode(resized, header.type).toBuffer({ resolveWithObject: true })
  if (info.width !== wanted.width || info.height !== wanted.height) throw new ImageRejection('IMAGE_DAMAGED')
  return data
}

/** `checkSize` has already enforced a limit below sharp's own. */
function open(source: Buffer | string): Sharp {
  return sharp(source, { failOn: 'error', sequentialRead: true, pages: 1 })
}

/** WebP is shrunk while it is decoded, so long lines don't matter. Only a WebP that must be cropped first is decoded whole. */
function isSinglePass({ type, width, height }: ImageHeader, target: Size): boolean {
  const shape = width / height / (target.width / target.height)
  const isLong = Math.max(shape, 1 / shape) > MAX_SHAPE_RATIO
  if (type !== 'image/webp') return !isLong && width <= LONG_LINE_PIXELS
  if (isLong) checkDecoderMemory(width * height * 4, 'IMAGE_NEEDS_MEMORY_WEBP_SHAPE')
  return !isLong
}

/** Crops to the target's aspect ratio and shortens the lines, keeping the height. Returns the path of the result. */
async function cropAndShrink(
  { bytes, width, height }: ImageHeader,
  target: Size,
  orientation: number,
  intermediatePath: string,
): Promise<string> {
  const scale = Math.min(width / target.width, height / target.height)
  const crop = { width: clampLength(target.width * scale, width), height: clampLength(target.height * scale, height) }
  await open(bytes)
    .extract({ left: Math.floor((width - crop.width) / 2), top: Math.floor((height - crop.height) / 2), ...crop })
    .resize({ width: target.width, height: crop.height, fit: 'fill' })
    .withMetadata({ orientation })
    .png({ compressionLevel: 1 })
    .toFile(intermediatePath)
  return intermediatePath
}

function clampLength(length: number, max: number): number {
  return Math.min(max, Math.max(1, Math.round(length)))
}

function encode(image: Sharp, type: ImageType): Sharp {
  const srgb = image.toColourspace('srgb')
  if (type === 'image/png') return srgb.png({ compressionLevel: 7 })
  return type === 'image/jpeg' ? srgb.jpeg({ quality: 88 }) : srgb.webp({ quality: 88, alphaQuality: 100 })
}
