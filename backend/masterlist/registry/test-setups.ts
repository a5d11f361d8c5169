/** Any setups, for tests of what is made of announces. */
import fc from 'fast-check'
import type { Setup } from './server-record.ts'

/** @param text what each of its texts may be. */
export function anySetup(text: fc.Arbitrary<string>): fc.Arbitrary<Setup> {
  return fc.record({
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
}
