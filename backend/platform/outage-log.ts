/** Logs that something began to fail, once, and its end at the same level. A log that shows the one shows the other. */
import type { Log } from './log.ts'

/** The field of each line about the end of an outage. */
export const RECOVERED = { recovered: true } as const

interface Options {
  readonly log: Log
  /** Default: `warn`. */
  readonly level?: 'info' | 'warn' | 'error'
  /** The log message of the first failure. */
  readonly begin: string
  /** The log message of the first success after it. */
  readonly end: string
  /** Fields of both lines. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Without a failure for this long, the outage is over. Default: only a success ends it. */
  readonly quietMs?: number
}

export class OutageLog {
  readonly #options: Options
  #isFailing = false
  #quiet: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
  }

  get isFailing(): boolean {
    return this.#isFailing
  }

  /** Returns whether this is the first failure. */
  failed(fields: Readonly<Record<string, unknown>>): boolean {
    this.#quiet?.refresh()
    if (this.#isFailing) return false
    this.#isFailing = true
    const { log, level = 'warn', begin, quietMs, fields: own } = this.#options
    if (quietMs !== undefined) this.#quiet = setTimeout(() => this.succeeded(), quietMs).unref()
    log[level]({ ...own, ...fields }, begin)
    return true
  }

  succeeded(): void {
    if (!this.#isFailing) return
    this.#isFailing = false
    clearTimeout(this.#quiet)
    const { log, level = 'warn', end, fields } = this.#options
    log[level]({ ...fields, ...RECOVERED }, end)
  }
}
