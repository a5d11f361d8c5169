/** What announces say: which of it changed, and one setup for all servers that say the same of theirs. */
import type { Announced, Setup } from './server-record.ts'
import { shared } from './shared-texts.ts'

/** An announce as it is saved, and told to other nodes. */
export type SavedAnnounce = Omit<Announced, 'setup'> & Setup

/** Far more than there are versions, branches and modes; who fills this with texts of his own only makes it begin anew. */
const MOST_SETUPS = 5000
const setups = new Map<string, Setup>()

/** What is shown of the setup of a server that never announced. */
export const NO_SETUP: Setup = {
  passworded: false,
  version: '',
  branch: '',
  gameMode: '',
  useVoiceChat: false,
  useEarlyAuth: false,
  earlyAuthUrl: '',
  useCdn: false,
  cdnUrl: '',
}

/** The same setup, as it was met first. @param last the server's former one, which it mostly is. */
export function sharedSetup(setup: Setup, last: Setup | undefined): Setup {
  if (last !== undefined && isSameSetup(setup, last)) return last
  const key = JSON.stringify(Object.values(setup))
  const known = setups.get(key)
  if (known !== undefined && isSameSetup(setup, known)) return known
  if (setups.size >= MOST_SETUPS) setups.clear()
  const { version, branch, gameMode } = setup
  const kept = { ...setup, version: shared(version), branch: shared(branch), gameMode: shared(gameMode) }
  setups.set(key, kept)
  return kept
}

/** Rows that another version saved may lack a field. */
export function announcedOf(saved: Partial<SavedAnnounce>): Announced {
  const { port = 0, playersCount = 0, isAboveSlots = false, maxPlayersCount = 0, queueCount = 0, ...rest } = saved
  const { passworded, version, branch, gameMode, useVoiceChat, useEarlyAuth, earlyAuthUrl, useCdn, cdnUrl } = { ...NO_SETUP, ...rest }
  const setup = { passworded, version, branch, gameMode, useVoiceChat, useEarlyAuth, earlyAuthUrl, useCdn, cdnUrl }
  return { port, playersCount, isAboveSlots, maxPlayersCount, queueCount, setup: sharedSetup(setup, undefined) }
}

export function savedOf({ setup, ...counts }: Announced): SavedAnnounce {
  return { ...counts, ...setup }
}

/** Whether they say the same but for how many play and wait: what changes all the time. */
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
