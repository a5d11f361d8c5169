/** Each detector over streams that must raise it, and over streams close to them that must not. No clock, no database. */
import { describe, expect, test } from 'vitest'
import { AddressMismatch } from './address-mismatch.ts'
import { AnnounceFlood } from './announce-flood.ts'
import { ImplausiblePlayers } from './implausible-players.ts'
import { Impersonation } from './impersonation.ts'
import { RevokedCredential } from './revoked-credential.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = Date.UTC(2026, 10, 2, 12)
const publicId = 'AbCdEfG'

const steps = (count: number) => Array.from({ length: count }, (_, step) => step)

describe('a valid credential at another address', () => {
  /** @param everyMs between tries. @param bound when the bound server announced last, where it is online at that try. */
  const tries = (count: number, everyMs: number, bound: (at: number) => number | undefined) => {
    const detector = new AddressMismatch()
    return steps(count).flatMap((step) => {
      const at = START + step * everyMs
      return detector.rejected({ publicId, at, address: '203.0.113.9', boundAddress: '198.51.100.1', lastAcceptedAt: bound(at) }) ?? []
    })
  }

  test('is found at once while the bound server is online, and is grave once that has announced since', () => {
    const found = tries(3, 30_000, (at) => at - 10_000)
    expect(found).toMatchObject([
      {
        kind: 'ADDRESS_MISMATCH',
        severity: 'MEDIUM',
        fingerprint: '',
        occurrences: 1,
        summary: expect.stringContaining('within moments') as string,
      },
      { severity: 'HIGH', occurrences: 1, summary: expect.stringContaining('while the server itself still announces') as string },
      { severity: 'HIGH', occurrences: 1 },
    ])
    expect(found[0]?.items[0]).toMatchObject({ address: '203.0.113.9', expected: 'Announces from 198.51.100.1.' })
  })

  test('is found, less gravely, where the bound server is gone and nobody resets the address', () => {
    const found = tries(70, 30_000, () => undefined)
    expect(found[0]).toMatchObject({ severity: 'MEDIUM', occurrences: 61 })
    expect(found.every(({ severity }) => severity === 'MEDIUM')).toBe(true)
  })

  test.each([
    ['a move that its owner settles within twenty minutes', 40, 30_000],
    ['nine tries and no more', 9, 10 * MINUTE],
    ['a try a day', 14, 25 * HOUR],
  ])('is not found where the bound server is gone: %s', (_, count, everyMs) => {
    expect(tries(count, everyMs, () => undefined)).toEqual([])
  })

  test('that goes on is told once a minute with what came meanwhile, not at each try', () => {
    const found = tries(120, 5000, (at) => at)
    expect(found.length).toBeLessThan(20)
    expect(found.slice(10).every(({ occurrences }) => occurrences === 12)).toBe(true)
  })

  test('begins anew once the address was reset', () => {
    const detector = new AddressMismatch()
    const observe = (at: number) =>
      detector.rejected({ publicId, at, address: '203.0.113.9', boundAddress: '198.51.100.1', lastAcceptedAt: undefined })
    for (const step of steps(9)) observe(START + step * 10 * MINUTE)
    detector.forget(publicId)
    expect(observe(START + 90 * MINUTE)).toBeUndefined()
  })
})

describe('a revoked credential', () => {
  const tries = (count: number, everyMs: number) => {
    const detector = new RevokedCredential()
    return steps(count).flatMap((step) => detector.rejected({ publicId, at: START + step * everyMs, address: '203.0.113.9' }) ?? [])
  }

  test.each([
    ['that keeps announcing', 4, 30_000],
    ['that is tried now and then', 4, 3 * HOUR],
  ])('%s is found with the third try', (_, count, everyMs) => {
    expect(tries(count, everyMs)).toMatchObject([{ kind: 'REVOKED_CREDENTIAL', severity: 'MEDIUM', occurrences: 3 }, { occurrences: 1 }])
  })

  test.each([
    ['until the server is restarted a minute later', 2, 30_000],
    ['once in more than a day', 10, 25 * HOUR],
  ])('is not found: %s', (_, count, everyMs) => {
    expect(tries(count, everyMs)).toEqual([])
  })
})

