/** Detects the type of a file from its bytes. The backend repeats the check. */
import { m } from '#messages'

/** Enough to detect every format below. */
const HEAD_BYTES = 4096

type Signature = readonly [name: string, head: RegExp]

/** Formats that users try; the error names them. Each character of the head is one byte. */
const UNSUPPORTED_FORMATS: readonly Signature[] = [
  ['a GIF', /^GIF8/],
  ['a BMP', /^BM/],
  ['a TIFF', /^(?:II[*+]\0|MM\0[*+])/],
  ['an AVIF', /^[^]{4}ftypavi[fs]/],
  ['an HEIC', /^[^]{4}ftyp(?:hei[cmsx]|hevc|m[is]f1)/],
  ['a JPEG XL', /^(?:\u00ff\n|[^]{4}JXL )/],
  ['an icon file (ICO)', /^\0\0[^\0]\0/],
  ['an SVG', /<svg[\s>]/i],
]

/**
 * Accepts what the backend accepts: still PNG, JPEG and WebP images. Cropping would silently flatten an animation or a vector image.
 * @throws Error with a message for users.
 */
export async function assertSupportedImage(file: Blob): Promise<void> {
  if (file.size === 0) throw new Error(m.images_empty())
  const head = textOf(await bytesOf(file.slice(0, HEAD_BYTES)))
  if (head.startsWith('\u00ff\u00d8\u00ff')) return
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) {
    if (isAnimatedPng(await bytesOf(file))) throw new Error(m.images_animated())
  } else if (/^RIFF[^]{4}WEBP/.test(head)) {
    if (isAnimatedWebp(await bytesOf(file))) throw new Error(m.images_animated())
  } else {
    const other = UNSUPPORTED_FORMATS.find(([, signature]) => signature.test(head))?.[0]
    throw new Error(other === undefined ? m.images_unreadable() : m.images_unsupported({ format: other }))
  }
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer())
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** A chunk is a length, a type, data and a checksum. Animation chunks can come anywhere. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer)
  for (let at = 8; at + 8 <= bytes.length; at += view.getUint32(at) + 12) {
    if (['acTL', 'fcTL', 'fdAT'].includes(textOf(bytes.subarray(at + 4, at + 8)))) return true
  }
  return false
}

/** A chunk is a type, a length and data, and starts at an even offset. The flags of `VP8X` include one for animation. */
function isAnimatedWebp(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer)
  for (let at = 12; at + 8 <= bytes.length;) {
    const type = textOf(bytes.subarray(at, at + 4))
    if (type === 'ANIM' || type === 'ANMF' || (type === 'VP8X' && ((bytes[at + 8] ?? 0) & 2) !== 0)) return true
    const length = view.getUint32(at + 4, true)
    at += 8 + length + (length % 2)
  }
  return false
}
