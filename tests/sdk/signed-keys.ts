/** Keys of a signed list, made as `muster keys` makes them. */
import { type KeyNotes, appendKeyNote, readKeyNotes } from '#backend/platform/signing/key-notes.ts'
import { PrivateKey } from '#backend/platform/signing/signed-note.ts'

const NAME = 'list.example.com'
const DAY_MS = 86_400_000

export interface SigningKeys {
  readonly root: PrivateKey
  readonly online: PrivateKey
  readonly notes: KeyNotes
  /** What launchers and mirrors have. */
  readonly publicKey: string
  /** For the environment of the program. */
  readonly variables: { readonly SIGNING_KEY: string; readonly SIGNING_KEYS: string }
}

/** @param days until the online key ends. */
export function signingKeys(days = 100, now = Date.now()): SigningKeys {
  const root = PrivateKey.create(`${NAME}/root`)
  const online = PrivateKey.create(NAME)
  return keysOf(root, online, appendKeyNote(undefined, { version: 1, time: timeAt(now), keys: [row(online, days, now)] }, root))
}

/** With a further online key, or with that alone. */
export function renewed({ root, notes }: SigningKeys, { revokes = false, days = 100, now = Date.now() } = {}): SigningKeys {
  const online = PrivateKey.create(NAME)
  const { version, keys } = notes.current
  const next = { version: version + 1, time: timeAt(now), keys: [...(revokes ? [] : keys), row(online, days, now)] }
  return keysOf(root, online, appendKeyNote(notes, next, root))
}

export function withNewRoot({ root: former, online, notes, publicKey }: SigningKeys): SigningKeys {
  const root = PrivateKey.create(`${NAME}/root`)
  const { version, time, keys } = notes.current
  return { ...keysOf(root, online, appendKeyNote(notes, { version: version + 1, time, keys }, root, former)), publicKey }
}

function keysOf(root: PrivateKey, online: PrivateKey, text: string): SigningKeys {
  const variables = { SIGNING_KEY: online.reveal(), SIGNING_KEYS: text }
  return { root, online, notes: readKeyNotes(text), publicKey: root.publicKey.text, variables }
}

const timeAt = (ms: number) => new Date(ms).toISOString()

const row = ({ publicKey }: PrivateKey, days: number, now: number) => ({
  key: publicKey.text,
  from: timeAt(now - 3_600_000),
  until: timeAt(now + days * DAY_MS),
})