describe('a flood of announces', () => {
  /** @param inMinute how many are refused in each minute. */
  const flood = (...inMinute: readonly number[]) => {
    const detector = new AnnounceFlood()
    return inMinute.flatMap((count, minute) =>
      steps(count).flatMap(
        (one) => detector.rejected({ publicId, at: START + minute * MINUTE + (one * MINUTE) / count, address: '::1' }) ?? [],
      ),
    )
  }
  const forMinutes = (minutes: number, count: number) => Array.from({ length: minutes }, () => count)

  test.each([
    ['far too many within a minute', [50]],
    ['for ten minutes', forMinutes(11, 30)],
    ['with a quiet minute in it', [...forMinutes(5, 30), 0, ...forMinutes(6, 30)]],
  ])('is found: %s', (_, minutes) => {
    expect(flood(...minutes)[0]).toMatchObject({ kind: 'ANNOUNCE_FLOOD', severity: 'MEDIUM' })
  })

  test.each([
    ['a burst at a restart', [39, 20, 10]],
    ['a burst at each restart of a crash loop', Array.from({ length: 120 }, (__, minute) => (minute % 5 === 0 ? 20 : 0))],
    ['nine minutes', forMinutes(9, 30)],
    ['a little too often all day', forMinutes(600, 4)],
  ])('is not found: %s', (_, minutes) => {
    expect(flood(...minutes)).toEqual([])
  })

  test('that goes on counts up what was refused', () => {
    const found = flood(...forMinutes(60, 30))
    expect(found.length).toBeLessThanOrEqual(51)
    expect(found.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBeGreaterThan(1500)
  })

  /** @param inMinute how many are accepted in each minute. */
  const pace = (...inMinute: readonly number[]) => {
    const detector = new AnnounceFlood({ ttlMs: 75_000 })
    return inMinute.flatMap(
      (accepted, minute) => detector.announceRate({ publicId, at: START + minute * MINUTE, accepted, address: '::1' }) ?? [],
    )
  }

  test('that is just not refused is found as well: one each two seconds for ten minutes', () => {
    const [first] = pace(...forMinutes(12, 30))
    expect(first).toMatchObject({ kind: 'ANNOUNCE_FLOOD', occurrences: 300 })
    expect(first?.items[0]?.observed).toContain('300 announces came')
  })

  test.each([
    ['the pace that the list asks for', forMinutes(600, 2)],
    ['nine times that', forMinutes(600, 18)],
    ['a burst at each restart', Array.from({ length: 120 }, (__, minute) => (minute % 5 === 0 ? 40 : 2))],
  ])('is not found where nothing is refused: %s', (_, minutes) => {
    expect(pace(...minutes)).toEqual([])
  })
})

describe('more players than slots', () => {
  /** @param players in each announce, half a minute apart; on 64 slots. */
  const announces = (...players: readonly number[]) => {
    const detector = new ImplausiblePlayers(75_000)
    return players.flatMap((count, step) =>
      count > 64
        ? (detector.aboveSlots({
            publicId,
            at: START + step * 30_000,
            players: count,
            slots: 64,
            isConsecutive: (players[step - 1] ?? 0) > 64,
          }) ?? [])
        : [],
    )
  }

  test('are found at once, and more gravely where they are twice as many', () => {
    expect(announces(80)).toMatchObject([{ kind: 'IMPLAUSIBLE_PLAYERS', severity: 'MEDIUM', occurrences: 1 }])
    expect(announces(128)).toMatchObject([{ severity: 'HIGH' }])
  })

  test('by one are found when it is no moment any more', () => {
    expect(announces(65, 65, 65)).toMatchObject([{ severity: 'MEDIUM', occurrences: 3, fingerprint: 'ABOVE' }])
  })

  test.each([
    ['one too many, twice in a row', [65, 65]],
    ['one too many in each second announce', Array.from({ length: 500 }, (__, step) => 64 + (step % 2))],
    ['one too many now and then on a full server', Array.from({ length: 500 }, (__, step) => (step % 10 < 2 ? 65 : 64))],
    ['full', Array.from({ length: 500 }, () => 64)],
  ])('are not found: %s', (_, players) => {
    expect(announces(...players)).toEqual([])
  })
})

describe('the course of the players', () => {
  const random = (seed: number) => () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed / 0x7fffffff
  }
  const course = (slots: number, ...minutes: readonly number[]) => {
    const detector = new ImplausiblePlayers(75_000)
    return minutes.flatMap((players, minute) => detector.players({ publicId, at: START + minute * MINUTE, players, slots }) ?? [])
  }
  const still = (minutes: number, players: number) => Array.from({ length: minutes }, () => players)
  const made = (minutes: number, at: (minute: number) => number) => Array.from({ length: minutes }, (_, minute) => Math.round(at(minute)))

  /** Everybody is thrown out and comes back within minutes, several times a day. */
  const restarts = made(1440, (minute) => (minute % 240 === 239 ? -1 : minute % 240 < 6 ? (minute % 240) * 30 : 180 + (minute % 7)))

  test.each([
    ['one number for hours', 64, still(400, 42), /same number/],
    [
      'one number for hours, with the list away for ten minutes',
      64,
      [...still(200, 42), ...still(10, -2), ...still(200, 42)],
      /same number/,
    ],
    ['nearly full without a change for a day', 100, still(1500, 97), /same number/],
    ['full without a change for three days', 64, still(4330, 64), /same number/],
    [
      'a number out of a hat each minute',
      200,
      made(
        120,
        (
          (next) => () =>
            20 + next() * 180
        )(random(7)),
      ),
      /up and down/,
    ],
    ['leaps', 1000, made(1440, (minute) => (minute % 240 < 120 ? 30 + (minute % 3) : 300 + (minute % 3))), /leapt/],
  ])('is found: %s', (_, slots, minutes, words) => {
    const found = course(slots, ...minutes)
    expect(found[0]?.summary).toMatch(words)
    expect(found[0]?.series?.length).toBeGreaterThan(10)
    expect(found[0]?.series?.every(({ players }) => players >= 0)).toBe(true)
  })

  test.each([
    ['nobody for days', 64, still(3000, 0)],
    ['two who never leave', 64, still(3000, 2)],
    ['full for a day', 64, still(1440, 64)],
    ['full for days, of which one minute saw somebody leave', 64, [...still(4000, 64), 63, ...still(4000, 64)]],
    ['full for days, with a restart', 64, [...still(4000, 64), -1, 12, ...still(4000, 64)]],
    ['nearly full for an evening', 100, still(600, 97)],
    ['one number for five hours', 64, still(300, 42)],
    ['offline for days', 64, still(3000, -1)],
    ['restarts after which all come back', 256, restarts],
    ['a crash loop', 256, made(600, (minute) => [0, 60, 140, 190, 200][minute % 5] ?? 0)],
    ['an evening at which many come', 1000, made(1440, (minute) => 20 + 480 * Math.exp(-(((minute - 900) / 90) ** 2)) + (minute % 4))],
    [
      'an event that begins at eight and ends at ten',
      500,
      made(1440, (m) => (m < 1200 ? 40 : m < 1210 ? 40 + (m - 1200) * 30 : m < 1320 ? 340 : 60) + (m % 3)),
    ],
    ['a disconnect of half of them who come back', 400, made(600, (m) => (m % 200 === 100 ? 150 : 300) + (m % 5))],
    [
      'small ups and downs',
      64,
      made(
        1440,
        (
          (next) => () =>
            8 + next() * 9
        )(random(3)),
      ),
    ],
  ])('is not found: %s', (_, slots, minutes) => {
    expect(course(slots, ...minutes)).toEqual([])
  })

  /** Hours of one number, each with its slots. */
  const hours = (isLearning: boolean, ...parts: readonly (readonly [hours: number, players: number, slots: number])[]) => {
    const detector = new ImplausiblePlayers(75_000)
    let minute = 0
    return parts.flatMap(([count, players, slots], part) =>
      steps(count * 60).flatMap(
        () =>
          detector.players({
            publicId,
            at: START + minute++ * MINUTE,
            players,
            slots,
            isReplay: isLearning && part < parts.length - 1,
          }) ?? [],
      ),
    )
  }

  test.each([
    ['while it runs', false],
    ['over a restart of the list', true],
  ])('that was full before there were more slots is not found for it: %s', (_, isLearning) => {
    expect(hours(isLearning, [10, 100, 100], [5, 100, 128])).toEqual([])
    expect(hours(isLearning, [20, 97, 100], [5, 97, 128])).toEqual([])
    expect(hours(isLearning, [10, 100, 100], [7, 100, 128])).toMatchObject([{ fingerprint: 'FROZEN' }])
  })

  test('of which nobody knows the slots is not judged', () => {
    expect(hours(true, [20, 100, 0], [5, 100, 128])).toEqual([])
  })

  test('that is full while others wait to join is right', () => {
    const detector = new ImplausiblePlayers(75_000)
    const found = steps(8000).flatMap(
      (minute) =>
        detector.players({ publicId, at: START + minute * MINUTE, players: 64, slots: 64, hasQueue: minute % 1000 === 999 }) ?? [],
    )
    expect(found).toEqual([])
  })

  test('is another finding for each thing that is strange about it', () => {
    expect(course(64, ...still(400, 42))).toMatchObject([{ fingerprint: 'FROZEN' }])
    expect(course(1000, ...made(1440, (minute) => (minute % 240 < 120 ? 30 + (minute % 3) : 300 + (minute % 3))))[0]).toMatchObject({
      fingerprint: 'LEAPS',
    })
  })

  test('that stays strange is told again once an hour', () => {
    expect(course(64, ...still(360 + 181, 42))).toHaveLength(4)
  })

  test('that has become plausible, or gone, is told no more', () => {
    const wild = made(
      120,
      (
        (next) => () =>
          20 + next() * 180
      )(random(7)),
    )
    const told = course(200, ...wild).length
    expect(told).toBeGreaterThan(0)
    expect(course(200, ...wild, ...still(600, -1))).toHaveLength(told)
    expect(course(200, ...wild, ...made(600, (minute) => 100 + (minute % 3)))).toHaveLength(told)
  })

  test('is learned from what was stored, and told when it goes on', () => {
    const detector = new ImplausiblePlayers(75_000)
    const observe = (minute: number, isLearning: boolean) =>
      detector.players({ publicId, at: START + minute * MINUTE, players: 42, slots: 64, isReplay: isLearning })
    expect(steps(420).some((minute) => observe(minute, true) !== undefined)).toBe(false)
    expect(observe(425, false)).toMatchObject({ kind: 'IMPLAUSIBLE_PLAYERS' })
  })
})

