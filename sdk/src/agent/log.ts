/** The agent's log: the time and a sentence on each line. */

export function log(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(0, 19)}Z ${text}\n`)
}

/** What happened in the last call, for `/health`. */
export interface Health {
  readonly status: 'starting' | 'listed' | 'unlisted' | 'rejected' | 'offline'
  readonly code: string
  readonly message: string
  readonly remedy: string
}
