/**
 * A detector tried on what is stored, before it is switched on: what it would have found, without writing anything. What is stored is less
 * than what a running list sees, and each trial says what it could not look at.
 */
import type { IssueKind } from '#contract/protection.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { storedSamples } from '#backend/features/history/sampling.ts'
import type { RefusalCode } from '#backend/masterlist/reasons.ts'
import { AddressMismatch } from '#backend/features/protection/detectors/address-mismatch.ts'
import { AnnounceFlood } from '#backend/features/protection/detectors/announce-flood.ts'
import { ImplausiblePlayers } from '#backend/features/protection/detectors/implausible-players.ts'
import { Impersonation } from '#backend/features/protection/detectors/impersonation.ts'
import { RevokedCredential } from '#backend/features/protection/detectors/revoked-credential.ts'
import type { Finding } from '#backend/features/protection/finding.ts'
import {
  type StoredAttempt,
  type StoredName,
  listCalled,
  listIds,
  listKnownNames,
  listNames,
  listRefused,
  listSlots,
} from './dry-run.queries.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const PAGE = 5000
/** Each has 50 attempts at most. */
const SERVERS_AT_ONCE = 500
/** The list notes an attempt of a flood every five seconds and keeps 50 a server: these fill it in four minutes. */
const STORED_FLOOD_MINUTES = 3

/** What can be tried. The reachability check looks at no history: it asks now. */
export const TRIABLE = [
  'ADDRESS_MISMATCH',
  'REVOKED_CREDENTIAL',
  'IMPLAUSIBLE_PLAYERS',
  'IMPERSONATION',
  'ANNOUNCE_FLOOD',
] as const satisfies readonly IssueKind[]
export type Triable = (typeof TRIABLE)[number]

interface Found {
  readonly server: { readonly publicId: string; readonly ownerId: string; readonly name: string }
  /** How often it would have been told. */
  readonly findings: number
  /** The first of them. */
  readonly first: Finding
}

export interface Trial {
  readonly kind: Triable
  readonly days: number
  /** Rows that were looked at. */
  readonly looked: number
  /** What a trial can't see. */
  readonly unseen: string
  /** By server, the ones found most often first. */
  readonly found: readonly Found[]
}

type Db = Deps['db']
type Note = (finding: Finding | undefined) => void

/** @param now wall milliseconds. Writes nothing. */
export async function tryDetector(db: Db, kind: Triable, days: number, now: number): Promise<Trial> {
  const found = new Map<string, { findings: number; first: Finding }>()
  const note: Note = (finding) => {
    if (finding === undefined) return
    const before = found.get(finding.publicId)
    if (before === undefined) found.set(finding.publicId, { findings: 1, first: finding })
    else before.findings += 1
  }
  const { run, unseen } = TRIALS[kind]
  const looked = await run(db, now - days * DAY_MS, note, now)
  const called = new Map((found.size === 0 ? [] : await listCalled(db, [...found.keys()])).map((row) => [row.public_id, row]))
  const servers = [...found].flatMap(([publicId, one]) => {
    const row = called.get(publicId)
    return row === undefined ? [] : [{ server: { publicId, ownerId: row.owner_id, name: row.name }, ...one }]
  })
  return { kind, days, looked, unseen, found: servers.toSorted((a, b) => b.findings - a.findings) }
}

const TRIALS: Record<
  Triable,
  { readonly run: (db: Db, from: number, note: Note, now: number) => Promise<number>; readonly unseen: string }
