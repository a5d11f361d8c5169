/** Who and what the demo consists of: people with tiers, and their servers. The same seed plans the same. */
import type { TierId } from '#contract/benefits/benefits.ts'
import type { NewServer } from '#contract/servers/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Env } from '#backend/platform/env.ts'
import { type Profile, Random, profilesFor } from '../simulate/profiles.ts'
import { NameGiver, USERNAMES } from './names.ts'

const SERVERS = 200
export const DAY_MS = 86_400_000

export interface Person {
  readonly username: string
  readonly tier: TierId | null
  /** Wall milliseconds, as all times here. */
  readonly joinedAt: number
  /** Set once they joined. */
  id: string
}

export interface DemoServer {
  readonly owner: Person
  readonly profile: Profile
  readonly createdAt: number
  /** Undefined while it is online; 0 if it never announced. */
  readonly offlineSince: number | undefined
  readonly seed: number
  /** Set once it is created. */
  publicId: string
  credential: string
}

export interface Demo {
  readonly db: Db
  readonly env: Env
  readonly now: number
  readonly random: Random
  readonly admin: Person
  /** Owners first, each with as many servers as planned. */
  readonly people: readonly Person[]
  readonly servers: readonly DemoServer[]
}

/** The places of Alice's servers, which are written by hand. */
export const ALICE = {
  flagship: 0,
  racing: 1,
  silent: 4,
  moved: 5,
  frozen: 6,
  hidden: 7,
  unused: 8,
  offered: 9,
  test: 10,
  reported: 11,
} as const
/** The place of a server whose name looks like that of Alice's first one. */
export const IMITATION = 61
const IMITATED_NAME = 'Harbor Nights Roleplay'
const ALICE_NAMES =
  'Harbour Nights Roleplay|Harbour Nights Racing|Harbour Nights Free Roam|Harbour Nights Events|Old Quarter RP|Lakeside County RP|Redline Drift Club|Winter Project|Summer Beach Party|Little Creek RP|Harbour Nights Test|Outlaw Canyon'.split(
    '|',
  )

/** Alice, Bob and Carol, then these in turns until all servers have an owner. */
const FIRST_OWNERS: readonly Plan[] = [
  [ALICE_NAMES.length, 'DIAMOND_ALTRUIST'],
  [2, 'SILVER'],
  [3, null],
]
const OWNERS: readonly Plan[] = [
  [5, 'GOLD'],
  [3, null],
  [6, 'RUBY'],
  [4, 'BRONZE'],
  [6, 'PLATINUM'],
  [2, 'SILVER'],
  [5, 'GOLD'],
]
type Plan = readonly [servers: number, tier: TierId | null]

export function castFor(db: Db, env: Env, now: number): Demo {
  const random = new Random(44)
  const names = new NameGiver()
  const profiles = profilesFor(SERVERS, 44)
  const people: Person[] = []
  const servers: DemoServer[] = []
  for (const [index, username] of USERNAMES.split(' ').entries()) {
    const [count, tier] = servers.length >= SERVERS ? [0, null] : (FIRST_OWNERS[index] ?? OWNERS[index % OWNERS.length] ?? [0, null])
    const days = index > 0 && random.chance(0.15) ? random.between(35, 60) : random.between(90, 400)
    const person = { username, tier, joinedAt: now - days * DAY_MS, id: '' }
    people.push(person)
    for (const profile of profiles.slice(servers.length, servers.length + count))
      servers.push(plannedServer(person, profile, servers.length, random, names, now))
  }
  const admin = { username: 'admin', tier: null, joinedAt: now - 420 * DAY_MS, id: '' }
  return { db, env, now, random, admin, people, servers }
}

function plannedServer(owner: Person, profile: Profile, place: number, random: Random, names: NameGiver, now: number): DemoServer {
  if (place < ALICE_NAMES.length) return serverOfAlice(owner, profile, place, now)
  const { language = 'all', game_mode: mode = '' } = profile.input
  const { name, description } = names.next(random, language, mode ?? '')
  const createdAt = owner.joinedAt + DAY_MS / 4 + (now - owner.joinedAt - 2 * DAY_MS) * random.next() ** 3
  const offlineSince = random.chance(0.02) ? 0 : random.chance(0.05) ? now - random.between(0.1, 9) * DAY_MS : undefined
  if (place === IMITATION) return serverFrom(owner, profile, { name: IMITATED_NAME, description }, now - 5 * DAY_MS, undefined)
  return serverFrom(owner, profile, { name, description }, createdAt, offlineSince)
}

function serverOfAlice(owner: Person, profile: Profile, place: number, now: number): DemoServer {
  const name = ALICE_NAMES[place] ?? ''
  const mode = place === ALICE.racing || place === ALICE.frozen ? 'Racing' : 'Roleplay'
  const slots = place === ALICE.flagship ? 500 : 128
  const peak = { [ALICE.flagship]: 340, [ALICE.test]: 1, [ALICE.frozen]: 64 }[place] ?? Math.round(slots * (0.75 - 0.06 * place))
  const input: NewServer = {
    ...profile.input,
    language: 'en',
    region: 'eu-west',
    game_mode: mode,
    tags: ['english', 'voice', mode.toLowerCase()],
  }
  const description = `${name} is part of the Harbour Nights network: one account, one Discord, nine years of stories.\nWhitelist applications are open.`
  const offlineSince = { [ALICE.silent]: now - DAY_MS / 8, [ALICE.moved]: now - DAY_MS / 30, [ALICE.unused]: 0 }[place]
  const createdAt = place === ALICE.unused ? now - DAY_MS / 3 : owner.joinedAt + (place + 1) * 3 * DAY_MS
  const changed = {
    ...profile,
    input,
    slots,
    peak,
    zone: 0,
    passworded: place === ALICE.test,
    branch: place === ALICE.test ? 'dev' : 'release',
  }
  return serverFrom(owner, changed, { name, description }, createdAt, offlineSince)
}

function serverFrom(
  owner: Person,
  profile: Profile,
  texts: { readonly name: string; readonly description: string },
  createdAt: number,
  offlineSince: number | undefined,
): DemoServer {
  const website = `https://${owner.username.replaceAll(/[^a-z0-9]/g, '-')}.example.com`
  const input = { ...profile.input, ...texts, website: profile.input.website === '' ? '' : website }
  return { owner, profile: { ...profile, input }, createdAt, offlineSince, seed: profile.port, publicId: '', credential: '' }
}
