/** The game server that `--exec` starts. It gets the agent's signals, input and output. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { EXIT } from './settings.ts'

export interface GameProcess {
  /** Its exit code: 128 plus the number of a signal that ended it, 127 if it could not be started. */
  readonly exitCode: Promise<number>
  signal(signal: NodeJS.Signals): void
}

/** @param onError what is wrong if it cannot be started */
export function startGame(command: readonly string[], onError: (message: string) => void): GameProcess {
  const [program = '', ...args] = command
  const child = spawn(program, args, { stdio: 'inherit' })
  const exitCode = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)))
    child.once('error', (error) => {
      if (child.pid !== undefined) return
      onError(error.message)
      resolve(EXIT.notStarted)
    })
  })
  return {
    exitCode,
    signal(signal) {
      // A terminal sends Ctrl+C to both.
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal)
    },
  }
}
