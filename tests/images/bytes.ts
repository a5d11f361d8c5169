/** Builds image files byte by byte, with contents that no encoder would produce. */
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { crc32, createDeflate, deflateSync } from 'node:zlib'

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

export function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

export interface PngShape {
  readonly width: number
  readonly height: number
  readonly depth?: 1 | 8 | 16
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  readonly colour?: 0 | 2 | 3 | 4 | 6
  readonly isInterlaced?: boolean
}

export function header({ width, height, depth = 8, colour = 2, isInterlaced = false }: PngShape): Buffer {
  return chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([depth, colour, 0, 0, isInterlaced ? 1 : 0])]))
}

/** A PNG whose rows are all the same. @param row its pixels, without the filter byte */
export async function rowsOf(shape: PngShape, row: Buffer): Promise<Buffer> {
  const packed: Buffer[] = []
  const deflate = createDeflate({ level: 1 }).on('data', (part: Buffer) => packed.push(part))
  const line = Buffer.concat([Buffer.from([0]), row])
  const lines = Buffer.concat(Array.from({ length: 50 }, () => line))
  for (let left = shape.height; left > 0; left -= 50)
    if (!deflate.write(left >= 50 ? lines : lines.subarray(0, left * line.length))) await once(deflate, 'drain')
  deflate.end()
  await once(deflate, 'end')
  return png(shape, Buffer.concat(packed))
}

/** A PNG with this pixel data, valid or not. @param before chunks before the pixels @param after chunks after them */
export function png(
  shape: PngShape,
  packed: Buffer = deflateSync(''),
  before: readonly Buffer[] = [],
  after: readonly Buffer[] = [],
): Buffer {
  return Buffer.concat([PNG_SIGNATURE, header(shape), ...before, chunk('IDAT', packed), ...after, chunk('IEND')])
}

/** Puts chunks into a PNG, right after its header. */
export function withChunks(file: Buffer, ...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([file.subarray(0, 33), ...chunks, file.subarray(33)])
}

/** Corrupts one byte. */
export function corrupted(file: Buffer, at: number): Buffer {
  const copy = Buffer.from(file)
  copy[at] = (copy[at] ?? 0) ^ 0x55
  return copy
}

/** A JPEG segment. */
export function segment(marker: number, data: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length + 2)
  return Buffer.concat([Buffer.from([0xff, marker]), length, data])
}

/** Puts segments into a JPEG, right after its start. */
export function withSegments(file: Buffer, ...segments: readonly Buffer[]): Buffer {
  return Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2)])
}

/** Changes the dimensions in the header of a JPEG. */
export function resized(file: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(file)
  const frame = copy.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(copy[at + 1] ?? 0))
  copy.writeUInt16BE(height, frame + 5)
  copy.writeUInt16BE(width, frame + 7)
  return copy
}

/** A WebP of these chunks. */
export function webp(...chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  const body = Buffer.concat(
    chunks.map(([type, data]) => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(data.length)
      return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)])
    }),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length + 4)
  return Buffer.concat([Buffer.from('RIFF'), length, Buffer.from('WEBP'), body])
}

/** The header of a lossless WebP of this size. */
export function losslessHead(width: number, height: number): Buffer {
  const bits = Buffer.alloc(5)
  bits[0] = 0x2f
  bits.writeUInt32LE((((width - 1) & 0x3fff) | (((height - 1) & 0x3fff) << 14)) >>> 0, 1)
  return bits
}

export function box(brand: string): Buffer {
  return Buffer.concat([uint32(24), Buffer.from(`ftyp${brand}\0\0\0\0${brand}mif1`, 'latin1')])
}
