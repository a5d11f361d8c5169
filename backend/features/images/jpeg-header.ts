import { DAMAGED, type ImageHeader, ImageRejection } from './image-header.ts'

/** Each scan of a progressive picture goes over all of it once more: honest ones have about ten. */
const MAX_SCANS = 100
const START_OF_SCAN = 0xda
/** Frames: all from SOF0 to SOF15, but for what only looks like one (tables and an extension). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Markers without a length: fill bytes, restarts and the start of the picture. */
const hasNoLength = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

interface Frame {
  readonly marker: number
  readonly data: Buffer
}

/** Throws Refused where it is cut off, or no JPEG after all. */
export function readJpeg(bytes: Buffer): ImageHeader {
  const { frame, componentsInFirstScan: inFirstScan } = readSegments(bytes)
  const { data, marker } = frame
  const [depth = 0, components = 0] = [data[0], data[5]]
  if (data.length < 6 + components * 3 || components === 0) throw new ImageRejection(DAMAGED)
  if (depth !== 8) throw new ImageRejection(`This JPEG has ${depth} bits a colour. Save it with 8.`)
  if (countScans(bytes) > MAX_SCANS) throw new ImageRejection('This JPEG consists of too many layers. Save it without "progressive".')
  const [height, width] = [data.readUInt16BE(1), data.readUInt16BE(3)]
  // Where the colours do not all come in one scan, their coefficients (two bytes each) are held until the last.
  const isBuffered = marker === 0xc2 || marker === 0xc6 || marker === 0xca || marker === 0xce || inFirstScan < components
  return {
    type: 'image/jpeg',
    width,
    height,
    decoderBytes: isBuffered ? 2 * width * height * samplesPerPixel(data, components) : 0,
    memoryReason: 'a progressive JPEG',
    bytes,
  }
}

function readSegments(bytes: Buffer): { frame: Frame; componentsInFirstScan: number } {
  let frame: Frame | undefined
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) throw new ImageRejection(DAMAGED)
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (hasNoLength(marker)) at += 2
    else {
      const end = at + 2 + bytes.readUInt16BE(at + 2)
      if (end > bytes.length || end < at + 4) break
      if (isFrame(marker)) frame ??= { marker, data: bytes.subarray(at + 4, end) }
      if (marker === START_OF_SCAN) {
        if (frame === undefined) break
        return { frame, componentsInFirstScan: bytes[at + 4] ?? 0 }
      }
      at = end
    }
  }
  throw new ImageRejection(DAMAGED)
}

/** How many of each pixel's values are kept: three in full colour, one and a half where colours are kept at half the size. */
function samplesPerPixel(data: Buffer, components: number): number {
  const sampling = Array.from({ length: components }, (_, index) => data[7 + index * 3] ?? 0x11)
  const most = Math.max(...sampling.map((each) => (each >> 4) * (each & 15)), 1)
  return sampling.reduce((sum, each) => sum + ((each >> 4) * (each & 15)) / most, 0)
}

/** In packed pixels the byte 0xff is always followed by zero or a restart, so what looks like a scan is one. */
function countScans(bytes: Buffer): number {
  const sign = Buffer.from([0xff, START_OF_SCAN])
  let count = 0
  for (let at = bytes.indexOf(sign); at !== -1 && count <= MAX_SCANS; at = bytes.indexOf(sign, at + 2)) count += 1
  return count
}
