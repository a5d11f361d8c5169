/** The types of the announcer: what a game server says, and the events that it gets. */

/** How the list can probe the server. */
export type Probe = 'tcp' | 'udp' | 'none'

/** IPv4 or IPv6. */
export type Family = 4 | 6

/** The live state of a game server. */
export interface ServerState {
  /** Connected players: 0 to 4096. The list shows at most `maxPlayers`. */
  readonly players: number
  /** Slots: 1 to 4096. */
  readonly maxPlayers: number
  /** Players who wait to join: 0 to 65535. */
  readonly queue: number
  /** Whether players need a password. */
  readonly passworded: boolean
  /** The version of the game: 1 to 32 characters. */
  readonly version: string
  /** The branch of the game: 1 to 32 characters. */
  readonly branch: string
  /** Up to 32 characters. The list shows it unless the owner chose one in the panel. */
  readonly gameMode: string
  readonly voiceChat: boolean
  /** The http or https URL where players sign in early; empty for none. */
  readonly earlyAuthUrl: string
  /** The http or https URL that players connect to instead of the address; empty for none. */
  readonly cdnUrl: string
}

export interface AnnounceOptions extends Partial<ServerState> {
  /** The address of the master list, such as `https://list.example.com`. Default MUSTER_URL. */
  readonly url?: string | undefined
  /** The credential that the panel showed: `mst_…`. Default MUSTER_CREDENTIAL. */
  readonly credential?: string | undefined
  /** The port that players connect to. Default PORT. */
  readonly port?: number
  /** The DNS name or IP address that players connect to, if it is not where the announces come from. Default MUSTER_HOST, or none. */
  readonly host?: string | undefined
  /** How the list can probe the server. Default MUSTER_PROBE, or not announced. */
  readonly probe?: Probe | '' | undefined
  /** Announces over each of these that the machine and the list have. Default MUSTER_FAMILIES, or what the system chooses. */
  readonly families?: readonly Family[] | undefined
  /** Default MAX_PLAYERS. */
  readonly maxPlayers?: number
  /** Whether SIGTERM, SIGINT and the end of the program take the server off the list first. Default true. */
  readonly signals?: boolean
  /**
   * Whether to answer the list's probes at `port`. Default true for TCP. With `probe: 'udp'`, the SDK opens the UDP port only if this is
   * true, because the game needs it: answer with `answerProbe`.
   */
  readonly probes?: boolean | undefined
  /** Whether to keep the process alive until `stop`. Default true; false for a library. */
  readonly keepAlive?: boolean
  /** Whether to log no event. By default, events without a listener are logged to the console. */
  readonly quiet?: boolean
  /** Replaces the global `fetch`. It chooses the family of addresses, so `families` has no effect. */
  readonly fetch?: typeof fetch | undefined
}

/** An accepted announce. */
export interface Accepted {
  readonly publicId: string
  /** Whether players see the server on the list. */
  readonly listed: boolean
  readonly nextAnnounceSeconds: number
  /** Whether the owner has cloud auth. */
  readonly cloudAuth: boolean
}

/** What the owner should know. */
export interface Notice {
  /** For programs, such as `HIDDEN`. */
  readonly code: string
  /** For people. */
  readonly message: string
  /** What to do. Empty if the message says it. */
  readonly remedy: string
}

/** An announce that the list rejected, or a value that the SDK did not send because the list would reject it. */
export interface Rejection extends Notice {
  /** The HTTP status; 0 if nothing was sent. */
  readonly status: number
  /** Whether the previous attempt was rejected with the same code. */
  readonly isRepeat: boolean
  /** Seconds until the next attempt; 0 if the attempt waits for a valid value. */
  readonly retrySeconds: number
}

export interface Outage {
  /** Why the list did not reply, such as `ECONNREFUSED`. */
  readonly message: string
  /** The HTTP status of a reply that no master list sends; 0 if there was no reply. */
  readonly status: number
  /** Seconds until the next attempt. */
  readonly retrySeconds: number
}

export interface Stop {
  /** Why, such as `SIGTERM.` */
  readonly message: string
}

export interface AnnounceEvents {
  /** Each accepted announce. */
  accepted: Accepted
  /** From now on, players see the server on the list. */
  listed: Accepted
  /** The announce was accepted, but players do not see the server. A notice says why. */
  unlisted: Accepted
  /** A notice that the previous reply did not have. */
  notice: Notice
  /** A notice that no longer applies. */
  cleared: Notice
  /** Each rejection. */
  rejected: Rejection
  /** The list stopped replying. Announces continue. */
  offline: Outage
  /** An announce was accepted after a rejection or an outage. */
  recovered: Accepted
  /** Announces end, and the server leaves the list. */
  stopped: Stop
}
