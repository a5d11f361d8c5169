/** What a mirror, or a thief of a former key, can try. The list of attacks is that of The Update Framework. */
import { expect, test } from 'vitest'
import { signNote } from '#backend/platform/signing/signed-note.ts'
import { type SignedState, list } from '#sdk/list/index.ts'
import { renewed, signingKeys, withNewRoot } from '#tests/sdk/signed-keys.ts'
import { type Answer, type Files, IDS, NOW, answerFrom, endless, fetchOf, signedFiles } from './signed-sources.ts'

const MIRROR = 'https://mirror.test'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const keys = signingKeys(100, NOW - 48 * HOUR_MS)
const stranger = signingKeys(100, NOW - 48 * HOUR_MS)
const honest = signedFiles({ keys })
const [chunkPath = '', secondPath = ''] = [...honest.keys()].filter((path) => path.includes('/chunks/'))

function clientOf(
  answer: Answer,
  { publicKey = keys.publicKey, now = NOW, state }: { publicKey?: string; now?: number; state?: SignedState | undefined } = {},
) {
  return list({ publicKey, mirrors: [MIRROR], fetch: fetchOf({ [MIRROR]: answer }).fetch, now: () => now, state })
}

/** What the mirror did wrong. */
async function rejectionOf(client: ReturnType<typeof clientOf>): Promise<string> {
  const result = await client.read().then(
    () => 'accepted',
    (error: { code: string; sources: { url: string; message: string }[] }) =>
      `${error.code} ${error.sources.map(({ message }) => message).join()}`,
  )
  return result.replace(/^NO_VALID_LIST /, '')
}

const idsOf = ({ servers }: { servers: readonly { publicId: string }[] }) => servers.map(({ publicId }) => publicId).toSorted()

test('an honest mirror is accepted', async () => {
  expect(idsOf(await clientOf(answerFrom(honest)).read())).toEqual([...IDS])
})

const note = (text: string, signer = keys.online) => signNote(text, [signer])
const headText = String(honest.get('/signed/head')).split('\n', 1)[0] ?? ''

test.each<[attack: string, files: Files, changed: Record<string, string | Buffer | undefined>, says: RegExp]>([
  [
    'a tampered chunk',
    honest,
    { [chunkPath]: String(honest.get(chunkPath)).replace('Server', 'server') },
    /not the one that its head names/,
  ],
  ['a truncated chunk', honest, { [chunkPath]: String(honest.get(chunkPath)).slice(0, -1) }, /not the one/],
  ['reordered chunks', honest, { [chunkPath]: honest.get(secondPath), [secondPath]: honest.get(chunkPath) }, /not the one|more than/],
  ['a missing chunk', honest, { [chunkPath]: undefined }, /answered \/signed\/chunks\/\w+ with status 404/],
  ['a head without a signature', honest, { '/signed/head': `${headText}\n` }, /not a signed note/],
  [
    'a tampered head',
    honest,
    { '/signed/head': String(honest.get('/signed/head')).replace('"mirrors":[]', '"mirrors":["https://evil"]') },
    /no valid key has signed/,
  ],
  ['a head of another list', honest, { '/signed/head': signedFiles({ keys: stranger }).get('/signed/head') }, /no valid key/],
  ['a head that the root key signed', honest, { '/signed/head': note(headText, keys.root) }, /no valid key/],
  ['another list', signedFiles({ keys: stranger }), {}, /not of this public key/],
  ['key notes of another list', honest, { '/signed/keys': stranger.notes.text }, /not of this public key/],
  [
    'key notes that the online key signed',
    honest,
    { '/signed/keys': note(keys.notes.text.split('\n', 1)[0] ?? '') },
    /not of this public key/,
  ],
  ['an empty answer', honest, { '/signed/head': '' }, /not a signed note/],
  [
    'two heads in one',
    honest,
    { '/signed/head': `${String(honest.get('/signed/head'))}\n${String(honest.get('/signed/head'))}` },
    /not one note/,
  ],
  ['a head that expired', signedFiles({ keys, atMs: -25 * HOUR_MS }), {}, /expired at 2026-11-30T11:00:00/],
  ['a head that never expires', signedFiles({ keys, lifetimeMs: 1000 * 24 * HOUR_MS }), {}, /expires too late/],
  ['a head of the future', signedFiles({ keys, atMs: HOUR_MS }), {}, /from the future/],
  ['a head that says no time', signedFiles({ keys, fields: { time: 'soon' } }), {}, /not valid at that time/],
  ['a head without a version', signedFiles({ keys, fields: { version: '7' } }), {}, /malformed/],
  [
    'a list that is too large',
    signedFiles({ keys, fields: { chunks: Array.from({ length: 10_001 }, () => ({ sha256: '0'.repeat(64), bytes: 1 })) } }),
    {},
    /too large/,
  ],
  ['a server twice', signedFiles({ keys, ids: ['0aaaaaa', '0aaaaaa'] }), {}, /a server twice/],
])('%s is rejected, and the error says why', async (_attack, files, changed, says) => {
  expect(await rejectionOf(clientOf(answerFrom(files, changed)))).toMatch(says)
})

test.each([
  ['key notes', '/signed/keys'],
  ['head', '/signed/head'],
  ['chunk', chunkPath],
])('endless data instead of the %s ends at a limit', async (_what, path) => {
  const answer: Answer = (requested) => (requested === path ? endless(new Uint8Array(65_536)) : honest.get(requested))
  expect(await rejectionOf(clientOf(answer))).toMatch(new RegExp(`sent more than \\d+ bytes for ${path}`))
})

