/** One simulated game server on the SDK: its players follow the time of day, and it restarts occasionally. */
import { systemClock } from '#backend/platform/clock.ts'
import { type Announcer, announce } from '#sdk/index.ts'
import { Random, expectedPlayers, nextPlayers } from './profiles.ts'
import type { RegisteredServer } from './register.ts'

/** Per announce: about one restart in five hours with an announce every half minute. */
export const RESTART_CHANCE = 1 / 600
const RESTART_SECONDS = [20, 110] as const
/** Players change at this share of each interval. Just before the next announce, so that changes add none. */
const CHANGE_AT = [0.9, 0.95] as const

export interface Tally {
  accepted: number
  rejected: number
  lastRejection: string
}

export interface FleetSettings {
  readonly listUrl: string
  readonly seed: number
  /** Seconds between announces; undefined follows the list. */
  readonly interval: number | undefined
  readonly restartChance: number
  /** Whether to answer the reachability check. */
  readonly probes: boolean
  readonly tally: Tally
}

export class GameServer {
  readonly #registered: RegisteredServer
  readonly #settings: FleetSettings
  readonly #random: Random
  #announcer: Announcer | undefined
  /** Of the next start or the next change of players. */
  #timer: NodeJS.Timeout | undefined
  #isConnected = true
  isUnreachable = false
  /** Whether another program uses the port, so that the reachability check has no answer. */
  isPortBusy = false
  players = 0

  constructor(registered: RegisteredServer, settings: FleetSettings, index: number) {
    this.#registered = registered
    this.#settings = settings
    this.#random = new Random(settings.seed * 7_919 + index)
    this.players = Math.round(expectedPlayers(registered.profile, systemClock.now()))
  }

  /** Whether the list accepted an announce since the last start. */
  get isOnline(): boolean {
    return this.#announcer?.accepted !== undefined
  }

  start(seconds: number): void {
    this.#timer = setTimeout(() => this.#announce(), seconds * 1000)
  }

  /** @param goesOffline false simulates a crash: the server stays on the list until it expires. */
  async stop(goesOffline: boolean): Promise<void> {
    clearTimeout(this.#timer)
    const announcer = this.#announcer
    this.#announcer = undefined
    this.#isConnected = goesOffline
    this.isUnreachable = false
    await announcer?.stop()
  }

  #announce(): void {
    const { profile, credential } = this.#registered
    const { listUrl, probes, tally } = this.#settings
    this.#isConnected = true
    this.#announcer = announce({
      url: listUrl,
      credential,
      port: profile.port,
      maxPlayers: profile.slots,
      passworded: profile.passworded,
      version: profile.version,
      branch: profile.branch,
      gameMode: profile.input.game_mode ?? '',
      voiceChat: profile.useVoiceChat,
      earlyAuthUrl: profile.useEarlyAuth ? 'https://login.example.com/' : '',
      ...this.#changedPlayers(),
      probes,
      signals: false,
      quiet: true,
      fetch: (url, init) => this.#fetch(url, init),
    })
      .on('accepted', ({ nextAnnounceSeconds }) => {
        tally.accepted += 1
        this.isUnreachable = false
        this.#playOn(nextAnnounceSeconds)
      })
      .on('rejected', ({ status, message }) => {
        tally.rejected += 1
        tally.lastRejection = `${status} ${message}`
        this.isUnreachable = false
      })
      .on('offline', () => (this.isUnreachable = true))
      .on('notice', ({ code }) => (this.isPortBusy ||= code === 'PROBES_UNANSWERED'))
  }

  #playOn(interval: number): void {
    clearTimeout(this.#timer)
    if (this.#random.chance(this.#settings.restartChance)) return this.#restart()
    this.#timer = setTimeout(() => this.#announcer?.update(this.#changedPlayers()), interval * 1000 * this.#random.between(...CHANGE_AT))
  }

  /** Half of the restarts go offline properly. The others simulate crashes. */
  #restart(): void {
    void this.stop(this.#random.chance(0.5))
    this.players = 0
    this.start(this.#random.between(...RESTART_SECONDS))
  }

  #changedPlayers(): { players: number; queue: number } {
    const { profile } = this.#registered
    this.players = nextPlayers(this.players, profile, systemClock.now(), this.#random)
    return { players: this.players, queue: this.players === profile.slots ? Math.floor(this.#random.between(0, 30)) : 0 }
  }

  /** The network of a server that can crash. It also replaces the interval of the list with the one of `--interval`. */
  async #fetch(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
    if (!this.#isConnected) throw new Error('the server crashed')
    const response = await fetch(url, init)
    const { interval } = this.#settings
    if (interval === undefined || response.status !== 200) return response
    return Response.json({ ...((await response.json()) as object), nextAnnounceSeconds: interval })
  }
}
