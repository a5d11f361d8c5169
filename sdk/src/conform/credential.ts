/** A credential with a correct checksum, for announcers that check it before they send anything. */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** CRC-32 (IEEE). */
function crc32(text: string): number {
  let crc = ~0
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

function base62(value: number): string {
  return value === 0 ? '' : base62(Math.floor(value / 62)) + DIGITS.charAt(value % 62)
}

const withChecksum = (text: string) => text + base62(crc32(text)).padStart(6, '0')

/** Whether a text looks like a credential, and has its checksum. */
export const isCredential = (text: string): boolean =>
  /^mst_[0-9A-Za-z]{7}_[0-9A-Za-z]{36}$/.test(text) && withChecksum(text.slice(0, -6)) === text

export function createCredential(publicId: string): string {
  const secret = Array.from(crypto.getRandomValues(new Uint8Array(30)), (byte) => DIGITS.charAt(byte % 62)).join('')
  return withChecksum(`mst_${publicId}_${secret}`)
}
