/** Resizes an image to an exact size with as little memory as the format allows. Runs in the decoder process. */
import type { Sharp } from 'sharp'
import { type ImageHeader, type ImageType, type Size, checkDecoderMemory, openImage } from './image-header.ts'

/** Longer lines are shortened in a first pass, because the decoder buffers dozens of them. */
const LONG_LINE_PIXELS = 4096
/** An image whose aspect ratio differs more than this is cropped first. Otherwise resizing would produce many megapixels. */
const MAX_SHAPE_RATIO = 4

/**
 * Returns the image upright, centre-cropped to the wanted size, as 8-bit sRGB without metadata, in its original type. Throws `ImageRejection`
 * or the decoder's error.
 * @param intermediatePath for the result of a first pass.
 */
export async function resizeImage(bytes: Buffer, header: ImageHeader, wanted: Size, intermediatePath: string): Promise<Buffer> {
  const target = header.orientation >= 5 ? { width: wanted.height, height: wanted.width } : wanted
  const source = isSinglePass(header, target) ? bytes : await cropAndShrink(bytes, header, target, intermediatePath)
  const resized = openImage(source)
    .autoOrient()
    .resize({ ...wanted, fit: 'cover', position: 'centre', kernel: 'lanczos3' })
  return await encode(resized, header.type).toBuffer()
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
  bytes: Buffer,
  { width, height, orientation }: ImageHeader,
  target: Size,
  intermediatePath: string,
): Promise<string> {
  const scale = Math.min(width / target.width, height / target.height)
  const crop = { width: clampLength(target.width * scale, width), height: clampLength(target.height * scale, height) }
  await openImage(bytes)
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
