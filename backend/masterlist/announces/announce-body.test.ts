import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AnnounceBody } from '#contract/masterlist.ts'
import { parseAnnounce } from './announce-body.ts'

const maybe = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.constantFrom(undefined, null, 1.5, '', true, [], {}) })
const word = fc.oneof(
  fc.constantFrom('release', '16.4', 'Freeroam'),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const url = fc.oneof(fc.constantFrom('', 'https://a.example/b', 'http://x', 'ftp://x', 'https://'), fc.webUrl(), fc.string())
const count = fc.oneof(fc.integer({ min: -2, max: 70_000 }), fc.constantFrom(0, 1, 4096, 4097, 65_535, 65_536))

const body = fc.record(
  {
    port: maybe(count),
    playersCount: maybe(fc.nat(4200)),
    maxPlayersCount: maybe(fc.nat(4200)),
    passworded: maybe(fc.boolean()),
    version: maybe(word),
    branch: maybe(word),
    host: maybe(fc.oneof(word, fc.domain(), fc.ipV4(), fc.ipV6(), fc.constantFrom('a.example:7788', 'nas.local', 'localhost'))),
    gameMode: maybe(word),
    queueCount: maybe(count),
    useVoiceChat: maybe(fc.boolean()),
    useEarlyAuth: maybe(fc.boolean()),
    earlyAuthUrl: maybe(url),
    useCdn: maybe(fc.boolean()),
    cdnUrl: maybe(url),
    colour: fc.anything(),
  },
  { requiredKeys: ['port', 'playersCount', 'maxPlayersCount', 'passworded', 'version', 'branch'] },
)

test('the fast path accepts exactly what the contract schema accepts', () => {
  fc.assert(
    fc.property(body, (given) => {
      const asSent: unknown = JSON.parse(JSON.stringify(given))
      const result = parseAnnounce(asSent, undefined, true)
      expect('announced' in result).toBe(AnnounceBody.safeParse(asSent).success)
      expect('errors' in result || result.announced.playersCount <= result.announced.maxPlayersCount).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('an accepted body parses equally again after it was accepted', () => {
  fc.assert(
    fc.property(body, (given) => {
      const asSent: unknown = JSON.parse(JSON.stringify(given))
      const first = parseAnnounce(asSent, undefined, false)
      expect(parseAnnounce(asSent, 'announced' in first ? first.announced : undefined, false)).toEqual(first)
    }),
    { numRuns: 500 },
  )
})
