/** The head of a picture, read before any decoder sees it: its type, its size, and the memory that decoding takes. */
import type { IMAGE_TYPES } from '#contract/images.ts'

export type ImageType = (typeof IMAGE_TYPES)[number]

/** Why a picture is not taken, as a sentence for the user. */
export class ImageRejection extends Error {
  override readonly name = 'Refused'
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface ImageHeader extends Size {
  readonly type: ImageType
  /** Bytes that the decoder has to hold at once: where a picture can not be read line by line, all of it. */
  readonly decoderBytes: number
  /** Names the format that makes it so, for the error message. */
  readonly memoryReason: string
  /** The bytes to decode: those that came, without what no decoder needs. */
  readonly bytes: Buffer
}

export const SUPPORTED_FORMATS = 'Upload a PNG, JPEG or WebP picture.'
export const DAMAGED = 'This picture is damaged or incomplete. Save it anew, then upload it again.'
export const ANIMATED = 'This picture is animated. Upload one that stands still.'

/** Some hundred lines are in memory at any time: their length counts, how many there are does not. */
const MAX_WIDTH = 10_240
const MAX_HEIGHT = 65_535
/** Of this much the decoder and the program together stay under 300 MB (docs/decisions/0014). */
const MAX_DECODER_BYTES = 24 * 1024 * 1024

export function checkSize(head: ImageHeader, maxPixels: number): void {
  const { width, height } = head
  if (width === 0 || height === 0) throw new ImageRejection(DAMAGED)
  if (width * height > maxPixels) {
    const megapixels = Math.ceil((width * height) / 100_000) / 10
    throw new ImageRejection(`This picture has ${megapixels} megapixels; at most ${maxPixels / 1_000_000} are taken. Make it smaller.`)
  }
  if (width > MAX_WIDTH || height > MAX_HEIGHT) {
    throw new ImageRejection(
      `This picture is ${width} × ${height} pixels; it may be at most ${MAX_WIDTH} wide and ${MAX_HEIGHT} high. Make it smaller.`,
    )
  }
  checkDecoderMemory(head.decoderBytes, head.memoryReason)
}

/** Throws Refused where the decoder would hold more bytes at once than it may. @param because names the format. */
export function checkDecoderMemory(bytes: number, because: string): void {
  if (bytes <= MAX_DECODER_BYTES) return
  throw new ImageRejection(`This picture is ${because}, and too large to be read in that form. Save it without that, or make it smaller.`)
}
