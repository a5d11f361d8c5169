/** Reads the header of a PNG, and drops chunks that don't affect its pixels before the decoder sees them. */
import { inflateSync } from 'node:zlib'
import { type ImageHeader, ImageRejection } from './image-header.ts'

const SIGNATURE_BYTES = 8
/** The length, type and checksum around a chunk's data. */
const CHUNK_OVERHEAD_BYTES = 12
/** Other chunks (texts, times, private ones) don't affect pixels, and some decompress to gigabytes. */
const KEPT_CHUNKS = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'iCCP', 'eXIf'])
/** A duplicate of these is an error. For other types the first chunk counts, as in the decoder. */
const CRITICAL_CHUNKS = new Set(['IHDR', 'PLTE', 'IEND'])
/** Enough for 8 MiB in chunks of half a kilobyte. Encoders write chunks of 8 KB and more. */
const MAX_CHUNKS = 20_000
const ANIMATION_CHUNKS = new Set(['acTL', 'fcTL', 'fdAT'])
/** Lines that the decoder buffers, including copies made while shrinking. Measured. */
const BUFFERED_LINES = 1200
const MAX_PROFILE_BYTES = 4 * 1024 * 1024
const MAX_EXIF_BYTES = 64 * 1024
/** By colour type: grey, -, RGB, palette (expanded to RGBA), grey with alpha, -, RGBA. */
const CHANNELS = [1, 0, 3, 4, 2, 0, 4]

/** Throws `ImageRejection` if the file is animated, truncated or not a PNG. */
export function readPng(bytes: Buffer): ImageHeader {
  const kept: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)]
  const seen = new Set<string>()
  let header: Buffer = Buffer.alloc(0)
  let count = 0
  for (let offset = SIGNATURE_BYTES; !seen.has('IEND');) {
    count += 1
    if (count > MAX_CHUNKS) throw new ImageRejection('PNG_CHUNKS')
    const { type, data, end } = chunkAt(bytes, offset)
    // The decoder would silently keep only the first frame.
    if (ANIMATION_CHUNKS.has(type)) throw new ImageRejection('IMAGE_ANIMATED')
    if (seen.size === 0) header = data
    if (isKept(type, data, seen)) kept.push(bytes.subarray(offset, end))
    seen.add(type)
    offset = end
  }
  const [first] = seen
  if (first !== 'IHDR' || header.length !== 13 || !seen.has('IDAT')) throw new ImageRejection('IMAGE_DAMAGED')
  return { type: 'image/png', ...parseHeader(header), bytes: Buffer.concat(kept) }
}

/** Keeps only chunks that affect pixels, because each costs decoder time. */
function isKept(type: string, data: Buffer, seen: ReadonlySet<string>): boolean {
  if (!KEPT_CHUNKS.has(type)) return false
  if (type === 'IDAT') return data.length > 0
  if (seen.has(type)) {
    if (CRITICAL_CHUNKS.has(type)) throw new ImageRejection('IMAGE_DAMAGED')
    return false
  }
  if (type === 'iCCP') checkProfile(data)
  return type !== 'eXIf' || data.length <= MAX_EXIF_BYTES
}

function parseHeader(header: Buffer): Pick<ImageHeader, 'width' | 'height' | 'decoderBytes' | 'memoryRejection'> {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 8, colour = 0, interlacing = 0] = [header[8], header[9], header[12]]
  const bytesPerPixel = (CHANNELS[colour] ?? 4) * (depth === 16 ? 2 : 1)
  if (interlacing !== 0)
    return { width, height, decoderBytes: width * height * bytesPerPixel, memoryRejection: 'IMAGE_NEEDS_MEMORY_INTERLACED' }
  // Without interlacing the decoder buffers a fixed number of lines, which only matters for long 16-bit lines.
  return {
    width,
    height,
    decoderBytes: depth === 16 ? width * bytesPerPixel * Math.min(height, BUFFERED_LINES) : 0,
    memoryRejection: 'IMAGE_NEEDS_MEMORY_16_BIT',
  }
}

function chunkAt(bytes: Buffer, offset: number): { type: string; data: Buffer; end: number } {
  if (offset + CHUNK_OVERHEAD_BYTES > bytes.length) throw new ImageRejection('IMAGE_DAMAGED')
  const end = offset + CHUNK_OVERHEAD_BYTES + bytes.readUInt32BE(offset)
  if (end > bytes.length) throw new ImageRejection('IMAGE_DAMAGED')
  return { type: bytes.toString('latin1', offset + 4, offset + 8), data: bytes.subarray(offset + 8, end - 4), end }
}

/** A profile is a name, a zero byte, a compression method of zero, and compressed data: usually a few kilobytes. */
function checkProfile(data: Buffer): void {
  const compressed = data.subarray(data.indexOf(0) + 2)
  try {
    inflateSync(compressed, { maxOutputLength: MAX_PROFILE_BYTES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new ImageRejection('IMAGE_PROFILE_TOO_LARGE')
    throw new ImageRejection('IMAGE_DAMAGED')
  }
}
