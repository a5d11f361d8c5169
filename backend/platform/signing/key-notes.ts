/**
 * Key notes: what the root key says about the online keys that sign the list. Each note is signed by the root key that it names. A new root
 * key is named by a note that the previous one has signed too, so that readers who know any former root key find the way to the current one.
 */
import { z } from 'zod'
import { type Note, type PrivateKey, type PublicKey, isSignedBy, parseNotes, parsePublicKey, signNote } from './signed-note.ts'

const KeyNote = z.object({
  version: z.int().min(1),
  time: z.iso.datetime(),
  root: z.string(),
  keys: z.array(z.object({ key: z.string(), from: z.iso.datetime(), until: z.iso.datetime() })).min(1),
})
export type KeyNote = z.output<typeof KeyNote>

interface OnlineKey {
  readonly key: PublicKey
  readonly from: Date
  readonly until: Date
}

export interface KeyNotes {
  /** As they are served: one note per former root key, and the current one. */
  readonly text: string
  readonly current: KeyNote
  readonly root: PublicKey
  readonly keys: readonly OnlineKey[]
}

/** Throws an error whose message continues "The key notes". */
export function readKeyNotes(text: string): KeyNotes {
  const notes = parseNotes(text) ?? []
  let previous: KeyNotes | undefined
  for (const note of notes) previous = readNote(note, previous)
  if (previous === undefined) throw new Error('are not signed notes. Use a file keys-N.note of "muster keys"')
  return { ...previous, text: `${text.trim()}\n` }
}

function readNote(note: Note, previous: KeyNotes | undefined): KeyNotes {
  const current = KeyNote.safeParse(jsonOf(note.line)).data
  const root = current && parsePublicKey(current.root)
  if (current === undefined || root === undefined) throw new Error('have a note that does not name its root key')
  if (!isSignedBy(note, root)) throw new Error('have a note that its root key has not signed')
  if (previous !== undefined && !isSignedBy(note, previous.root)) throw new Error('have a note that the previous root key has not signed')
  if (previous !== undefined && current.version <= previous.current.version) throw new Error('are not in the order of their versions')
  const keys = current.keys.map(({ key, from, until }) => {
    const parsed = parsePublicKey(key)
    if (parsed === undefined) throw new Error('name an online key that is not a public key')
    return { key: parsed, from: new Date(from), until: new Date(until) }
  })
  return { text: '', current, root, keys }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The notes with this one as the current. @param formerRoot signs too if the root key changes; the note before it then stays. */
export function appendKeyNote(
  previous: KeyNotes | undefined,
  next: Omit<KeyNote, 'root'>,
  root: PrivateKey,
  formerRoot?: PrivateKey,
): string {
  const note = signNote(JSON.stringify({ ...next, root: root.publicKey.text } satisfies KeyNote), formerRoot ? [formerRoot, root] : [root])
  // A note that its root key alone has signed is replaced by the next one.
  const former = previous?.text.split(/(?<=\n)\n(?=\{)/) ?? []
  const kept = former.filter((each) => parseNotes(each)?.[0]?.signatures.length === 2)
  return [...kept.map((each) => `${each.trimEnd()}\n`), note].join('\n')
}

/** When the validity of this key ends, or undefined if the notes don't name it. */
export function endOfKey({ keys }: KeyNotes, key: PublicKey): Date | undefined {
  return keys.find(({ key: { text } }) => text === key.text)?.until
}
