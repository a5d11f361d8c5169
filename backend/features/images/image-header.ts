/** An image's type, size and decoding memory, read from its header before any decoder sees it. */
import type { IMAGE_TYPES } from '#contract/images.ts'

export type ImageType = (typeof IMAGE_TYPES)[number]

/** The message is a sentence for the user. */
export class ImageRejection extends Error {
  override readonly name = 'ImageRejection'
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface ImageHeader extends Size {
  readonly type: ImageType
  /** Bytes that the decoder must buffer at once. Zero where it can decode line by line. */
  readonly decoderBytes: number
  /** Completes the error message "This image is …" with the format that needs the memory. */
  readonly memoryReason: string
  /** The bytes to decode, without parts that don't affect pixels. */
  readonly bytes: Buffer
}

export const SUPPORTED_FORMATS = 'Upload a PNG, JPEG or WebP image.'
export const DAMAGED = 'This image is damaged or incomplete. Save it again and re-upload it.'
export const ANIMATED = 'This image is animated. Upload a still image.'

/** The decoder buffers some hundred lines, so their length matters more than their number. */
const MAX_WIDTH = 10_240
const MAX_HEIGHT = 65_535
/** Within this, the decoder and the program together stay below 300 MB (docs/decisions/0013). */
const MAX_DECODER_BYTES = 24 * 1024 * 1024

export function checkSize(header: ImageHeader, maxPixels: number): void {
  const { width, height } = header
  if (width === 0 || height === 0) throw new ImageRejection(DAMAGED)
  if (width * height > maxPixels) {
    const megapixels = Math.ceil((width * height) / 100_000) / 10
    throw new ImageRejection(`This image has ${megapixels} megapixels; the maximum is ${maxPixels / 1_000_000}. Make it smaller.`)
  }
  if (width > MAX_WIDTH || height > MAX_HEIGHT) {
    throw new ImageRejection(`This image is ${width} × ${height} pixels; the maximum is ${MAX_WIDTH} × ${MAX_HEIGHT}. Make it smaller.`)
  }
  checkDecoderMemory(header.decoderBytes, header.memoryReason)
}

/** Throws `ImageRejection` where the decoder would need too much memory. @param reason completes "This image is …". */
export function checkDecoderMemory(bytes: number, reason: string): void {
  if (bytes <= MAX_DECODER_BYTES) return
  throw new ImageRejection(`This image is ${reason}, which needs too much memory at this size. Save it in another form or make it smaller.`)
}
