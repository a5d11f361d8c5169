import { type ImageHeader, ImageRejection } from './image-header.ts'

/** Each scan of a progressive JPEG processes the whole image again. Legitimate ones have about ten. */
const MAX_SCANS = 100
const START_OF_SCAN = 0xda
/** SOF0 to SOF15, except DHT, JPG and DAC, which share that range. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** TEM, RST0 to RST7 and SOI. */
const hasNoLength = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

interface Frame {
  readonly marker: number
  readonly data: Buffer
}

/** Throws `ImageRejection` if the file is truncated or isn't a JPEG. */
export function readJpeg(bytes: Buffer): ImageHeader {
  const { frame, componentsInFirstScan } = readSegments(bytes)
  const { data, marker } = frame
  const [depth = 0, components = 0] = [data[0], data[5]]
  if (data.length < 6 + components * 3 || components === 0) throw new ImageRejection('IMAGE_DAMAGED')
  if (depth !== 8) throw new ImageRejection('JPEG_DEPTH', { bits: depth })
  if (countScans(bytes) > MAX_SCANS) throw new ImageRejection('JPEG_SCANS')
  const [height, width] = [data.readUInt16BE(1), data.readUInt16BE(3)]
  // Unless all components are in one scan, the decoder buffers all coefficients (two bytes each) until the last scan.
  const isBuffered = marker === 0xc2 || marker === 0xc6 || marker === 0xca || marker === 0xce || componentsInFirstScan < components
  return {
    type: 'image/jpeg',
    width,
    height,
    decoderBytes: isBuffered ? 2 * width * height * samplesPerPixel(data, components) : 0,
    memoryRejection: 'IMAGE_NEEDS_MEMORY_PROGRESSIVE_JPEG',
    bytes,
  }
}

function readSegments(bytes: Buffer): { frame: Frame; componentsInFirstScan: number } {
  let frame: Frame | undefined
  for (let offset = 2; offset + 4 <= bytes.length;) {
    if (bytes[offset] !== 0xff) throw new ImageRejection('IMAGE_DAMAGED')
    const marker = bytes[offset + 1] ?? 0
    if (marker === 0xff) offset += 1
    else if (hasNoLength(marker)) offset += 2
    else {
      const end = offset + 2 + bytes.readUInt16BE(offset + 2)
      if (end > bytes.length || end < offset + 4) break
      if (isFrame(marker)) frame ??= { marker, data: bytes.subarray(offset + 4, end) }
      if (marker === START_OF_SCAN) {
        if (frame === undefined) break
        return { frame, componentsInFirstScan: bytes[offset + 4] ?? 0 }
      }
      offset = end
    }
  }
  throw new ImageRejection('IMAGE_DAMAGED')
}

/** Samples per pixel: 3 without chroma subsampling, 1.5 with chroma at half the width and height. */
function samplesPerPixel(data: Buffer, components: number): number {
  const sampling = Array.from({ length: components }, (_, index) => data[7 + index * 3] ?? 0x11)
  const max = Math.max(...sampling.map((each) => (each >> 4) * (each & 15)), 1)
  return sampling.reduce((sum, each) => sum + ((each >> 4) * (each & 15)) / max, 0)
}

/** In compressed data 0xff is always followed by zero or a restart marker, so every match is a real scan. */
function countScans(bytes: Buffer): number {
  const marker = Buffer.from([0xff, START_OF_SCAN])
  let count = 0
  for (let offset = bytes.indexOf(marker); offset !== -1 && count <= MAX_SCANS; offset = bytes.indexOf(marker, offset + 2)) count += 1
  return count
}
