/** 10,000 answers of a mirror that differ from an honest one in a random way. None is accepted. */
import { expect, test } from 'vitest'
import { type SignedState, list } from '#sdk/list/index.ts'
import { renewed, signingKeys } from '#tests/sdk/signed-keys.ts'
import { type Files, NOW, fetchOf, signedFiles } from './signed-sources.ts'

const ROUNDS = 10_000
const SEED = 46
const AT_ONCE = 50
const MIRROR = 'https://mirror.test'
const HOUR_MS = 3_600_000

const former = signingKeys(100, NOW - 100 * HOUR_MS)
const keys = renewed(former, { now: NOW - 50 * HOUR_MS, revokes: true })
const stranger = signingKeys(100, NOW - 100 * HOUR_MS)
const honest = signedFiles({ keys })
/** Right at another time, or of others. Each has the same paths for key notes and head. */
const foreign = {
  'rolled back': signedFiles({ keys, atMs: -2 * HOUR_MS }),
  expired: signedFiles({ keys, atMs: -30 * HOUR_MS }),
  'of the future': signedFiles({ keys, atMs: HOUR_MS }),
  'with former keys': signedFiles({ keys: former }),
  'of another list': signedFiles({ keys: stranger }),
  'signed by the root key': signedFiles({ keys, signer: keys.root }),
} as const

/** Numbers from 0 to 1 (mulberry32), the same in each run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

const next = random(SEED)
const below = (max: number) => Math.floor(next() * max)
const oneOf = <T>(items: readonly T[]): T => items[below(items.length)] ?? expect.unreachable('nothing to choose')

const REASONS = [
  /its head is older than one seen before/,
  /its key notes are older than ones seen before/,
  /it expired at/,
  /it is from the future/,
  /no valid key has signed it/,
  /they are not of this public key/,
  /it is not a signed note/,
  /not UTF-N/,
  /not the one that its head names/,
  /it sent more than N bytes/,
  /with status N/,
]

type Mutate = (bytes: Buffer) => Buffer

const cut = (bytes: Buffer): readonly [number, number] => {
  const from = below(bytes.length)
  return [from, from + 1 + below(Math.min(40, bytes.length - from))]
}

const TAMPERING: Readonly<Record<string, Mutate>> = {
  'a bit flipped': (bytes) => {
    const copy = Buffer.from(bytes)
    const at = below(copy.length)
    copy[at] = (copy[at] ?? 0) ^ (1 << below(8))
    return copy
  },
  'bytes inserted': (bytes) => {
    const at = below(bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(Array.from({ length: 1 + below(3) }, () => below(256))), bytes.subarray(at)])
  },
  'bytes removed': (bytes) => {
    const [from, to] = cut(bytes)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  },
  'bytes repeated': (bytes) => {
    const [, to] = cut(bytes)
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(Math.max(0, to - 1 - below(40)))])
  },
  truncated: (bytes) => bytes.subarray(0, below(bytes.length)),
  'a digit changed': (bytes) => {
    const text = bytes.toString()
    const digits = [...text.matchAll(/\d/g)].map(({ index }) => index)
    const at = oneOf(digits)
    return Buffer.from(`${text.slice(0, at)}${(Number(text[at]) + 1 + below(9)) % 10}${text.slice(at + 1)}`)
  },
}

/** A text that differs. A head and key notes have one valid form only, so any difference counts. */
function tampered(bytes: Buffer): Buffer {
  for (;;) {
    const changed = oneOf(Object.values(TAMPERING))(bytes)
    if (!changed.equals(bytes)) return changed
  }
}

/** The honest files with one or a few differences that matter. */
function mutated(): Map<string, string | Buffer> {
  const files = new Map(honest)
  const paths = [...honest.keys()]
  const kind = oneOf(['tamper', 'tamper', 'whole', 'mix', 'swap', 'lose'] as const)
  if (kind === 'whole') return new Map(oneOf(Object.values(foreign)))
  if (kind === 'mix') {
    const other: Files = oneOf(Object.values(foreign))
    // All its chunks too: only the head or the keys are wrong.
    for (const [path, content] of other) if (path.includes('/chunks/')) files.set(path, content)
    const path = oneOf(['/signed/head', '/signed/keys'].filter((each) => other.get(each) !== honest.get(each)))
    return files.set(path, other.get(path) ?? '')
  }
  if (kind === 'swap') {
    const first = oneOf(paths)
    const second = oneOf(paths.filter((path) => path !== first))
    return files.set(first, honest.get(second) ?? '').set(second, honest.get(first) ?? '')
  }
  const path = oneOf(paths)
  if (kind === 'lose') files.delete(path)
  else files.set(path, tampered(Buffer.from(honest.get(path) ?? '')))
  return files
}

const clientOf = (files: Files, state?: SignedState) =>
  list({
    publicKey: keys.publicKey,
    mirrors: [MIRROR],
    fetch: fetchOf({ [MIRROR]: (path) => files.get(path) }).fetch,
    now: () => NOW,
    state,
  })

test(`none of ${ROUNDS.toLocaleString('en')} mutated answers is accepted, by a client that has seen the list`, async () => {
  const first = clientOf(honest)
  await first.read()
  const accepted: string[] = []
  const reasons = new Set<string>()
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, mutated)
    await Promise.all(
      batch.map(async (files) => {
        try {
          await clientOf(files, first.state).read()
          accepted.push(JSON.stringify([...files].filter(([path, content]) => honest.get(path) !== content).map(String)))
        } catch (error) {
          reasons.add((error as { sources: { message: string }[] }).sources[0]?.message.replaceAll(/[0-9a-f]{64}|\d+/g, 'N') ?? '')
        }
      }),
    )
  }
  expect(accepted.slice(0, 3)).toEqual([])
  // The mutations reach these checks.
  const found = [...reasons].join('\n')
  for (const reason of REASONS) expect(found).toMatch(reason)
  expect((await clientOf(honest, first.state).read()).servers).toHaveLength(6)
})
