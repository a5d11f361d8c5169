/** An image's type and size, and why it is rejected before its pixels are decoded. Runs in the decoder process. */
import sharp, { type Metadata, type Sharp } from 'sharp'
import type { IMAGE_TYPES } from '#contract/servers/images.ts'
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

export interface Size {
  readonly width: number
  readonly height: number
}

export interface ImageHeader extends Size {
  readonly type: ImageType
  /** As in Exif. From 5 on, width and height are swapped. */
  readonly orientation: number
}

/** The decoder buffers hundreds of lines, so width matters more than height. */
const MAX_WIDTH = 10_240
const MAX_HEIGHT = 65_535
/** Keeps the decoder and the program together below 300 MB (docs/decisions/0013). */
const MAX_DECODER_BYTES = 24 * 1024 * 1024
/** Lines that the decoder buffers, including copies made while shrinking. Measured. */
const BUFFERED_LINES = 1200
/** Each scan of a progressive JPEG processes the whole image again. Legitimate ones have about ten. */
const MAX_SCANS = 100
const START_OF_SCAN = Buffer.from([0xff, 0xda])
/** The chunk of an animated PNG, with its length. The decoder would silently keep only the first frame. */
const PNG_ANIMATION = Buffer.from('\0\0\0\u0008acTL', 'latin1')
/** Each costs the decoder time and memory. Enough for 8 MiB in chunks of half a kilobyte; encoders write chunks of 8 KB and more. */
const MAX_PNG_CHUNKS = 20_000
const WEBP_ANIMATION_FLAG = 0x02

const startsWith =
  (...signs: readonly string[]) =>
  (bytes: Buffer) =>
    signs.some((sign) => bytes.subarray(0, sign.length).equals(Buffer.from(sign, 'latin1')))

/** Formats of the ISO media family name their brand in a leading `ftyp` box. */
const hasBrand =
  (...brands: readonly string[]) =>
  (bytes: Buffer) =>
    bytes.toString('latin1', 4, 8) === 'ftyp' && brands.includes(bytes.toString('latin1', 8, 12))

type Test = (bytes: Buffer) => boolean

const SUPPORTED_FORMATS: readonly (readonly [type: ImageType, matches: Test])[] = [
  ['image/png', startsWith('\u0089PNG\r\n\u001a\n')],
  ['image/jpeg', startsWith('\u00ff\u00d8\u00ff')],
  ['image/webp', (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'],
]

/** Formats that users try to upload, with the message that names them. */
const UNSUPPORTED_FORMATS: readonly (readonly [rejection: Extract<PlainCode, `IMAGE_IS_${string}`>, matches: Test])[] = [
  ['IMAGE_IS_GIF', startsWith('GIF8')],
  ['IMAGE_IS_BMP', startsWith('BM')],
  ['IMAGE_IS_TIFF', startsWith('II*\0', 'MM\0*', 'II+\0', 'MM\0+')],
  ['IMAGE_IS_ICO', startsWith('\0\0\u0001\0')],
  ['IMAGE_IS_AVIF', hasBrand('avif', 'avis')],
  ['IMAGE_IS_HEIC', hasBrand('heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1')],
  ['IMAGE_IS_JPEG_XL', startsWith('\u00ff\n', '\0\0\0\u000cJXL ')],
  ['IMAGE_IS_JPEG_2000', startsWith('\0\0\0\u000cjP  ', '\u00ffO\u00ffQ')],
  ['IMAGE_IS_PSD', startsWith('8BPS')],
  ['IMAGE_IS_PDF', startsWith('%PDF')],
  ['IMAGE_IS_ZIP', startsWith('PK\u0003\u0004')],
  ['IMAGE_IS_SVG', (bytes) => /<svg[\s>]/i.test(bytes.toString('latin1', 0, 4096))],
  ['IMAGE_IS_HTML', (bytes) => /^\s*(<!doctype html|<html)/i.test(bytes.toString('latin1', 0, 512))],
]

// One image at a time, one thread, no cache, and only these three formats.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })

/** `readImageHeader` has enforced a lower limit of pixels than sharp's own. */
export function openImage(source: Buffer | string): Sharp {
  return sharp(source, { failOn: 'error', sequentialRead: true, pages: 1, limitInputPixels: false })
}

/** Throws `ImageRejection` for anything that isn't a supported image, and for one that would need too much memory. */
export async function readImageHeader(bytes: Buffer, maxPixels: number): Promise<ImageHeader> {
  const type = typeOf(bytes)
  if (isAnimated(bytes, type)) throw new ImageRejection('IMAGE_ANIMATED')
  if (type === 'image/png') checkChunks(bytes)
  const metadata = await openImage(bytes).metadata()
  if ((metadata.pages ?? 1) > 1) throw new ImageRejection('IMAGE_ANIMATED')
  checkSize(metadata, maxPixels)
  checkMemory(bytes, type, metadata)
  return { type, width: metadata.width, height: metadata.height, orientation: metadata.orientation ?? 1 }
}

/** By the first bytes, not by the name or content type that the client sends. */
function typeOf(bytes: Buffer): ImageType {
  if (bytes.length === 0) throw new ImageRejection('IMAGE_EMPTY')
  const supported = SUPPORTED_FORMATS.find(([, matches]) => matches(bytes))
  if (supported !== undefined) return supported[0]
  throw new ImageRejection(UNSUPPORTED_FORMATS.find(([, matches]) => matches(bytes))?.[0] ?? 'IMAGE_FORMAT_UNKNOWN')
}

function isAnimated(bytes: Buffer, type: ImageType): boolean {
  if (type === 'image/png') return bytes.includes(PNG_ANIMATION)
  return type === 'image/webp' && bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & WEBP_ANIMATION_FLAG) !== 0
}

function checkChunks(bytes: Buffer): void {
  let count = 0
  // A signature of eight bytes, then chunks: the length, type and checksum around the data.
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) count += 1
  if (count > MAX_PNG_CHUNKS) throw new ImageRejection('PNG_CHUNKS')
}

