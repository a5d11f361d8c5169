/** Comparing what two announces say. */
import type { Announced } from './server-record.ts'

/** Whether they say the same but for how many play and wait: what changes all the time. */
export function isSameServer(a: Announced, b: Announced): boolean {
  return (
    a.isAboveSlots === b.isAboveSlots &&
    a.maxPlayersCount === b.maxPlayersCount &&
    a.port === b.port &&
    a.passworded === b.passworded &&
    a.version === b.version &&
    a.branch === b.branch &&
    a.gameMode === b.gameMode &&
    a.useVoiceChat === b.useVoiceChat &&
    a.useEarlyAuth === b.useEarlyAuth &&
    a.earlyAuthUrl === b.earlyAuthUrl &&
    a.useCdn === b.useCdn &&
    a.cdnUrl === b.cdnUrl
  )
}

export function isSameCount(a: Announced, b: Announced): boolean {
  return a.playersCount === b.playersCount && a.queueCount === b.queueCount
}
