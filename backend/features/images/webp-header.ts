import { type ImageHeader, ImageRejection } from './image-header.ts'

const RIFF_HEAD_BYTES = 12
const CHUNK_HEAD_BYTES = 8
const ANIMATION_FLAG = 0x02

/** Throws `ImageRejection` if the file is animated, truncated or not a WebP. */
export function readWebp(bytes: Buffer): ImageHeader {
  const chunks = chunksOf(bytes)
  // Decoders use the first chunk of each type.
  const lossless = chunks.get('VP8L')
  const lossy = chunks.get('VP8 ')
  const flags = chunks.get('VP8X')?.[0] ?? 0
  if (chunks.has('ANIM') || chunks.has('ANMF') || (flags & ANIMATION_FLAG) !== 0) throw new ImageRejection('IMAGE_ANIMATED')
  const size = lossless === undefined ? lossySize(lossy ?? Buffer.alloc(0)) : losslessSize(lossless)
  // Lossy pixels are shrunk while they are decoded. Lossless pixels and alpha are not.
  const decoderBytesPerPixel = lossless !== undefined ? 4 : chunks.has('ALPH') ? 1 : 0
  return {
    type: 'image/webp',
    ...size,
    decoderBytes: size.width * size.height * decoderBytesPerPixel,
    memoryRejection: lossless === undefined ? 'IMAGE_NEEDS_MEMORY_TRANSPARENT_WEBP' : 'IMAGE_NEEDS_MEMORY_LOSSLESS_WEBP',
    bytes,
  }
}

function chunksOf(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const chunks = new Map<string, Buffer>()
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) throw new ImageRejection('IMAGE_DAMAGED')
  for (let offset = RIFF_HEAD_BYTES; offset + CHUNK_HEAD_BYTES <= end;) {
    const type = bytes.toString('latin1', offset, offset + 4)
    const length = bytes.readUInt32LE(offset + 4)
    const from = offset + CHUNK_HEAD_BYTES
    if (from + length > end) throw new ImageRejection('IMAGE_DAMAGED')
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(from, from + length))
    // Chunks start at even offsets.
    offset = from + length + (length % 2)
  }
  return chunks
}

/** Width and height minus one, in 14 bits each, after a signature byte. */
function losslessSize(data: Buffer): { width: number; height: number } {
  if (data.length < 5 || data[0] !== 0x2f) throw new ImageRejection('IMAGE_DAMAGED')
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** Width and height follow a frame tag of three bytes and the start code. The upper two bits of each are a scale factor. */
function lossySize(data: Buffer): { width: number; height: number } {
  if (data.length < 10 || data.toString('hex', 3, 6) !== '9d012a') throw new ImageRejection('IMAGE_DAMAGED')
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}
