/** One simulated game server: its players follow the time of day, it restarts occasionally, and it announces over HTTP. */
import type { AnnounceReply } from '#contract/masterlist.ts'
import type { ListErrorReply } from '#contract/errors.ts'
import { systemClock } from '#backend/platform/clock.ts'
import { Random, expectedPlayers, nextPlayers } from './profiles.ts'
import type { RegisteredServer } from './register.ts'

/** Per announce: about one restart in five hours with an announce every half minute. */
const RESTART_CHANCE = 1 / 600
const RESTART_SECONDS = [20, 110] as const
/** Limit of the exponential backoff after connection failures. */
const MAX_RETRY_SECONDS = 60

export interface Tally {
  accepted: number
  rejected: number
  unreachable: number
  lastRejection: string
}

export interface FleetSettings {
  readonly listUrl: string
  readonly seed: number
  /** Seconds between announces; undefined follows the list. */
  readonly interval: number | undefined
  readonly tally: Tally
}

export class GameServer {
  readonly #registered: RegisteredServer
  readonly #settings: FleetSettings
  readonly #random: Random
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #isStopped = false
  isOnline = false
  players = 0

  constructor(registered: RegisteredServer, settings: FleetSettings, index: number) {
    this.#registered = registered
    this.#settings = settings
    this.#random = new Random(settings.seed * 7_919 + index)
    this.players = Math.round(expectedPlayers(registered.profile, systemClock.now()))
  }

  start(seconds: number): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#step(), seconds * 1000)
  }

  async stop(goesOffline: boolean): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    if (goesOffline && this.isOnline) await this.#call('DELETE').catch(() => undefined)
    this.isOnline = false
  }

  async #step(): Promise<void> {
    if (this.isOnline && this.#random.chance(RESTART_CHANCE)) return this.#restart()
    this.players = nextPlayers(this.players, this.#registered.profile, systemClock.now(), this.#random)
    this.start(await this.#announce())
  }

  /** Half of the restarts go offline properly. The others simulate crashes. */
  async #restart(): Promise<void> {
    if (this.#random.chance(0.5)) await this.#call('DELETE').catch(() => undefined)
    this.isOnline = false
    this.players = 0
    this.start(this.#random.between(...RESTART_SECONDS))
  }

  async #announce(): Promise<number> {
    const { tally, interval } = this.#settings
    try {
      const response = await this.#call('POST')
      this.#failures = 0
      if (response.ok) {
        const { nextAnnounceSeconds } = (await response.json()) as AnnounceReply
        tally.accepted += 1
        this.isOnline = true
        return (interval ?? nextAnnounceSeconds) + this.#random.between(-0.5, 0.5)
      }
      const { errors } = (await response.json()) as ListErrorReply
      tally.rejected += 1
      tally.lastRejection = `${response.status} ${errors[0] ?? ''}`
      return Number(response.headers.get('retry-after') ?? 30)
    } catch {
      tally.unreachable += 1
      this.#failures += 1
      return Math.min(MAX_RETRY_SECONDS, 2 ** this.#failures) * this.#random.between(0.5, 1)
    }
  }

  #call(method: 'POST' | 'DELETE'): Promise<Response> {
    const { profile, credential } = this.#registered
    return fetch(`${this.#settings.listUrl}/announce`, {
      method,
      signal: AbortSignal.timeout(10_000),
      headers: { authorization: `Bearer ${credential}`, ...(method === 'POST' && { 'content-type': 'application/json' }) },
      ...(method === 'POST' && {
        body: JSON.stringify({
          port: profile.port,
          playersCount: this.players,
          maxPlayersCount: profile.slots,
          passworded: profile.passworded,
          version: profile.version,
          branch: profile.branch,
          gameMode: profile.input.game_mode,
          useVoiceChat: profile.useVoiceChat,
          useEarlyAuth: profile.useEarlyAuth,
          queueCount: this.players === profile.slots ? Math.floor(this.#random.between(0, 30)) : 0,
          ...(profile.useEarlyAuth && { earlyAuthUrl: 'https://login.example.com/' }),
        }),
      }),
    })
  }
}
