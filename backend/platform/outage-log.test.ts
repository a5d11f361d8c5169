/** Lines about outages, and about the library's queue. */
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { OutageLog } from './outage-log.ts'
import { loggerOn } from './queue/job-queue.ts'

function capturingLog() {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: createLog('info', { destination }), lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test.each([
  ['info', 30],
  ['warn', 40],
  ['error', 50],
] as const)('the end of an outage has the level of its beginning (%s), and both are logged once', (level, number) => {
  const { log, parsed } = capturingLog()
  const outage = new OutageLog({ log, level, begin: 'it failed', end: 'it works again' })
  outage.succeeded()
  for (let round = 0; round < 2; round += 1) {
    for (let attempt = 0; attempt < 3; attempt += 1) outage.failed({ err: new Error(`attempt ${attempt}`) })
    outage.succeeded()
    outage.succeeded()
  }
  const pair = [
    { level: number, msg: 'it failed', err: expect.objectContaining({ message: 'attempt 0' }) },
    { level: number, msg: 'it works again' },
  ]
  expect(parsed()).toMatchObject([...pair, ...pair])
  expect(parsed()).toHaveLength(4)
})

test('an error of the job queue is logged as an error, with its stack, and no line has a key twice', () => {
  const { log, lines, parsed } = capturingLog()
  const logger = loggerOn(log)
  logger.error('Failed task', { error: new Error('broken') })
  logger.error('Something broke')
  logger.error('PostgreSQL idle client generated error', { error: new Error('Connection terminated unexpectedly') })
  logger.warn('A warning')
  expect(parsed()).toMatchObject([
    { level: 50, text: 'Failed task', err: { message: 'broken', stack: expect.stringContaining('outage-log.test.ts') } },
    { level: 50, text: 'Something broke', err: { message: 'Something broke' } },
    { level: 30, err: { message: 'Connection terminated unexpectedly' } },
    { level: 30, text: 'A warning' },
  ])
  for (const line of lines) expect(line.match(/"level":/g)).toHaveLength(1)
})
