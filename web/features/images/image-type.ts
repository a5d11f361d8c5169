/** Which files are taken, by their bytes: the backend judges them once more, with the same sentences. */

const TAKEN = 'Upload a PNG, JPEG or WebP image.'
const ANIMATED = 'This image is animated. Upload a still image.'
/** As much of a file as says what it is. */
const HEAD_BYTES = 4096

type Sign = readonly [name: string, head: RegExp]

/** What people try; the sentence names it, so that they know what to change. Each character of a head is one byte. */
const OTHERS: readonly Sign[] = [
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
 * Lets through what the backend takes: PNG, JPEG and WebP that stand still. Cut to another size an animation would become a still picture
 * and a drawing some picture, without a word; so they are refused before.
 * @throws Error with the sentence for people.
 */
export async function assertSupportedImage(file: Blob): Promise<void> {
  if (file.size === 0) throw new Error(`The file is empty. ${TAKEN}`)
  const head = textOf(await bytesOf(file.slice(0, HEAD_BYTES)))
  if (head.startsWith('\u00ff\u00d8\u00ff')) return
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) {
    if (isAnimatedPng(await bytesOf(file))) throw new Error(ANIMATED)
  } else if (/^RIFF[^]{4}WEBP/.test(head)) {
    if (isAnimatedWebp(await bytesOf(file))) throw new Error(ANIMATED)
  } else {
    const other = OTHERS.find(([, sign]) => sign.test(head))?.[0]
    throw new Error(`${other === undefined ? "This file isn't a readable image." : `This is ${other}.`} ${TAKEN}`)
  }
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer())
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** A chunk has its length, its type, its data and a check sum; the types of an animation may stand anywhere. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer)
  for (let at = 8; at + 8 <= bytes.length; at += view.getUint32(at) + 12) {
    if (['acTL', 'fcTL', 'fdAT'].includes(textOf(bytes.subarray(at + 4, at + 8)))) return true
  }
  return false
}

/** A chunk has its type, its length and its data, and begins at an even place. The first may be flags, of which one says so. */
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
