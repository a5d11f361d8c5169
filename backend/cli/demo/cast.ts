/** Who and what the demo consists of: people with tiers, and their servers. The same seed plans the same. */
import type { TierId } from '#contract/benefits/benefits.ts'
import type { NewServer } from '#contract/servers/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Env } from '#backend/platform/env.ts'
import { type Profile, Random, profilesFor } from '#backend/cli/simulate/profiles.ts'
import { USERNAMES, nameServer } from './names.ts'

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
/** The places of servers that an administrator bans. */
export const BANNED: readonly number[] = [150, 171]
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
  [6, 'GOLD'],
  [3, null],
  [10, 'RUBY'],
  [5, 'BRONZE'],
  [9, 'PLATINUM'],
  [2, 'SILVER'],
  [6, 'GOLD'],
]
type Plan = readonly [servers: number, tier: TierId | null]

/** Throws if there is none. A negative place counts from the end. */
export function nth<T>(list: readonly T[], place: number): T {
  const item = list.at(place)
  if (item === undefined) throw new Error(`The demo has no item ${place}.`)
  return item
}

export function castFor(db: Db, env: Env, now: number): Demo {
  const random = new Random(44)
  const names = new Set<string>()
  const profiles = profilesFor(SERVERS, 44)
  const people: Person[] = []
  const servers: DemoServer[] = []
  for (const [index, username] of USERNAMES.split(' ').entries()) {
    const [count, tier] = FIRST_OWNERS[index] ?? nth(OWNERS, index % OWNERS.length)
    const owned = profiles.slice(servers.length, servers.length + count)
    const days = index > 0 && random.chance(0.15) ? random.between(35, 60) : random.between(90, 400)
    const person = { username, tier: owned.length > 0 ? tier : null, joinedAt: now - days * DAY_MS, id: '' }
    people.push(person)
    for (const [number, profile] of owned.entries()) {
      const plan = index === 0 ? planForAlice(number, profile, person, now) : planFor(servers.length, profile, person, now, random, names)
      // The first server of each owner has players at every hour.
      const peak = index > 0 && number === 0 ? Math.max(profile.peak, Math.round(profile.slots * 0.45)) : plan.profile.peak
      servers.push({ ...plan, profile: { ...plan.profile, peak }, owner: person, seed: profile.port, publicId: '', credential: '' })
    }
  }
  const admin = { username: 'admin', tier: null, joinedAt: now - 420 * DAY_MS, id: '' }
  return { db, env, now, random, admin, people, servers }
}

type ServerPlan = Pick<DemoServer, 'profile' | 'createdAt' | 'offlineSince'>

function planFor(place: number, profile: Profile, owner: Person, now: number, random: Random, names: Set<string>): ServerPlan {
  // Not every machine has a font for Chinese.
  const language = profile.input.language === 'zh' ? 'en' : (profile.input.language ?? 'all')
  const { name, description } = nameServer(random, language, profile.input.game_mode ?? '', names)
  const createdAt = owner.joinedAt + DAY_MS / 4 + (now - owner.joinedAt - 2 * DAY_MS) * random.next() ** 3
  const offlineSince = random.chance(0.02) ? 0 : random.chance(0.05) ? now - random.between(0.1, 9) * DAY_MS : undefined
  const texts = { description, language, website: profile.input.website === '' ? '' : websiteOf(owner) }
  return {
    profile: { ...profile, input: { ...profile.input, ...texts, name } },
    createdAt,
    offlineSince: BANNED.includes(place) ? now - 5 * DAY_MS : offlineSince,
  }
}

const websiteOf = ({ username }: Person) => `https://${username.replaceAll(/[^a-z0-9]/g, '-')}.example.com`

function planForAlice(place: number, profile: Profile, owner: Person, now: number): ServerPlan {
  const name = ALICE_NAMES[place] ?? ''
  const mode = place === ALICE.racing || place === ALICE.frozen ? 'Racing' : 'Roleplay'
  const slots = place === ALICE.flagship ? 500 : 128
  const isTest = place === ALICE.test
  const input = {
    ...profile.input,
    name,
    description: `${name} is part of the Harbour Nights network: one account, one Discord, nine years of stories.\nWhitelist applications are open.`,
    language: 'en',
    region: 'eu-west',
    game_mode: mode,
    tags: ['english', 'voice', mode.toLowerCase()],
    website: websiteOf(owner),
  } satisfies NewServer
  const peak = { [ALICE.flagship]: 300, [ALICE.test]: 1, [ALICE.frozen]: 64 }[place] ?? Math.round(slots * (0.75 - 0.06 * place))
  return {
    profile: { ...profile, input, slots, peak, zone: 0, passworded: isTest, branch: isTest ? 'dev' : 'release' },
    createdAt: place === ALICE.unused ? now - DAY_MS / 3 : owner.joinedAt + (place + 1) * 3 * DAY_MS,
    offlineSince: { [ALICE.silent]: now - DAY_MS / 8, [ALICE.moved]: now - DAY_MS / 30, [ALICE.unused]: 0 }[place],
  }
}
