/** Compares and serializes announced states, and shares equal setups in memory. */
import { type AnnouncedState, NO_SETUP, type AnnouncedSetup } from './server-record.ts'
import { intern, sharedText } from './shared-texts.ts'

/** An announce as it is saved and sent to other nodes. */
export type SavedAnnounce = Omit<AnnouncedState, 'setup'> & AnnouncedSetup

const setups = new Map<string, AnnouncedSetup>()

/** Returns the shared object for a setup. @param last the server's previous setup, usually an equal one. */
export function sharedSetup(setup: AnnouncedSetup, last: AnnouncedSetup | undefined): AnnouncedSetup {
  if (last !== undefined && isSameSetup(setup, last)) return last
  const { version, branch, gameMode } = setup
  return intern(setups, JSON.stringify(setup), () => ({
    ...setup,
    version: sharedText(version),
    branch: sharedText(branch),
    gameMode: sharedText(gameMode),
  }))
}

/** Fills in defaults, because rows saved by another version may lack fields. */
export function fromSaved(saved: Partial<SavedAnnounce>): AnnouncedState {
  const { port = 0, playersCount = 0, isFarAboveSlots = false, maxPlayersCount = 0, queueCount = 0, ...rest } = saved
  const { passworded, version, branch, gameMode, useVoiceChat, useEarlyAuth, earlyAuthUrl, useCdn, cdnUrl } = { ...NO_SETUP, ...rest }
  const setup = { passworded, version, branch, gameMode, useVoiceChat, useEarlyAuth, earlyAuthUrl, useCdn, cdnUrl }
  return { port, playersCount, isFarAboveSlots, maxPlayersCount, queueCount, setup: sharedSetup(setup, undefined) }
}

export function toSaved({ setup, ...counts }: AnnouncedState): SavedAnnounce {
  return { ...counts, ...setup }
}

/** Ignores the counts of players and of the queue, which change all the time. */
export function isSameExceptCounts(a: AnnouncedState, b: AnnouncedState): boolean {
  return (
    a.isFarAboveSlots === b.isFarAboveSlots &&
    a.maxPlayersCount === b.maxPlayersCount &&
    a.port === b.port &&
    (a.setup === b.setup || isSameSetup(a.setup, b.setup))
  )
}

export function hasSameCounts(a: AnnouncedState, b: AnnouncedState): boolean {
  return a.playersCount === b.playersCount && a.queueCount === b.queueCount
}

function isSameSetup(a: AnnouncedSetup, b: AnnouncedSetup): boolean {
  return (
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
