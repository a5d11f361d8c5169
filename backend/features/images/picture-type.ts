/** Which kind of file it is, by its first bytes: whatever its name or its sender says. */
import { type Head, Refused, TAKEN } from './picture.ts'
import { readJpeg } from './picture-jpeg.ts'
import { readPng } from './picture-png.ts'
import { readWebp } from './picture-webp.ts'

type Sign = readonly [name: string, matches: (bytes: Buffer) => boolean]

const starts =
  (...signs: readonly string[]) =>
  (bytes: Buffer) =>
    signs.some((sign) => bytes.subarray(0, sign.length).equals(Buffer.from(sign, 'latin1')))

/** `ftyp` boxes name the kind of what else is a family of formats. */
const boxed =
  (...brands: readonly string[]) =>
  (bytes: Buffer) =>
    bytes.toString('latin1', 4, 8) === 'ftyp' && brands.includes(bytes.toString('latin1', 8, 12))

/** Other formats that people try, named in the error message. */
const OTHERS: readonly Sign[] = [
  ['a GIF', starts('GIF8')],
  ['a BMP', starts('BM')],
  ['a TIFF', starts('II*\0', 'MM\0*', 'II+\0', 'MM\0+')],
  ['an icon file (ICO)', starts('\0\0\u0001\0')],
  ['an AVIF', boxed('avif', 'avis')],
  ['an HEIC', boxed('heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1')],
  ['a JPEG XL', starts('\u00ff\n', '\0\0\0\u000cJXL ')],
  ['a JPEG 2000', starts('\0\0\0\u000cjP  ', '\u00ffO\u00ffQ')],
  ['a Photoshop file (PSD)', starts('8BPS')],
  ['a PDF', starts('%PDF')],
  ['a ZIP file', starts('PK\u0003\u0004')],
  ['an SVG', (bytes) => /<svg[\s>]/i.test(bytes.toString('latin1', 0, 4096))],
  ['a page (HTML)', (bytes) => /^\s*(<!doctype html|<html)/i.test(bytes.toString('latin1', 0, 512))],
]

/** Reads the head of a picture. Throws Refused with a sentence for everything that is none, or not one that is taken. */
export function readHead(bytes: Buffer): Head {
  if (bytes.length === 0) throw new Refused(`The file is empty. ${TAKEN}`)
  if (starts('\u0089PNG\r\n\u001a\n')(bytes)) return readPng(bytes)
  if (starts('\u00ff\u00d8\u00ff')(bytes)) return readJpeg(bytes)
  if (starts('RIFF')(bytes) && bytes.toString('latin1', 8, 12) === 'WEBP') return readWebp(bytes)
  const other = OTHERS.find(([, matches]) => matches(bytes))?.[0]
  throw new Refused(`${other === undefined ? 'This is no picture that can be read.' : `This is ${other}.`} ${TAKEN}`)
}
