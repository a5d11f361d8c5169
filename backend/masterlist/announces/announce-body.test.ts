/** Parsing of announces. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AnnounceBody } from '#contract/masterlist/masterlist.ts'
import { parseAnnounce } from './announce-body.ts'

const validOrNot = <T>(values: fc.Arbitrary<T>) =>
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
    port: validOrNot(count),
    playersCount: validOrNot(fc.nat(4200)),
    maxPlayersCount: validOrNot(fc.nat(4200)),
    passworded: validOrNot(fc.boolean()),
    version: validOrNot(word),
    branch: validOrNot(word),
    host: validOrNot(fc.oneof(word, fc.domain(), fc.ipV4(), fc.ipV6(), fc.constantFrom('a.example:7788', 'nas.local', 'localhost'))),
    gameMode: validOrNot(word),
    queueCount: validOrNot(count),
    useVoiceChat: validOrNot(fc.boolean()),
    useEarlyAuth: validOrNot(fc.boolean()),
    earlyAuthUrl: validOrNot(url),
    useCdn: validOrNot(fc.boolean()),
    cdnUrl: validOrNot(url),
    colour: fc.anything(),
  },
  { requiredKeys: ['port', 'playersCount', 'maxPlayersCount', 'passworded', 'version', 'branch'] },
)

test('an announce is accepted if and only if the contract accepts it, and has at most as many players as slots', () => {
  fc.assert(
    fc.property(body, (generated) => {
      const text = JSON.stringify(generated)
      const result = parseAnnounce(Buffer.from(text), true)
      expect(result !== undefined && 'announced' in result).toBe(AnnounceBody.safeParse(JSON.parse(text)).success)
      if (result !== undefined && 'announced' in result)
        expect(result.announced.playersCount).toBeLessThanOrEqual(result.announced.maxPlayersCount)
    }),
    { numRuns: 2000 },
  )
})