function checkSize({ width, height }: Size, maxPixels: number): void {
  if (width * height > maxPixels) {
    const megapixels = Math.ceil((width * height) / 100_000) / 10
    throw new ImageRejection('IMAGE_TOO_MANY_PIXELS', { megapixels, max: maxPixels / 1_000_000 })
  }
  if (width > MAX_WIDTH || height > MAX_HEIGHT)
    throw new ImageRejection('IMAGE_TOO_WIDE_OR_HIGH', { width, height, maxWidth: MAX_WIDTH, maxHeight: MAX_HEIGHT })
}

/** Some encodings must be decoded as a whole, not line by line. */
function checkMemory(bytes: Buffer, type: ImageType, metadata: Metadata): void {
  const { width, height, channels, depth, isProgressive, chromaSubsampling, hasAlpha } = metadata
  const pixels = width * height
  if (type === 'image/webp') {
    // Lossy pixels are shrunk while they are decoded. Lossless pixels and alpha are not.
    if (bytes.includes('VP8L')) checkDecoderMemory(pixels * 4, 'IMAGE_NEEDS_MEMORY_LOSSLESS_WEBP')
    else if (hasAlpha) checkDecoderMemory(pixels, 'IMAGE_NEEDS_MEMORY_TRANSPARENT_WEBP')
  } else if (type === 'image/jpeg') {
    if (!isProgressive) return
    if (countScans(bytes) > MAX_SCANS) throw new ImageRejection('JPEG_SCANS')
    // All coefficients, two bytes each.
    const samples = chromaSubsampling === '4:2:0' ? channels / 2 : channels
    checkDecoderMemory(2 * pixels * samples, 'IMAGE_NEEDS_MEMORY_PROGRESSIVE_JPEG')
  } else {
    const bytesPerPixel = channels * (depth === 'ushort' ? 2 : 1)
    if (isProgressive) checkDecoderMemory(pixels * bytesPerPixel, 'IMAGE_NEEDS_MEMORY_INTERLACED')
    else if (depth === 'ushort') checkDecoderMemory(width * bytesPerPixel * Math.min(height, BUFFERED_LINES), 'IMAGE_NEEDS_MEMORY_16_BIT')
  }
}

/** Throws `ImageRejection` with this code if the decoder would need too much memory. */
export function checkDecoderMemory(bytes: number, code: Extract<PlainCode, `IMAGE_NEEDS_MEMORY_${string}`>): void {
  if (bytes > MAX_DECODER_BYTES) throw new ImageRejection(code)
}

/** In compressed data 0xff is always followed by zero or a restart marker, so every match is a real scan. */
function countScans(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(START_OF_SCAN); at !== -1 && count <= MAX_SCANS; at = bytes.indexOf(START_OF_SCAN, at + 2)) count += 1
  return count
}
