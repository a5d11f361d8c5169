/** Rows of the list: times and counts-only deltas. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RowSource, PublishedRow, countsJson, listedServer } from './listed-row.ts'
import type { AnnouncedState } from './server-record.ts'
import { announced, fieldsOf } from '#tests/list/registry.ts'

/** Any string that the database or an announce may contain, including characters that JSON escapes. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '"', '\\', '\n', '\u2028', '\ud83d', 'ä😀', '</script>'),
)
const count = fc.nat(70_000)
const time = fc.oneof(fc.nat(4_000_000_000_000), fc.double({ min: 0, max: 4e12, noNaN: true }))

const live: fc.Arbitrary<AnnouncedState> = fc.record({
  port: count,
  host: fc.constant(''),
  probe: fc.constantFrom('', 'tcp', 'udp', 'none'),
  playersCount: count,
  isFarAboveSlots: fc.boolean(),
  maxPlayersCount: count,
  queueCount: count,
  passworded: fc.boolean(),
  version: text,
  branch: text,
  gameMode: text,
  useVoiceChat: fc.boolean(),
  useEarlyAuth: fc.boolean(),
  earlyAuthUrl: text,
  useCdn: fc.boolean(),
  cdnUrl: text,
})

const ban = fc.option(fc.constant({ reason: null, at: undefined, until: undefined }), { nil: undefined })

const source: fc.Arbitrary<RowSource> = fc.record({
  announced: fc.option(live, { nil: undefined }),
  address: fc.oneof(fc.ipV4(), fc.ipV6()),
  otherAddress: fc.constant(''),
  online: fc.boolean(),
  changedAt: time,
  fields: fc
    .record({
      name: text,
      description: text,
      language: text,
      tags: fc.array(text, { maxLength: 4 }),
      gameMode: text,
      website: text,
      visible: fc.boolean(),
      vanityUrl: text,
      promoted: fc.boolean(),
      cosmetics: fc.record({
        iconUrl: fc.option(text),
        bannerUrl: text,
        joinBackgroundUrl: text,
        group: fc.option(fc.record({ id: text, name: text })),
        hasTheme: fc.boolean(),
      }),
      verified: fc.boolean(),
      ban,
      ownerBan: ban,
      enforcement: fc.record({
        isUnlisted: fc.boolean(),
        isUnranked: fc.boolean(),
        arePlayersUnconfirmed: fc.boolean(),
        cause: fc.constant(undefined),
      }),
    })
    .map((fields) => fieldsOf('Ab3dE6g', fields)),
})

test('times equal toISOString, regardless of the times formatted before', () => {
  fc.assert(
    fc.property(source, fc.array(time, { minLength: 1, maxLength: 5 }), (server, times) => {
      for (const changedAt of times) expect(listedServer({ ...server, changedAt }).lastTimeUpdate).toBe(new Date(changedAt).toISOString())
    }),
  )
})

test('a delta row with counts only is a subset of the whole row', () => {
  fc.assert(
    fc.property(source, time, (server, changedAt) => {
      const row = new PublishedRow({ ...server, changedAt }, server.announced ?? announced)
      expect(listedServer(row)).toMatchObject(JSON.parse(countsJson(row)) as object)
    }),
  )
})