> = {
  ADDRESS_MISMATCH: {
    unseen:
      'Only the newest 50 attempts of each server are stored, and of the bound server only when it announced last. So a server that has moved, with an owner who did not reset the address, and one whose credential somebody else uses can not be told apart exactly.',
    run: (db, from, note) => {
      const detector = new AddressMismatch()
      return overRefused(db, 'ADDRESS_MISMATCH', from, ({ server_id: publicId, at, address, bound, last_announce_at: seen }) => {
        const [own] = bound
        if (own === undefined || bound.includes(address)) return
        // Of the bound server only the newest announce is stored: whoever has announced since was there then, too.
        const boundSeenAt = seen !== null && seen.getTime() >= at.getTime() ? seen.getTime() : undefined
        note(detector.observe({ publicId, at: at.getTime(), address, bound: own, boundSeenAt }))
      })
    },
  },
  REVOKED_CREDENTIAL: {
    unseen: 'Only the newest 50 attempts of each server are stored.',
    run: (db, from, note) => {
      const detector = new RevokedCredential()
      return overRefused(db, 'CREDENTIAL_REVOKED', from, ({ server_id: publicId, at, address }) =>
        note(detector.observe({ publicId, at: at.getTime(), address })),
      )
    },
  },
  ANNOUNCE_FLOOD: {
    unseen: `Only the newest 50 attempts of each server are stored, so a flood of ${STORED_FLOOD_MINUTES} minutes is found here; the running list waits for ten.`,
    run: (db, from, note) => {
      const detector = new AnnounceFlood({ minutes: STORED_FLOOD_MINUTES })
      return overRefused(db, 'TOO_OFTEN', from, ({ server_id: publicId, at, address, bound }) => {
        if (bound.length === 0 || bound.includes(address)) note(detector.observe({ publicId, at: at.getTime(), address }))
      })
    },
  },
  IMPLAUSIBLE_PLAYERS: {
    unseen:
      'The samples of the last 8 days are stored, clamped to the slots and without queues: numbers above the slots are found by the running list only, and today’s slots are taken for those of each day.',
    run: overSamples,
  },
  IMPERSONATION: {
    unseen:
      'All names are compared; the running list compares new and changed ones. Nothing tells whether a server took its name later, so one that was there before the other is passed over.',
    run: overNames,
  },
}

async function overRefused(db: Db, code: RefusalCode, from: number, see: (attempt: StoredAttempt) => void): Promise<number> {
  let looked = 0
  let after: string | undefined = ''
  while (after !== undefined) {
    const ids: string[] = await listIds(db, after, SERVERS_AT_ONCE)
    const attempts = await listRefused(db, code, new Date(from), ids)
    for (const attempt of attempts) see(attempt)
    looked += attempts.length
    after = ids.length < SERVERS_AT_ONCE ? undefined : ids.at(-1)
  }
  return looked
}

async function overSamples(db: Db, from: number, note: Note): Promise<number> {
  const detector = new ImplausiblePlayers(0)
  let looked = 0
  let last = ''
  for await (const page of storedSamples(db, from)) {
    const slots = await listSlots(db, [...new Set(page.map((row) => row.server_id))])
    for (const { server_id: publicId, hour, players } of page) {
      // They come server by server: of who is done with nothing need be kept.
      if (last !== publicId) detector.forget(last)
      last = publicId
      const most = slots.get(publicId) ?? 0
      players.forEach((count, minute) =>
        note(detector.observe({ publicId, at: hour.getTime() + minute * MINUTE_MS, players: count, slots: most })),
      )
    }
    looked += page.length
  }
  return looked
}

async function overNames(db: Db, _from: number, note: Note, now: number): Promise<number> {
  const detector = new Impersonation()
  const seen = (row: StoredName) => ({
    publicId: row.public_id,
    ownerId: row.owner_id,
    name: row.name,
    verified: row.verified,
    promoted: row.promoted,
    createdAt: row.created_at.getTime(),
  })
  for (const row of await listKnownNames(db)) detector.learn(seen(row))
  let looked = 0
  let after: string | undefined = ''
  while (after !== undefined) {
    const page: Awaited<ReturnType<typeof listNames>> = await listNames(db, after, PAGE)
    for (const row of page) note(detector.observe(seen(row), now))
    looked += page.length
    after = page.length < PAGE ? undefined : page.at(-1)?.public_id
  }
  return looked
}
