/** Runs each detector over streams that must cause findings, and over similar streams that must not. No clock, no database. */
import { describe, expect, test } from 'vitest'
import { AddressMismatch } from './address-mismatch.ts'
import { AnnounceFlood } from './announce-flood.ts'
import { Impersonation } from './impersonation.ts'
import { RevokedCredential } from './revoked-credential.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = Date.UTC(2026, 10, 2, 12)
const publicId = 'AbCdEfG'
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('address mismatch', () => {
  /** @param everyMs between attempts. @param lastAcceptedAt of the bound server at each attempt; undefined while it is offline. */
  const attempts = (count: number, everyMs: number, lastAcceptedAt: (at: number) => number | undefined) => {
    const detector = new AddressMismatch()
    return range(count).flatMap((step) => {
      const at = START + step * everyMs
      return (
        detector.rejected({ publicId, at, address: '203.0.113.9', boundAddress: '198.51.100.1', lastAcceptedAt: lastAcceptedAt(at) }) ?? []
      )
    })
  }

  test('is reported immediately while the bound server is online, with high severity once it announces again', () => {
    const findings = attempts(3, 30_000, (at) => at - 10_000)
    expect(findings).toMatchObject([
      {
        kind: 'ADDRESS_MISMATCH',
        severity: 'MEDIUM',
        fingerprint: '',
        occurrences: 1,
        summary: expect.stringContaining('shortly after') as string,
      },
      { severity: 'HIGH', occurrences: 1, summary: expect.stringContaining('while the server itself still announces') as string },
      { severity: 'HIGH', occurrences: 1 },
    ])
    expect(findings[0]?.items[0]).toMatchObject({ address: '203.0.113.9', expected: 'Announces from 198.51.100.1.' })
  })

  test('is reported with medium severity if the bound server is offline and its address is not reset', () => {
    const findings = attempts(70, 30_000, () => undefined)
    expect(findings[0]).toMatchObject({ severity: 'MEDIUM', occurrences: 61 })
    expect(findings.every(({ severity }) => severity === 'MEDIUM')).toBe(true)
  })

  test.each([
    ['a move with an address reset within twenty minutes', 40, 30_000],
    ['only nine attempts', 9, 10 * MINUTE],
    ['one attempt a day', 14, 25 * HOUR],
  ])('is not reported while the bound server is offline: %s', (_, count, everyMs) => {
    expect(attempts(count, everyMs, () => undefined)).toEqual([])
  })

  test('is reported at most once a minute, with all attempts since the last report', () => {
    const findings = attempts(120, 5000, (at) => at)
    expect(findings.length).toBeLessThan(20)
    expect(findings.slice(10).every(({ occurrences }) => occurrences === 12)).toBe(true)
  })

  test('starts over after an address reset', () => {
    const detector = new AddressMismatch()
    const observe = (at: number) =>
      detector.rejected({ publicId, at, address: '203.0.113.9', boundAddress: '198.51.100.1', lastAcceptedAt: undefined })
    for (const step of range(9)) observe(START + step * 10 * MINUTE)
    detector.forget(publicId)
    expect(observe(START + 90 * MINUTE)).toBeUndefined()
  })
})

describe('revoked credential', () => {
  const attempts = (count: number, everyMs: number) => {
    const detector = new RevokedCredential()
    return range(count).flatMap((step) => detector.rejected({ publicId, at: START + step * everyMs, address: '203.0.113.9' }) ?? [])
  }

  test.each([
    ['constant announces', 4, 30_000],
    ['occasional announces', 4, 3 * HOUR],
  ])('is reported at the third attempt: %s', (_, count, everyMs) => {
    expect(attempts(count, everyMs)).toMatchObject([{ kind: 'REVOKED_CREDENTIAL', severity: 'MEDIUM', occurrences: 3 }, { occurrences: 1 }])
  })

  test.each([
    ['until a restart a minute later', 2, 30_000],
    ['less than once a day', 10, 25 * HOUR],
  ])('is not reported: %s', (_, count, everyMs) => {
    expect(attempts(count, everyMs)).toEqual([])
  })
})

