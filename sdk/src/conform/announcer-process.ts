/** Runs the announcer that is tested, as an owner would: with the settings in its environment. */
import { type ChildProcess, spawn } from 'node:child_process'

const MAX_OUTPUT_CHARACTERS = 100_000

const running = new Set<AnnouncerProcess>()
// Announcers have their own process groups, so Ctrl+C does not reach them.
process.once('exit', () => {
  for (const announcer of running) announcer.kill()
})

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export class AnnouncerProcess {
  readonly #child: ChildProcess
  readonly exited: Promise<Exit>
  output = ''
  exit: Exit | undefined

  constructor(command: readonly string[], settings: Readonly<Record<string, string>>) {
    const [program = '', ...args] = command
    // Its own process group, so that whatever it starts ends with it.
    this.#child = spawn(program, args, { env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        if (this.output.length < MAX_OUTPUT_CHARACTERS) this.output += text
      })
    this.exited = new Promise((resolve) => {
      running.add(this)
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        this.exit ??= { code, signal }
        running.delete(this)
        resolve(this.exit)
      }
      this.#child.once('close', end)
      this.#child.once('error', (error) => {
        this.output += error.message
        end(null, null)
      })
    })
  }

  /**
   * SIGTERM goes to the program alone, as from a container. If that ends only a wrapper, such as npm, it goes to what the wrapper started.
   * SIGINT goes to the whole group, as from a terminal.
   */
  signal(signal: 'SIGTERM' | 'SIGINT'): void {
    if (signal === 'SIGINT') return this.#killGroup(signal)
    this.#child.once('exit', () => this.#killGroup(signal))
    this.#child.kill(signal)
  }

  /** Ends it and everything that it started. */
  kill(): void {
    this.#killGroup('SIGKILL')
  }

  #killGroup(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return
    try {
      process.kill(-this.#child.pid, signal)
    } catch {
      // It has ended.
    }
  }
}
