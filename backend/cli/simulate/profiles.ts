/** Plausible server profiles: names, game modes, sizes and the time zones of their players. */
import { SERVER_FIELD_NAMES, serverField } from '#contract/servers/server-field-shapes.ts'
import type { NewServer } from '#contract/servers/servers.ts'

export interface Profile {
  readonly input: NewServer
  readonly port: number
  readonly slots: number
  /** Average number of players at the busiest hour. */
  readonly peak: number
  /** UTC offset of the players, in hours. */
  readonly zone: number
  readonly passworded: boolean
  readonly version: string
  readonly branch: string
  readonly useVoiceChat: boolean
  readonly useEarlyAuth: boolean
}

const FIRST = words(
  'Sunset Liberty Neon Pacific Golden Midnight Royal Urban Electric Velvet Iron Crystal Northern Silver Harbour Desert Emerald Thunder Coastal Diamond Crimson Atlas Nova Echo',
)
const SECOND = words(
  'City Nights Valley Coast Shores Streets Heights Bay County Hills Horizon Legends Kingdom Project Life Stories District Boulevard Republic Dreams',
)
const MODES = [
  { mode: 'Roleplay', tags: ['roleplay', 'voice', 'economy', 'whitelist', 'jobs'], weight: 5 },
  { mode: 'Freeroam', tags: ['freeroam', 'casual', 'vehicles', 'stunts'], weight: 2 },
  { mode: 'Racing', tags: ['racing', 'drift', 'tuning'], weight: 2 },
  { mode: 'Deathmatch', tags: ['deathmatch', 'gungame', 'competitive'], weight: 1 },
  { mode: 'Survival', tags: ['survival', 'zombies', 'crafting'], weight: 1 },
  { mode: 'Cops and Robbers', tags: ['police', 'heists', 'voice'], weight: 1 },
]
const LANGUAGES = [
  { code: 'en', zone: 0, regions: words('eu-west na-east na-west na-central oceania africa'), weight: 5 },
  { code: 'de', zone: 1, regions: words('eu-central'), weight: 5 },
  { code: 'ru', zone: 3, regions: words('eu-east'), weight: 3 },
  { code: 'fr', zone: 1, regions: words('eu-west'), weight: 2 },
  { code: 'pl', zone: 1, regions: words('eu-central eu-east'), weight: 1 },
  { code: 'tr', zone: 3, regions: words('middle-east'), weight: 1 },
  { code: 'es', zone: 1, regions: words('eu-west sa'), weight: 1 },
  { code: 'pt', zone: -3, regions: words('sa'), weight: 2 },
  { code: 'zh', zone: 8, regions: words('asia-east asia-southeast'), weight: 1 },
  { code: 'all', zone: 0, regions: words('eu-north eu-central na-east asia-south'), weight: 1 },
]
const VERSIONS = ['16.4.12', '16.4.12', '16.4.12', '16.4.9', '16.3.2', '15.57']
const BRANCHES = ['release', 'release', 'release', 'release', 'release', 'release', 'release', 'rc', 'dev']
const SLOTS = [32, 64, 64, 128, 128, 200, 256, 500, 1000]

function words(text: string): string[] {
  return text.split(' ')
}

function weighted<T extends { readonly weight: number }>(random: Random, from: readonly T[]): T {
  let remaining = random.next() * from.reduce((sum, option) => sum + option.weight, 0)
  return from.find((option) => (remaining -= option.weight) < 0) ?? (from[0] as T)
}

function peakOf(random: Random, slots: number): number {
  return Math.floor(slots * 0.98 * random.next() ** 3)
}

/** Fields that this file says nothing about. */
function exampleFields(random: Random): Partial<NewServer> {
  const names = SERVER_FIELD_NAMES.filter(
    (name) => serverField(name).control !== 'switch' && serverField(name).permission === 'EDIT_DETAILS',
  )
  return Object.fromEntries(names.map((name) => [name, random.pick(serverField(name).examples)]))
}

/** The same seed always creates the same profiles, with unique names. */
export function profilesFor(count: number, seed: number): Profile[] {
  const used = new Map<string, number>()
  return Array.from({ length: count }, (_, index) => {
    const random = new Random(seed * 1_000_003 + index)
    const { mode, tags } = weighted(random, MODES)
    const { code, zone, regions } = weighted(random, LANGUAGES)
    const plain = `${random.pick(FIRST)} ${random.pick(SECOND)} ${mode}`
    const times = (used.get(plain) ?? 0) + 1
    used.set(plain, times)
    const slots = random.pick(SLOTS)
    const name = times === 1 ? plain : `${plain} #${times}`
    return {
      input: {
        ...exampleFields(new Random(index)),
        name,
        description: `${mode} for everyone. Friendly team, new players welcome.`,
        language: code,
        tags: tags.filter(() => random.chance(0.6)).slice(0, 4),
        game_mode: mode,
        region: random.chance(0.9) ? random.pick(regions) : '',
        website: random.chance(0.7) ? `https://${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.example.com` : '',
      },
      port: 7788 + (index % 50_000),
      slots,
      peak: peakOf(random, slots),
      zone,
      passworded: random.chance(0.06),
      version: random.pick(VERSIONS),
      branch: random.pick(BRANCHES),
      useVoiceChat: tags.includes('voice') && random.chance(0.8),
      useEarlyAuth: random.chance(0.05),
    }
  })
}

/** Peaks at nine in the evening, local time of the players. @param now wall milliseconds. */
export function expectedPlayers({ zone, peak }: Pick<Profile, 'zone' | 'peak'>, now: number): number {
  const hour = (now / 3_600_000 + zone) % 24
  const wave = 0.5 + 0.5 * Math.cos(((hour - 21) / 24) * 2 * Math.PI)
  return peak * (0.15 + 0.85 * wave ** 1.5)
}

export function nextPlayers(players: number, profile: Pick<Profile, 'zone' | 'peak' | 'slots'>, now: number, random: Random): number {
  const gap = expectedPlayers(profile, now) - players
  const drift = gap * random.between(0.05, 0.25)
  const noise = (random.next() + random.next() - 1) * Math.sqrt(players + 1)
  return Math.min(profile.slots, Math.max(0, Math.round(players + drift + noise)))
}

/** A seeded pseudo-random number generator (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from)
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)] as T
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }
}
