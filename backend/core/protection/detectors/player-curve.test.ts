/** Player counts that must cause findings, and similar ones that must not. No clock, no database. */
import { describe, expect, test } from 'vitest'
import { ImplausiblePlayers } from './implausible-players.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 10, 2, 12)
const publicId = 'AbCdEfG'
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

test('more players than slots are reported immediately, with high severity from twice as many', () => {
  const above = (players: number) => new ImplausiblePlayers(75_000).aboveSlots({ publicId, at: START, players, slots: 64 })
  expect(above(80)).toMatchObject({ kind: 'IMPLAUSIBLE_PLAYERS', severity: 'MEDIUM', occurrences: 1, fingerprint: 'ABOVE' })
  expect(above(128)).toMatchObject({ severity: 'HIGH' })
})

describe('player curve', () => {
  const random = (seed: number) => () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed / 0x7fffffff
  }
  /** @param minutes -2 while the list was down. */
  const curve = (slots: number, ...minutes: readonly number[]) => {
    const detector = new ImplausiblePlayers(75_000)
    return minutes.flatMap((players, minute) =>
      players === -2 ? [] : (detector.players({ publicId, at: START + minute * MINUTE, players, slots }) ?? []),
    )
  }
  const constant = (minutes: number, players: number) => Array.from({ length: minutes }, () => players)
  const generated = (minutes: number, at: (minute: number) => number) =>
    Array.from({ length: minutes }, (_, minute) => Math.round(at(minute)))

  /** All players leave and return within minutes, several times a day. */
  const restarts = generated(1440, (minute) => (minute % 240 === 239 ? -1 : minute % 240 < 6 ? (minute % 240) * 30 : 180 + (minute % 7)))

  test.each([
    ['the same number for hours', 64, constant(400, 42), /same number/],
    [
      'the same number for hours, with the list down for ten minutes',
      64,
      [...constant(200, 42), ...constant(10, -2), ...constant(200, 42)],
      /same number/,
    ],
    ['nearly full and unchanged for a day', 100, constant(1500, 97), /same number/],
    ['full and unchanged for three days', 64, constant(4330, 64), /same number/],
    [
      'a random number each minute',
      200,
      generated(
        120,
        (
          (next) => () =>
            20 + next() * 180
        )(random(7)),
      ),
      /rises and falls/,
    ],
    ['leaps', 1000, generated(1440, (minute) => (minute % 240 < 120 ? 30 + (minute % 3) : 300 + (minute % 3))), /jumped/],
  ])('is reported: %s', (_, slots, minutes, summary) => {
    const findings = curve(slots, ...minutes)
    expect(findings[0]?.summary).toMatch(summary)
    expect(findings[0]?.series?.length).toBeGreaterThan(10)
    expect(findings[0]?.series?.every(({ players }) => players >= 0)).toBe(true)
  })

  test.each([
    ['empty for days', 64, constant(3000, 0)],
    ['two players who never leave', 64, constant(3000, 2)],
    ['full for a day', 64, constant(1440, 64)],
    ['full for days, with one player less in one minute', 64, [...constant(4000, 64), 63, ...constant(4000, 64)]],
    ['full for days, with a restart', 64, [...constant(4000, 64), -1, 12, ...constant(4000, 64)]],
    ['nearly full for an evening', 100, constant(600, 97)],
    ['the same number for five hours', 64, constant(300, 42)],
    ['offline for days', 64, constant(3000, -1)],
    ['restarts after which all players return', 256, restarts],
    ['a crash loop', 256, generated(600, (minute) => [0, 60, 140, 190, 200][minute % 5] ?? 0)],
    ['an evening rush', 1000, generated(1440, (minute) => 20 + 480 * Math.exp(-(((minute - 900) / 90) ** 2)) + (minute % 4))],
    [
      'an event from eight to ten',
      500,
      generated(1440, (m) => (m < 1200 ? 40 : m < 1210 ? 40 + (m - 1200) * 30 : m < 1320 ? 340 : 60) + (m % 3)),
    ],
    ['half of the players disconnect and return', 400, generated(600, (m) => (m % 200 === 100 ? 150 : 300) + (m % 5))],
    [
      'small fluctuations',
      64,
      generated(
        1440,
        (
          (next) => () =>
            8 + next() * 9
        )(random(3)),
      ),
    ],
  ])('is not reported: %s', (_, slots, minutes) => {
    expect(curve(slots, ...minutes)).toEqual([])
  })

  /** Hours with a constant number. If `hasRestart`, all parts but the last are replayed. */
  const hours = (hasRestart: boolean, ...parts: readonly (readonly [hours: number, players: number, slots: number])[]) => {
    const detector = new ImplausiblePlayers(75_000)
    let minute = 0
    return parts.flatMap(([count, players, slots], part) =>
      range(count * 60).flatMap(
        () =>
          detector.players({
            publicId,
            at: START + minute++ * MINUTE,
            players,
            slots,
            isReplay: hasRestart && part < parts.length - 1,
          }) ?? [],
      ),
    )
  }

  test.each([
    ['without a restart', false],
    ['across a restart of the list', true],
  ])('counts from zero after the slots change: %s', (_, hasRestart) => {
    expect(hours(hasRestart, [10, 100, 100], [5, 100, 128])).toEqual([])
    expect(hours(hasRestart, [20, 97, 100], [5, 97, 128])).toEqual([])
    expect(hours(hasRestart, [10, 100, 100], [7, 100, 128])).toMatchObject([{ fingerprint: 'FROZEN' }])
  })

  test('is not checked while the slots are unknown', () => {
    expect(hours(true, [20, 100, 0], [5, 100, 128])).toEqual([])
  })

  test('is not reported for a full server with a queue', () => {
    const detector = new ImplausiblePlayers(75_000)
    const findings = range(8000).flatMap(
      (minute) =>
        detector.players({ publicId, at: START + minute * MINUTE, players: 64, slots: 64, hasQueue: minute % 1000 === 999 }) ?? [],
    )
    expect(findings).toEqual([])
  })

  test('has a separate fingerprint for each anomaly', () => {
    expect(curve(64, ...constant(400, 42))).toMatchObject([{ fingerprint: 'FROZEN' }])
    expect(curve(1000, ...generated(1440, (minute) => (minute % 240 < 120 ? 30 + (minute % 3) : 300 + (minute % 3))))[0]).toMatchObject({
      fingerprint: 'LEAPS',
    })
  })

  test('is reported once an hour while the anomaly lasts', () => {
    expect(curve(64, ...constant(360 + 181, 42))).toHaveLength(4)
  })

  test('is no longer reported once it is plausible or the server is offline', () => {
    const erratic = generated(
      120,
      (
        (next) => () =>
          20 + next() * 180
      )(random(7)),
    )
    const reports = curve(200, ...erratic).length
    expect(reports).toBeGreaterThan(0)
    expect(curve(200, ...erratic, ...constant(600, -1))).toHaveLength(reports)
    expect(curve(200, ...erratic, ...generated(600, (minute) => 100 + (minute % 3)))).toHaveLength(reports)
  })

  test('is replayed from stored samples and reported if the anomaly continues', () => {
    const detector = new ImplausiblePlayers(75_000)
    const observe = (minute: number, isReplay: boolean) =>
      detector.players({ publicId, at: START + minute * MINUTE, players: 42, slots: 64, isReplay })
    expect(range(420).some((minute) => observe(minute, true) !== undefined)).toBe(false)
    expect(observe(425, false)).toMatchObject({ kind: 'IMPLAUSIBLE_PLAYERS' })
  })
})
