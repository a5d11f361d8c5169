/** The operator's logo: a square PNG or SVG. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Logo {
  readonly type: 'image/png' | 'image/svg+xml'
  readonly bytes: Buffer
  readonly digest: string
}

const MAX_KIB = 256
export const MAX_LOGO_BYTES = MAX_KIB * 1024
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const [MIN_PIXELS, MAX_PIXELS] = [64, 1024]

/** Throws an error whose message continues a sentence about the logo. */
export function readLogoFile(path: string): Logo {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch {
    throw new Error("names a file that can't be read")
  }
  return checkLogo(bytes)
}

/** Throws like `readLogoFile`. */
export function checkLogo(bytes: Buffer): Logo {
  if (bytes.length > MAX_LOGO_BYTES) throw new Error(`must be a file of at most ${MAX_KIB} KiB`)
  return bytes.subarray(0, 8).equals(PNG_SIGNATURE) ? checkPng(bytes) : checkSvg(bytes)
}

/** Width and height are the first fields of the first chunk. */
function checkPng(bytes: Buffer): Logo {
  const [width, height] = bytes.length < 24 ? [0, 0] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (width !== height || width < MIN_PIXELS || width > MAX_PIXELS)
    throw new Error(`must be a square of ${MIN_PIXELS} to ${MAX_PIXELS} pixels; this one has ${width} x ${height}`)
  return logoOf('image/png', bytes)
}

function checkSvg(bytes: Buffer): Logo {
  const root = /^(?:\uFEFF|\s|<\?xml[^>]*>|<!DOCTYPE[^>[]*>|<!--[\s\S]*?-->)*(<svg[\s>][^>]*)/.exec(bytes.toString('utf8'))?.[1]
  if (root === undefined) throw new Error('must be a PNG or SVG file')
  const [width, height] = /\sviewBox\s*=\s*["'][\d.\s,-]*?([\d.]+)[\s,]+([\d.]+)\s*["']/.exec(root)?.slice(1).map(Number) ?? []
  if (width === undefined || !(width > 0) || width !== height) throw new Error('must be an SVG whose viewBox is a square')
  return logoOf('image/svg+xml', bytes)
}

const logoOf = (type: Logo['type'], bytes: Buffer): Logo => ({ type, bytes, digest: hash('sha256', bytes, 'base64url') })
