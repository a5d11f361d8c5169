/** The head of a picture, read before any decoder sees it: its type, its size, and the memory that decoding takes. */
import type { IMAGE_TYPES } from '#contract/images.ts'

export type ImageType = (typeof IMAGE_TYPES)[number]

/** Why a picture is not taken, as a sentence for the user. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Head extends Size {
  readonly type: ImageType
  /** Bytes that the decoder has to hold at once: where a picture can not be read line by line, all of it. */
  readonly held: number
  /** Names the format that makes it so, for the error message. */
  readonly heldBecause: string
  /** The bytes to decode: those that came, without what no decoder needs. */
  readonly bytes: Buffer
}

export const TAKEN = 'Upload a PNG, JPEG or WebP picture.'
export const DAMAGED = 'This picture is damaged or incomplete. Save it anew, then upload it again.'
export const ANIMATED = 'This picture is animated. Upload one that stands still.'

/** Some hundred lines are in memory at any time: their length counts, how many there are does not. */
const LONGEST_LINE = 10_240
const MAX_LINES = 65_535
/** Of this much the decoder and the program together stay under 300 MB (docs/decisions/0014). */
const MAX_HELD_BYTES = 24 * 1024 * 1024

export function checkSize(head: Head, mostPixels: number): void {
  const { width, height } = head
  if (width === 0 || height === 0) throw new Refused(DAMAGED)
  if (width * height > mostPixels) {
    const megapixels = Math.ceil((width * height) / 100_000) / 10
    throw new Refused(`This picture has ${megapixels} megapixels; at most ${mostPixels / 1_000_000} are taken. Make it smaller.`)
  }
  if (width > LONGEST_LINE || height > MAX_LINES) {
    throw new Refused(
      `This picture is ${width} × ${height} pixels; it may be at most ${LONGEST_LINE} wide and ${MAX_LINES} high. Make it smaller.`,
    )
  }
  checkHeld(head.held, head.heldBecause)
}

/** Throws Refused where the decoder would hold more bytes at once than it may. @param because names the format. */
export function checkHeld(bytes: number, because: string): void {
  if (bytes <= MAX_HELD_BYTES) return
  throw new Refused(`This picture is ${because}, and too large to be read in that form. Save it without that, or make it smaller.`)
}
