/** Compares announces, saves them, and shares equal setups in memory. */
import { type Announced, NO_SETUP, type Setup } from './server-record.ts'
import { intern, shared } from './shared-texts.ts'

/** An announce as it is saved and sent to other nodes. */
export type SavedAnnounce = Omit<Announced, 'setup'> & Setup

const setups = new Map<string, Setup>()

/** The shared object of a setup. @param last the server's previous one, which it mostly equals. */
export function sharedSetup(setup: Setup, last: Setup | undefined): Setup {
  if (last !== undefined && isSameSetup(setup, last)) return last
  const { version, branch, gameMode } = setup
  return intern(setups, JSON.stringify(setup), () => ({
    ...setup,
    version: shared(version),
    branch: shared(branch),
    gameMode: shared(gameMode),
  }))
}

/** Rows of another version may lack fields. */
export function announcedOf(saved: Partial<SavedAnnounce>): Announced {
  const { port = 0, playersCount = 0, isAboveSlots = false, maxPlayersCount = 0, queueCount = 0, ...rest } = saved
  const { passworded, version, branch, gameMode, useVoiceChat, useEarlyAuth, earlyAuthUrl, useCdn, cdnUrl } = { ...NO_SETUP, ...rest }
  const setup = { passworded, version, branch, gameMode, useVoiceChat, useEarlyAuth, earlyAuthUrl, useCdn, cdnUrl }
  return { port, playersCount, isAboveSlots, maxPlayersCount, queueCount, setup: sharedSetup(setup, undefined) }
}

export function savedOf({ setup, ...counts }: Announced): SavedAnnounce {
  return { ...counts, ...setup }
}

/** Whether nothing differs but the players and the queue, which change all the time. */
export function isSameServer(a: Announced, b: Announced): boolean {
  return (
    a.isAboveSlots === b.isAboveSlots &&
    a.maxPlayersCount === b.maxPlayersCount &&
    a.port === b.port &&
    (a.setup === b.setup || isSameSetup(a.setup, b.setup))
  )
}

export function isSameCount(a: Announced, b: Announced): boolean {
  return a.playersCount === b.playersCount && a.queueCount === b.queueCount
}

function isSameSetup(a: Setup, b: Setup): boolean {
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
