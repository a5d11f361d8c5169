/** Lines about outages. */
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { OutageLog } from './outage-log.ts'

function capturingLog() {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: createLog('info', { destination }), parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
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