test('a mix of two lists of one origin is rejected', async () => {
  const later = signedFiles({ keys, atMs: 1500 })
  const head = later.get('/signed/head')
  expect(await rejectionOf(clientOf(answerFrom(honest, { '/signed/head': head })))).toMatch(/status 404/)
  const [changed = ''] = [...later.keys()].filter((path) => !honest.has(path))
  expect(await rejectionOf(clientOf(answerFrom(later, { [changed]: honest.get(chunkPath) })))).toMatch(/not the one/)
})

test('a client never goes back: a little older is what it has, much older is rejected', async () => {
  let files = signedFiles({ keys, atMs: 10 * MINUTE_MS })
  const client = clientOf((path) => files.get(path), { now: NOW + 10 * MINUTE_MS })
  const newest = await client.read()
  files = signedFiles({ keys, atMs: 9.5 * MINUTE_MS })
  expect(await client.read()).toBe(newest)
  files = signedFiles({ keys, atMs: 8 * MINUTE_MS })
  expect(await rejectionOf(client)).toMatch(/older than one seen before/)
  expect(client.servers).toBe(newest.servers)
})

test('after a restart with its state, neither an older list nor older keys are accepted', async () => {
  const next = renewed(keys, { now: NOW })
  const current = { files: signedFiles({ keys: next, atMs: HOUR_MS }), now: NOW + HOUR_MS }
  const first = clientOf(answerFrom(current.files), current)
  await first.read()
  const state = JSON.parse(JSON.stringify(first.state)) as SignedState
  const restarted = (files: Files) => clientOf(answerFrom(files), { ...current, state })
  expect(await rejectionOf(restarted(signedFiles({ keys: next })))).toMatch(/its head is older/)
  expect(await rejectionOf(restarted(signedFiles({ keys, atMs: HOUR_MS })))).toMatch(/its key notes are older/)
  expect((await restarted(current.files).read()).version).toBe(current.now)
  // Another public key is another list: what was seen of the former one does not count.
  const other = clientOf(answerFrom(signedFiles({ keys: stranger })), { publicKey: stranger.publicKey, state })
  expect((await other.read()).version).toBe(NOW)
})

test('a renewed key is followed, and a revoked or ended one is rejected', async () => {
  const next = renewed(keys, { now: NOW })
  const former = keys.online
  for (const signer of [former, next.online])
    expect((await clientOf(answerFrom(signedFiles({ keys: next, signer }))).read()).version).toBe(NOW)
  const revoked = renewed(keys, { now: NOW, revokes: true })
  expect(await rejectionOf(clientOf(answerFrom(signedFiles({ keys: revoked, signer: former }))))).toMatch(/no valid key/)
  const ended = signingKeys(1, NOW - 48 * HOUR_MS)
  expect(await rejectionOf(clientOf(answerFrom(signedFiles({ keys: ended })), { publicKey: ended.publicKey }))).toMatch(
    /was not valid at that time/,
  )
})

test('a version that a stolen key signed does not block the list once the key is revoked', async () => {
  let files = signedFiles({ keys, fields: { version: Number.MAX_SAFE_INTEGER } })
  const client = clientOf((path) => files.get(path))
  await client.read()
  files = signedFiles({ keys: renewed(keys, { now: NOW, revokes: true }), ids: ['zzzzzzz'] })
  expect(idsOf(await client.read())).toEqual(['zzzzzzz'])
  expect(client.state?.version).toBe(NOW)
})

test('a client with any former root key follows to the current one, and after that the former one has no power', async () => {
  const second = withNewRoot(keys)
  const third = withNewRoot(renewed(second, { now: NOW }))
  const files = signedFiles({ keys: third })
  for (const publicKey of [keys.publicKey, second.root.publicKey.text, third.root.publicKey.text])
    expect((await clientOf(answerFrom(files), { publicKey }).read()).version).toBe(NOW)
  const first = clientOf(answerFrom(files))
  await first.read()
  // A thief of the former root key names a key of their own.
  const forged = signedFiles({ keys: renewed(renewed(renewed(renewed(keys, { now: NOW }))), { now: NOW }) })
  expect(await rejectionOf(clientOf(answerFrom(forged), { state: first.state }))).toMatch(/not of this public key/)
  expect(await rejectionOf(clientOf(answerFrom(forged), { publicKey: third.root.publicKey.text }))).toMatch(/not of this public key/)
  const unsigned = third.notes.text.split('\n').filter((line) => !line.includes(second.root.publicKey.id.toString('base64').slice(0, 5)))
  expect(await rejectionOf(clientOf(answerFrom(files, { '/signed/keys': unsigned.join('\n') })))).toMatch(/cannot be trusted/)
})

test('without a public key, or with a wrong one, nothing is read', async () => {
  // @ts-expect-error a caller in JavaScript
  expect(() => list({ url: MIRROR, publicKey: undefined })).toThrow('publicKey is missing.')
  // @ts-expect-error mirrors of an unsigned list
  expect(() => list({ url: MIRROR, mirrors: [MIRROR] })).toThrow('publicKey is missing.')
  const typo = keys.publicKey.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  expect(await rejectionOf(clientOf(answerFrom(honest), { publicKey: typo }))).toMatch(/is not a public key/)
})