describe('a name', () => {
  const known = (name: string, more = {}) => {
    const detector = new Impersonation()
    detector.loadServer({ publicId: 'Verifid', ownerId: 'owner', name, verified: true, promoted: false, createdAt: 2, ...more })
    return detector
  }
  const seen = (name: string, more = {}) => ({ publicId, ownerId: 'other', name, verified: false, promoted: false, createdAt: 3, ...more })
  const promoted = { verified: false, promoted: true }

  test.each([
    'Red River RP Official',
    'Official Red River RP',
    'Red River RP 2',
    'Red River Roleplay',
    'Red-River RP',
    'RedRiver RP',
    'Red Rivver RP',
    'Red Rievr RP',
    'R3d River RP',
    'Red Rívеr RP [EU]',
  ])('%s is taken for Red River RP', (name) => {
    expect(known('Red River RP').findImitation(seen(name), START)).toMatchObject({
      kind: 'IMPERSONATION',
      fingerprint: 'Verifid',
      severity: 'HIGH',
    })
  })

  test.each([
    ['Red River RP', 'Red Rock RP'],
    ['Red River RP', 'Blue River RP'],
    ['Red River RP', 'Red Rover RP'],
    ['Red River RP', 'River'],
    ['Red River RP', 'Red River Racing'],
    ['Lost City RP', 'Last City RP'],
    ['Route 66', 'Route 67'],
    ['Liberty', 'Liberty City'],
    ['Neon Life Roleplay', 'Iron Life Roleplay'],
    ['Server 10', 'Server 11'],
    ['RP', 'RP 2'],
    ['Freeroam EU', 'Freeroam US Official'],
    ['Zombie Survival', 'Zombie Survival EU'],
    ['Berlin RP', 'Berlin Roleplay'],
    ['Hardcore', 'Hardcore 2'],
    ['Vanilla', 'Vanilla EU 1'],
    ['Zombies', 'Zombie'],
  ])('beside %s, %s is a name of its own', (name, other) => {
    expect(known(name).findImitation(seen(other), START)).toBeUndefined()
  })

  test('of the same owner, of a verified server, or close to one that is neither verified nor promoted, is nobody’s business', () => {
    expect(known('Red River RP').findImitation(seen('Red River RP 2', { ownerId: 'owner' }), START)).toBeUndefined()
    expect(known('Red River RP').findImitation(seen('Red River RP 2', { verified: true }), START)).toBeUndefined()
    expect(known('Red River RP', { verified: false }).findImitation(seen('Red River RP 2'), START)).toBeUndefined()
  })

  test.each([
    ['Vanilla', 'Vanilla Official'],
    ['Zombie Survival EU', 'Real Zombie Survival EU'],
    ['Zombie Survival', 'Zombie-Survival'],
    ['Zombie Survival', 'Zоmbiе Survivаl'],
  ])('of common words, %s, is claimed by %s', (name, other) => {
    expect(known(name).findImitation(seen(other), START)).toMatchObject({ severity: 'HIGH' })
  })

  test('close to one that is only promoted costs nothing but a word, and only where it is nearly the same', () => {
    const detector = known('Red River RP', promoted)
    for (const name of ['Red-River RP', 'Red Rivver RP', 'Red Rívеr RP'])
      expect(detector.findImitation(seen(name), START)).toMatchObject({ severity: 'MEDIUM' })
    for (const name of ['Red River RP 2', 'Red River Roleplay', 'Red River RP Official'])
      expect(detector.findImitation(seen(name), START)).toBeUndefined()
    for (const name of ['Zombie-Survival', 'Zombie Survival EU', 'Zombie Survival Official'])
      expect(known('Zombie Survival', promoted).findImitation(seen(name), START)).toBeUndefined()
  })

  test('of a server that was there before is its own; taken on later, only a verified one is close to it', () => {
    const before = seen('Blue Lake', { createdAt: 1 })
    const after = seen('Red Rivver RP', { createdAt: 1 })
    expect(known('Red River RP').findImitation(after, START)).toBeUndefined()
    expect(known('Red River RP').findImitation(after, START, before)).toBeDefined()
    expect(known('Red River RP', promoted).findImitation(after, START, before)).toBeUndefined()
  })

  test('that goes from one imitation to the next stays taken for the same server', () => {
    const detector = known('Red River RP')
    detector.loadServer({ ...seen('Red Rever RP'), publicId: 'Another', ownerId: 'third', verified: true })
    expect(detector.findImitation(seen('Red Revver RP'), START, seen('Red Rever RP 2'))).toMatchObject({ fingerprint: 'Another' })
    expect(detector.looksLike(seen('Red Rivver RP'), 'Verifid')).toBe(true)
    expect(detector.looksLike(seen('Blue Lake'), 'Verifid')).toBe(false)
  })
})
