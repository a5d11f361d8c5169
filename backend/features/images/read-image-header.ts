/** Detects an image's format from its first bytes, not from its name or content type, and reads its header. */
import { type ImageHeader, ImageRejection } from './image-header.ts'
import type { PlainCode } from '#backend/platform/messages/message.ts'
import { readJpeg } from './jpeg-header.ts'
import { readPng } from './png-header.ts'
import { readWebp } from './webp-header.ts'

type Signature = readonly [rejection: Extract<PlainCode, `IMAGE_IS_${string}`>, matches: (bytes: Buffer) => boolean]

const startsWith =
  (...signs: readonly string[]) =>
  (bytes: Buffer) =>
    signs.some((sign) => bytes.subarray(0, sign.length).equals(Buffer.from(sign, 'latin1')))

/** Formats of the ISO media family name their brand in a leading `ftyp` box. */
const hasBrand =
  (...brands: readonly string[]) =>
  (bytes: Buffer) =>
    bytes.toString('latin1', 4, 8) === 'ftyp' && brands.includes(bytes.toString('latin1', 8, 12))

/** Formats that users try to upload, with the message that names them. */
const UNSUPPORTED_FORMATS: readonly Signature[] = [
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

/** Reads an image's header. Throws `ImageRejection` for anything that isn't a supported image. */
export function readImageHeader(bytes: Buffer): ImageHeader {
  if (bytes.length === 0) throw new ImageRejection('IMAGE_EMPTY')
  if (startsWith('\u0089PNG\r\n\u001a\n')(bytes)) return readPng(bytes)
  if (startsWith('\u00ff\u00d8\u00ff')(bytes)) return readJpeg(bytes)
  if (startsWith('RIFF')(bytes) && bytes.toString('latin1', 8, 12) === 'WEBP') return readWebp(bytes)
  throw new ImageRejection(UNSUPPORTED_FORMATS.find(([, matches]) => matches(bytes))?.[0] ?? 'IMAGE_FORMAT_UNKNOWN')
}
