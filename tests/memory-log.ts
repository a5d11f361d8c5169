/** The log of a program under test. */
import { Writable } from 'node:stream'
import { type Log, createLog } from '#backend/platform/log.ts'

/** pino's level number. */
const WARN = 40

/** Keeps the program's log in memory, after redaction. */
export function memoryLog(level: string): { log: Log; takeLogs: () => string[]; allLogs: () => string } {
  let warnings: string[] = []
  let everything = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const line = String(chunk)
      everything += line
      const fields = JSON.parse(line) as { level: number; recovered?: true }
      // Parsing keeps one of two equal keys. Such a line counts as a fault. The end of an outage doesn't.
      if ((fields.level >= WARN && fields.recovered !== true) || JSON.stringify(fields).length !== line.trimEnd().length)
        warnings.push(line)
      done()
    },
  })
  const takeLogs = () => {
    const taken = warnings
    warnings = []
    return taken
  }
  return { log: createLog(level, { destination: stream }), takeLogs, allLogs: () => everything }
}
