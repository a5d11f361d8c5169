/** The word that a game server has to answer with. It is signed, so that a game server can tell the list's check from anybody else's. */
import { createHmac, randomBytes } from 'node:crypto'

/** Long enough for a clock that is a little off. */
const VALID_SECONDS = 60
const NONCE_BYTES = 12

export const CHECK_PATH = '/.well-known/muster/'

/** Whom the list asks, and by what he knows that it is the list. */
export interface Endpoint {
  readonly publicId: string
  readonly address: string
  readonly port: number
  /** SHA-256 of the credential of the announce: what the list keeps, and what the game server can make. */
  readonly key: Buffer
}

/** `ip:port`, IPv6 in brackets: the `Host` of the request, and part of what is signed. */
export function hostOf({ address, port }: Pick<Endpoint, 'address' | 'port'>): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** `<publicId>.<expires, unix seconds>.<nonce>.<signature>`; @param now wall milliseconds. */
export function challengeFor(endpoint: Endpoint, now: number): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const plain = `${endpoint.publicId}.${Math.floor(now / 1000) + VALID_SECONDS}.${nonce}`
  return `${plain}.${signatureOf(plain, hostOf(endpoint), endpoint.key)}`
}

/** The host is signed too: a challenge that was made for one server's address is worth nothing at another. */
function signatureOf(plain: string, host: string, key: Buffer): string {
  return createHmac('sha256', key).update(`${plain}.${host}`).digest('base64url')
}
