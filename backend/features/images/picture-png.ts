/** PNG: its chunks, of which only those that say how the picture looks go on to the decoder. */
import { inflateSync } from 'node:zlib'
import { ANIMATED, DAMAGED, type Head, Refused } from './picture.ts'

const SIGNATURE_BYTES = 8
/** Length, type and check sum around a chunk's data. */
const FRAME_BYTES = 12
/** Texts, times and private chunks change no pixel, and some of them unpack to gigabytes. */
const NEEDED = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'iCCP', 'eXIf'])
/** A second one of these is an error; of the others the first counts, as in the decoder. */
const CRITICAL = new Set(['IHDR', 'PLTE', 'IEND'])
/** Of 8 MiB of pixels in pieces of half a kilobyte; encoders make pieces of eight and more. */
const MAX_CHUNKS = 20_000
const ANIMATION = new Set(['acTL', 'fcTL', 'fdAT'])
/** Measured, with the copies of them that shrinking makes. */
const HELD_LINES = 1200
const MAX_PROFILE_BYTES = 4 * 1024 * 1024
const MAX_EXIF_BYTES = 64 * 1024
/** By the colour type: grey, -, RGB, palette (unpacked to RGB and alpha), grey with alpha, -, RGB with alpha. */
const CHANNELS = [1, 0, 3, 4, 2, 0, 4]

/** Throws Refused where it is animated, cut off, or no PNG after all. */
export function readPng(bytes: Buffer): Head {
  const kept: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)]
  const seen = new Set<string>()
  let header: Buffer = Buffer.alloc(0)
  let count = 0
  for (let at = SIGNATURE_BYTES; !seen.has('IEND');) {
    count += 1
    if (count > MAX_CHUNKS) throw new Refused('This PNG consists of too many pieces. Save it anew, then upload it again.')
    const { type, data, end } = chunkAt(bytes, at)
    // The decoder would show the first picture only and say nothing of the others.
    if (ANIMATION.has(type)) throw new Refused(ANIMATED)
    if (seen.size === 0) header = data
    if (isKept(type, data, seen)) kept.push(bytes.subarray(at, end))
    seen.add(type)
    at = end
  }
  const [first] = seen
  if (first !== 'IHDR' || header.length !== 13 || !seen.has('IDAT')) throw new Refused(DAMAGED)
  return { type: 'image/png', ...sizeOf(header), bytes: Buffer.concat(kept) }
}

/** Each costs the decoder time, so nothing goes on that changes nothing. */
function isKept(type: string, data: Buffer, seen: ReadonlySet<string>): boolean {
  if (!NEEDED.has(type)) return false
  if (type === 'IDAT') return data.length > 0
  if (seen.has(type)) {
    if (CRITICAL.has(type)) throw new Refused(DAMAGED)
    return false
  }
  if (type === 'iCCP') checkProfile(data)
  return type !== 'eXIf' || data.length <= MAX_EXIF_BYTES
}

function sizeOf(header: Buffer): Pick<Head, 'width' | 'height' | 'held' | 'heldBecause'> {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 8, colour = 0, interlacing = 0] = [header[8], header[9], header[12]]
  const perPixel = (CHANNELS[colour] ?? 4) * (depth === 16 ? 2 : 1)
  if (interlacing !== 0) return { width, height, held: width * height * perPixel, heldBecause: 'interlaced' }
  // Of others the decoder keeps so many lines, which only counts where each is long.
  return {
    width,
    height,
    held: depth === 16 ? width * perPixel * Math.min(height, HELD_LINES) : 0,
    heldBecause: 'saved with 16 bits a colour',
  }
}

function chunkAt(bytes: Buffer, at: number): { type: string; data: Buffer; end: number } {
  if (at + FRAME_BYTES > bytes.length) throw new Refused(DAMAGED)
  const end = at + FRAME_BYTES + bytes.readUInt32BE(at)
  if (end > bytes.length) throw new Refused(DAMAGED)
  return { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end - 4), end }
}

/** A profile is a name, a zero, a zero for the method, and packed bytes: of a few kilobytes in honest pictures. */
function checkProfile(data: Buffer): void {
  const packed = data.subarray(data.indexOf(0) + 2)
  try {
    inflateSync(packed, { maxOutputLength: MAX_PROFILE_BYTES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Refused('The colour profile in this picture is too large. Save it without one.')
    throw new Refused(DAMAGED)
  }
}
