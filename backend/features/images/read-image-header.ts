/** Detects an image's format from its first bytes, not from its name or content type, and reads its header. */
import { type ImageHeader, ImageRejection, SUPPORTED_FORMATS } from './image-header.ts'
import { readJpeg } from './jpeg-header.ts'
import { readPng } from './png-header.ts'
import { readWebp } from './webp-header.ts'

type Signature = readonly [name: string, matches: (bytes: Buffer) => boolean]

const startsWith =
  (...signs: readonly string[]) =>
  (bytes: Buffer) =>
    signs.some((sign) => bytes.subarray(0, sign.length).equals(Buffer.from(sign, 'latin1')))

/** Formats of the ISO media family name their brand in a leading `ftyp` box. */
const hasBrand =
  (...brands: readonly string[]) =>
  (bytes: Buffer) =>
    bytes.toString('latin1', 4, 8) === 'ftyp' && brands.includes(bytes.toString('latin1', 8, 12))

/** Formats that users try to upload; the error message names them. */
const UNSUPPORTED_FORMATS: readonly Signature[] = [
  ['a GIF', startsWith('GIF8')],
  ['a BMP', startsWith('BM')],
  ['a TIFF', startsWith('II*\0', 'MM\0*', 'II+\0', 'MM\0+')],
  ['an icon file (ICO)', startsWith('\0\0\u0001\0')],
  ['an AVIF', hasBrand('avif', 'avis')],
  ['an HEIC', hasBrand('heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1')],
  ['a JPEG XL', startsWith('\u00ff\n', '\0\0\0\u000cJXL ')],
  ['a JPEG 2000', startsWith('\0\0\0\u000cjP  ', '\u00ffO\u00ffQ')],
  ['a Photoshop file (PSD)', startsWith('8BPS')],
  ['a PDF', startsWith('%PDF')],
  ['a ZIP file', startsWith('PK\u0003\u0004')],
  ['an SVG', (bytes) => /<svg[\s>]/i.test(bytes.toString('latin1', 0, 4096))],
  ['a page (HTML)', (bytes) => /^\s*(<!doctype html|<html)/i.test(bytes.toString('latin1', 0, 512))],
]

/** Reads an image's header. Throws `ImageRejection` for anything that isn't a supported image. */
export function readImageHeader(bytes: Buffer): ImageHeader {
  if (bytes.length === 0) throw new ImageRejection(`The file is empty. ${SUPPORTED_FORMATS}`)
  if (startsWith('\u0089PNG\r\n\u001a\n')(bytes)) return readPng(bytes)
  if (startsWith('\u00ff\u00d8\u00ff')(bytes)) return readJpeg(bytes)
  if (startsWith('RIFF')(bytes) && bytes.toString('latin1', 8, 12) === 'WEBP') return readWebp(bytes)
  const other = UNSUPPORTED_FORMATS.find(([, matches]) => matches(bytes))?.[0]
  throw new ImageRejection(`${other === undefined ? "This file isn't a readable image." : `This is ${other}.`} ${SUPPORTED_FORMATS}`)
}
