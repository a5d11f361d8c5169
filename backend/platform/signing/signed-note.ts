/** Signed notes: a text with Ed25519 signatures, in the format of c2sp.org/signed-note. The SDK verifies them with Web Crypto. */
import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto'
import { Unprintable } from '#backend/platform/unprintable.ts'

/** Ed25519, as the format numbers it. */
const TYPE = Buffer.from([1])
const KEY_BYTES = 32
const ID_BYTES = 4
/** What precedes the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Neither Unicode spaces nor a plus. */
const NAME = /^[^\s+\p{Cc}]{1,100}$/u
const SIGNATURE_LINE = /^— (\S+) ([A-Za-z0-9+/]+=*)$/

/** A key that verifies. */
export interface PublicKey {
  readonly name: string
  /** `name+id+key`, as people copy it. */
  readonly text: string
  readonly keyObject: KeyObject
  /** The ID in the signatures, which is not secret and not unique. */
  readonly id: Buffer
}

export const isKeyName = (name: string): boolean => NAME.test(name)

/** Undefined unless the text is a public key. */
export function parsePublicKey(text: string): PublicKey | undefined {
  const [, name = '', id, encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  if (!isKeyName(name) || bytes.length !== 1 + KEY_BYTES || !bytes.subarray(0, 1).equals(TYPE)) return undefined
  const key = publicKeyOf(name, bytes.subarray(1))
  return key.id.toString('hex') === id ? key : undefined
}

function publicKeyOf(name: string, raw: Buffer): PublicKey {
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), TYPE, raw]), 'buffer').subarray(0, ID_BYTES)
  const keyObject = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
  return { name, id, keyObject, text: `${name}+${id.toString('hex')}+${Buffer.concat([TYPE, raw]).toString('base64')}` }
}

/** A key that signs. */
export class PrivateKey extends Unprintable {
  readonly publicKey: PublicKey
  readonly #key: KeyObject

  private constructor(name: string, key: KeyObject) {
    super()
    this.#key = key
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
    this.publicKey = publicKeyOf(name, Buffer.from(x, 'base64url'))
  }

  static create(name: string): PrivateKey {
    return new PrivateKey(name, generateKeyPairSync('ed25519').privateKey)
  }

  /** Undefined unless the text is a private key, `PRIVATE+KEY+name+id+key`, as Go's package `note` writes it. */
  static parse(text: string): PrivateKey | undefined {
    const [, name = '', id, encoded = ''] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? []
    const bytes = Buffer.from(encoded, 'base64')
    if (!isKeyName(name) || bytes.length !== 1 + KEY_BYTES || !bytes.subarray(0, 1).equals(TYPE)) return undefined
    const der = Buffer.concat([PKCS8_PREFIX, bytes.subarray(1)])
    const key = new PrivateKey(name, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
    return key.publicKey.id.toString('hex') === id ? key : undefined
  }

  /** Call this only to write the key's file. */
  reveal(): string {
    const { name, id } = this.publicKey
    const seed = this.#key.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES)
    return `PRIVATE+KEY+${name}+${id.toString('hex')}+${Buffer.concat([TYPE, seed]).toString('base64')}`
  }

  /** @param text ends with a newline. */
  signatureLine(text: string): string {
    const { name, id } = this.publicKey
    return `— ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), this.#key)]).toString('base64')}\n`
  }
}

/** Signs one line of text. */
export function signNote(line: string, keys: readonly PrivateKey[]): string {
  const text = `${line}\n`
  return `${text}\n${keys.map((key) => key.signatureLine(text)).join('')}`
}

/** A note of one line. */
export interface Note {
  readonly line: string
  readonly signatures: readonly { readonly name: string; readonly bytes: Buffer }[]
}

/** The notes of a text, one after the other with an empty line between them. Undefined unless each is a note of one line. */
export function parseNotes(text: string): readonly Note[] | undefined {
  const blocks = `${text.trim()}\n`.split('\n\n')
  const notes: Note[] = []
  for (let at = 0; at < blocks.length; at += 2) {
    const [line = '', block = ''] = blocks.slice(at)
    const lines = block.trimEnd().split('\n')
    const signatures = lines.flatMap((each) => {
      const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(each) ?? []
      return name === '' ? [] : [{ name, bytes: Buffer.from(encoded, 'base64') }]
    })
    if (line.includes('\n') || signatures.length < lines.length) return undefined
    notes.push({ line, signatures })
  }
  return notes
}

export function isSignedBy({ line, signatures }: Note, { name, id, keyObject }: PublicKey): boolean {
  const own = signatures.find(({ name: signer, bytes }) => signer === name && bytes.subarray(0, ID_BYTES).equals(id))
  return own !== undefined && verify(null, Buffer.from(`${line}\n`), keyObject, own.bytes.subarray(ID_BYTES))
}
