/** PNG: its chunks, of which only those that say how the picture looks go on to the decoder. */
import { inflateSync } from 'node:zlib'
import { ANIMATED, DAMAGED, type ImageHeader, ImageRejection } from './image-header.ts'

const SIGNATURE_BYTES = 8
/** Length, type and check sum around a chunk's data. */
const CHUNK_OVERHEAD_BYTES = 12
/** Texts, times and private chunks change no pixel, and some of them unpack to gigabytes. */
const KEPT_CHUNKS = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'iCCP', 'eXIf'])
/** A second one of these is an error; of the others the first counts, as in the decoder. */
const CRITICAL_CHUNKS = new Set(['IHDR', 'PLTE', 'IEND'])
/** Of 8 MiB of pixels in pieces of half a kilobyte; encoders make pieces of eight and more. */
const MAX_CHUNKS = 20_000
const ANIMATION_CHUNKS = new Set(['acTL', 'fcTL', 'fdAT'])
/** Measured, with the copies of them that shrinking makes. */
const BUFFERED_LINES = 1200
const MAX_PROFILE_BYTES = 4 * 1024 * 1024
const MAX_EXIF_BYTES = 64 * 1024
/** By the colour type: grey, -, RGB, palette (unpacked to RGB and alpha), grey with alpha, -, RGB with alpha. */
const CHANNELS = [1, 0, 3, 4, 2, 0, 4]

/** Throws Refused where it is animated, cut off, or no PNG after all. */
export function readPng(bytes: Buffer): ImageHeader {
  const kept: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)]
  const seen = new Set<string>()
  let header: Buffer = Buffer.alloc(0)
  let count = 0
  for (let at = SIGNATURE_BYTES; !seen.has('IEND');) {
    count += 1
    if (count > MAX_CHUNKS) throw new ImageRejection('This PNG consists of too many pieces. Save it anew, then upload it again.')
    const { type, data, end } = chunkAt(bytes, at)
    // The decoder would show the first picture only and say nothing of the others.
    if (ANIMATION_CHUNKS.has(type)) throw new ImageRejection(ANIMATED)
    if (seen.size === 0) header = data
    if (isKept(type, data, seen)) kept.push(bytes.subarray(at, end))
    seen.add(type)
    at = end
  }
  const [first] = seen
  if (first !== 'IHDR' || header.length !== 13 || !seen.has('IDAT')) throw new ImageRejection(DAMAGED)
  return { type: 'image/png', ...parseHeader(header), bytes: Buffer.concat(kept) }
}

/** Each costs the decoder time, so nothing goes on that changes nothing. */
function isKept(type: string, data: Buffer, seen: ReadonlySet<string>): boolean {
  if (!KEPT_CHUNKS.has(type)) return false
  if (type === 'IDAT') return data.length > 0
  if (seen.has(type)) {
    if (CRITICAL_CHUNKS.has(type)) throw new ImageRejection(DAMAGED)
    return false
  }
  if (type === 'iCCP') checkProfile(data)
  return type !== 'eXIf' || data.length <= MAX_EXIF_BYTES
}

function parseHeader(header: Buffer): Pick<ImageHeader, 'width' | 'height' | 'decoderBytes' | 'memoryReason'> {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 8, colour = 0, interlacing = 0] = [header[8], header[9], header[12]]
  const bytesPerPixel = (CHANNELS[colour] ?? 4) * (depth === 16 ? 2 : 1)
  if (interlacing !== 0) return { width, height, decoderBytes: width * height * bytesPerPixel, memoryReason: 'interlaced' }
  // Of others the decoder keeps so many lines, which only counts where each is long.
  return {
    width,
    height,
    decoderBytes: depth === 16 ? width * bytesPerPixel * Math.min(height, BUFFERED_LINES) : 0,
    memoryReason: 'saved with 16 bits a colour',
  }
}

function chunkAt(bytes: Buffer, at: number): { type: string; data: Buffer; end: number } {
  if (at + CHUNK_OVERHEAD_BYTES > bytes.length) throw new ImageRejection(DAMAGED)
  const end = at + CHUNK_OVERHEAD_BYTES + bytes.readUInt32BE(at)
  if (end > bytes.length) throw new ImageRejection(DAMAGED)
  return { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end - 4), end }
}

/** A profile is a name, a zero, a zero for the method, and packed bytes: of a few kilobytes in honest pictures. */
function checkProfile(data: Buffer): void {
  const packed = data.subarray(data.indexOf(0) + 2)
  try {
    inflateSync(packed, { maxOutputLength: MAX_PROFILE_BYTES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ImageRejection('The colour profile in this picture is too large. Save it without one.')
    throw new ImageRejection(DAMAGED)
  }
}
