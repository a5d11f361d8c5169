/** An image's type, size and decoding memory, read from its header before any decoder sees it. */
import type { IMAGE_TYPES } from '#contract/images.ts'
import type { Message, MessageCode, MessageValues, PlainCode } from '#backend/platform/messages/message.ts'

export type ImageType = (typeof IMAGE_TYPES)[number]

/** Carries a message for the user. The decoder process does not load the catalogue. */
export class ImageRejection<C extends MessageCode = MessageCode> extends Error {
  override readonly name = 'ImageRejection'
  readonly reason: Message

  constructor(code: C, ...[values]: MessageValues<C>) {
    super(code)
    this.reason = { code, values: values ?? {} }
  }
}

type MemoryCode = Extract<PlainCode, `IMAGE_NEEDS_MEMORY_${string}`>

export interface Size {
  readonly width: number
  readonly height: number
}

export interface ImageHeader extends Size {
  readonly type: ImageType
  /** Bytes that the decoder must buffer at once. Zero if it can decode line by line. */
  readonly decoderBytes: number
  /** The rejection if these bytes exceed the limit. */
  readonly memoryRejection: MemoryCode
  /** The bytes to decode, without parts that don't affect pixels. */
  readonly bytes: Buffer
}

/** The decoder buffers hundreds of lines, so width matters more than height. */
const MAX_WIDTH = 10_240
const MAX_HEIGHT = 65_535
/** Keeps the decoder and the program together below 300 MB (docs/decisions/0013). */
const MAX_DECODER_BYTES = 24 * 1024 * 1024

export function checkSize(header: ImageHeader, maxPixels: number): void {
  const { width, height } = header
  if (width === 0 || height === 0) throw new ImageRejection('IMAGE_DAMAGED')
  if (width * height > maxPixels) {
    const megapixels = Math.ceil((width * height) / 100_000) / 10
    throw new ImageRejection('IMAGE_TOO_MANY_PIXELS', { megapixels, max: maxPixels / 1_000_000 })
  }
  if (width > MAX_WIDTH || height > MAX_HEIGHT) {
    throw new ImageRejection('IMAGE_TOO_WIDE_OR_HIGH', { width, height, maxWidth: MAX_WIDTH, maxHeight: MAX_HEIGHT })
  }
  checkDecoderMemory(header.decoderBytes, header.memoryRejection)
}

/** Throws `ImageRejection` with this code if the decoder would need too much memory. */
export function checkDecoderMemory(bytes: number, code: MemoryCode): void {
  if (bytes > MAX_DECODER_BYTES) throw new ImageRejection(code)
}
