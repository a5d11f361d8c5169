/** Signed notes (c2sp.org/signed-note) of one line of text, verified with Web Crypto: in Node, Deno, Bun and browsers. */

const ED25519 = 1
const ID_BYTES = 4
const SIGNATURE_LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/
/** A note has few signatures, and each costs a comparison. */
const MAX_SIGNATURES = 16

type Subtle = typeof globalThis.crypto.subtle
/** As Web Crypto takes them. */
type Bytes = Uint8Array<ArrayBuffer>

export interface PublicKey {
  /** `name+id+key`. */
  readonly text: string
  readonly name: string
  readonly id: Uint8Array
  readonly key: Awaited<ReturnType<Subtle['importKey']>>
}

interface Note {
  /** What is signed, with its newline. */
  readonly text: string
  readonly signatures: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/** Browsers offer Web Crypto to https and localhost only. */
function subtle(): Subtle {
  const { crypto } = globalThis as { readonly crypto?: { readonly subtle?: Subtle } }
  if (crypto?.subtle !== undefined) return crypto.subtle
  throw new Error('Signatures cannot be verified here: Web Crypto is missing. Open the page over https.')
}

export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await subtle().digest('SHA-256', bytes as Bytes))
}

export const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Imports each key once. */
export class Keys {
  readonly #imported = new Map<string, Promise<PublicKey>>()

  /** Rejects unless the text is a public key. */
  import(text: string): Promise<PublicKey> {
    const imported = this.#imported.get(text) ?? importKey(text)
    this.#imported.set(text, imported)
    return imported
  }
}

async function importKey(text: string): Promise<PublicKey> {
  const [, name = '', id, encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  const bytes = bytesOf(encoded)
  if (bytes?.length !== 33 || bytes[0] !== ED25519) throw new Error(`“${text}” is not a public key.`)
  const hash = await sha256(new Uint8Array([...new TextEncoder().encode(`${name}\n`), ...bytes]))
  const own = hash.subarray(0, ID_BYTES)
  if (hexOf(own) !== id) throw new Error(`“${text}” is not a public key: a character is wrong.`)
  const key = await subtle().importKey('raw', bytes.subarray(1) as Bytes, { name: 'Ed25519' }, false, ['verify'])
  return { text, name, id: own, key }
}

/** Undefined unless the base64 is the only one of its bytes. */
function bytesOf(base64: string): Uint8Array | undefined {
  try {
    const binary = atob(base64)
    return btoa(binary) === base64 ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined
  } catch {
    return undefined
  }
}

/** The notes of a text, one after the other with an empty line between them. Throws unless each is a note of one line. */
export function parseNotes(text: string): Note[] {
  const blocks = text.split('\n\n')
  if (blocks.length % 2 === 1 || !text.endsWith('\n')) throw new Error('it is not a signed note')
  const notes: Note[] = []
  for (let at = 0; at < blocks.length; at += 2) {
    const [line = '', block = ''] = blocks.slice(at)
    const signatures = block.replace(/\n$/, '').split('\n').map(signatureOf)
    if (line.includes('\n') || signatures.length > MAX_SIGNATURES) throw new Error('it is not a signed note')
    notes.push({ text: `${line}\n`, signatures })
  }
  return notes
}

function signatureOf(line: string): Note['signatures'][number] {
  const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(line) ?? []
  const bytes = bytesOf(encoded)
  if (name === '' || bytes === undefined) throw new Error('it is not a signed note')
  return { name, bytes }
}

export async function isSignedBy({ text, signatures }: Note, { name, id, key }: PublicKey): Promise<boolean> {
  const own = signatures.filter(({ name: signer, bytes }) => signer === name && id.every((byte, index) => byte === bytes[index]))
  if (own.length === 0) return false
  const signed = new TextEncoder().encode(text)
  const verify = (bytes: Uint8Array) => subtle().verify('Ed25519', key, bytes.subarray(ID_BYTES) as Bytes, signed as Bytes)
  // One that fails spoils the note.
  return (await Promise.all(own.map(({ bytes }) => verify(bytes)))).every(Boolean)
}