describe('announce flood', () => {
  /** @param perMinute rejected announces in each minute. */
  const rejections = (...perMinute: readonly number[]) => {
    const detector = new AnnounceFlood()
    return perMinute.flatMap((count, minute) =>
      range(count).flatMap(
        (step) => detector.rejected({ publicId, at: START + minute * MINUTE + (step * MINUTE) / count, address: '::1' }) ?? [],
      ),
    )
  }
  const forMinutes = (minutes: number, count: number) => Array.from({ length: minutes }, () => count)

  test.each([
    ['a large burst within a minute', [50]],
    ['ten minutes', forMinutes(11, 30)],
    ['ten minutes with a quiet one in between', [...forMinutes(5, 30), 0, ...forMinutes(6, 30)]],
  ])('is reported: %s', (_, minutes) => {
    expect(rejections(...minutes)[0]).toMatchObject({ kind: 'ANNOUNCE_FLOOD', severity: 'MEDIUM' })
  })

  test.each([
    ['a burst after a restart', [39, 20, 10]],
    ['a burst after each restart of a crash loop', Array.from({ length: 120 }, (__, minute) => (minute % 5 === 0 ? 20 : 0))],
    ['nine minutes', forMinutes(9, 30)],
    ['slightly too often all day', forMinutes(600, 4)],
  ])('is not reported: %s', (_, minutes) => {
    expect(rejections(...minutes)).toEqual([])
  })

  test('counts all rejected announces of an ongoing flood', () => {
    const findings = rejections(...forMinutes(60, 30))
    expect(findings.length).toBeLessThanOrEqual(51)
    expect(findings.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBeGreaterThan(1500)
  })

  /** @param perMinute accepted announces in each minute. */
  const accepted = (...perMinute: readonly number[]) => {
    const detector = new AnnounceFlood({ ttlMs: 75_000 })
    return perMinute.flatMap(
      (count, minute) => detector.announceRate({ publicId, at: START + minute * MINUTE, accepted: count, address: '::1' }) ?? [],
    )
  }

  test('is reported even if the list accepts it: one announce every two seconds for ten minutes', () => {
    const [first] = accepted(...forMinutes(12, 30))
    expect(first).toMatchObject({ kind: 'ANNOUNCE_FLOOD', occurrences: 300 })
    expect(first?.items[0]?.observed).toContain('300 announces arrived')
  })

  test.each([
    ['the requested rate', forMinutes(600, 2)],
    ['nine times the requested rate', forMinutes(600, 18)],
    ['a burst after each restart', Array.from({ length: 120 }, (__, minute) => (minute % 5 === 0 ? 40 : 2))],
  ])('is not reported for accepted announces: %s', (_, minutes) => {
    expect(accepted(...minutes)).toEqual([])
  })
})

describe('impersonation', () => {
  const withProtected = (name: string, overrides = {}) => {
    const detector = new Impersonation()
    detector.loadServer({ publicId: 'Verifid', ownerId: 'owner', name, verified: true, promoted: false, createdAt: 2, ...overrides })
    return detector
  }
  const server = (name: string, overrides = {}) => ({
    publicId,
    ownerId: 'other',
    name,
    verified: false,
    promoted: false,
    createdAt: 3,
    ...overrides,
  })
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
  ])('reports %s as similar to Red River RP', (name) => {
    expect(withProtected('Red River RP').findImitation(server(name), START)).toMatchObject({
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
  ])('does not confuse %s with %s', (name, other) => {
    expect(withProtected(name).findImitation(server(other), START)).toBeUndefined()
  })

  test('ignores servers of the same owner, verified servers, and names of unprotected servers', () => {
    expect(withProtected('Red River RP').findImitation(server('Red River RP 2', { ownerId: 'owner' }), START)).toBeUndefined()
    expect(withProtected('Red River RP').findImitation(server('Red River RP 2', { verified: true }), START)).toBeUndefined()
    expect(withProtected('Red River RP', { verified: false }).findImitation(server('Red River RP 2'), START)).toBeUndefined()
  })

  test.each([
    ['Vanilla', 'Vanilla Official'],
    ['Zombie Survival EU', 'Real Zombie Survival EU'],
    ['Zombie Survival', 'Zombie-Survival'],
    ['Zombie Survival', 'Zоmbiе Survivаl'],
  ])('reports claims to common names: %s, %s', (name, other) => {
    expect(withProtected(name).findImitation(server(other), START)).toMatchObject({ severity: 'HIGH' })
  })

  test('reports only nearly equal names of promoted servers, with medium severity', () => {
    const detector = withProtected('Red River RP', promoted)
    for (const name of ['Red-River RP', 'Red Rivver RP', 'Red Rívеr RP'])
      expect(detector.findImitation(server(name), START)).toMatchObject({ severity: 'MEDIUM' })
    for (const name of ['Red River RP 2', 'Red River Roleplay', 'Red River RP Official'])
      expect(detector.findImitation(server(name), START)).toBeUndefined()
    for (const name of ['Zombie-Survival', 'Zombie Survival EU', 'Zombie Survival Official'])
      expect(withProtected('Zombie Survival', promoted).findImitation(server(name), START)).toBeUndefined()
  })

  test('ignores older servers, unless they are renamed after a verified one', () => {
    const before = server('Blue Lake', { createdAt: 1 })
    const after = server('Red Rivver RP', { createdAt: 1 })
    expect(withProtected('Red River RP').findImitation(after, START)).toBeUndefined()
    expect(withProtected('Red River RP').findImitation(after, START, before)).toBeDefined()
    expect(withProtected('Red River RP', promoted).findImitation(after, START, before)).toBeUndefined()
  })

  test('keeps the same imitated server when an imitation is renamed to another imitation', () => {
    const detector = withProtected('Red River RP')
    detector.loadServer({ ...server('Red Rever RP'), publicId: 'Another', ownerId: 'third', verified: true })
    expect(detector.findImitation(server('Red Revver RP'), START, server('Red Rever RP 2'))).toMatchObject({ fingerprint: 'Another' })
    expect(detector.looksLike(server('Red Rivver RP'), 'Verifid')).toBe(true)
    expect(detector.looksLike(server('Blue Lake'), 'Verifid')).toBe(false)
  })
})
