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

test('the hand-written half accepts exactly what the contract accepts', () => {
  fc.assert(
    fc.property(body, (given) => {
      const asSent: unknown = JSON.parse(JSON.stringify(given))
      const reading = parseAnnounce(asSent, undefined, true)
      expect('announced' in reading).toBe(AnnounceBody.safeParse(asSent).success)
      expect('errors' in reading || reading.announced.playersCount <= reading.announced.maxPlayersCount).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('what was accepted before is accepted again, whatever it holds', () => {
  fc.assert(
    fc.property(body, (given) => {
      const asSent: unknown = JSON.parse(JSON.stringify(given))
      const first = parseAnnounce(asSent, undefined, false)
      expect(parseAnnounce(asSent, 'announced' in first ? first.announced : undefined, false)).toEqual(first)
    }),
    { numRuns: 500 },
  )
})
