/** That the benchmarks still run against the program as it is. What they measure in so short a time means nothing, and is not looked at. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
/** Those that share a program, which is started once for all, and `restart`, which needs its own; `bytes` waits long for little that the others do not ask. */
const PARTS = [
  'announce',
  'list',
  'columns',
  'freshness',
  'readers',
  'total',
  'held',
  'streams',
  'slow',
  'refresh',
  'restart',
  'peer',
  'soak',
]

async function bench(...options: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'bench/bench.ts'), ...options], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const channel of [child.stdout, child.stderr])
    channel.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

test('the benchmarks of the list and of another list server run and print their tables', { timeout: 300_000 }, async () => {
  const { code, output } = await bench(...PARTS, '--servers', '100', '--rounds', '1', '--milliseconds', '50', '--minutes', '2')
  expect(output).not.toContain('could not be measured')
  expect(output).toMatch(/^100 .* x /m)
  for (const part of PARTS) expect(output).toContain(`(${part}: `)
  expect(output).toContain('PEER: naive')
  expect(output).toMatch(/^announce, 100: CPU \/ bare node:http/m)
  expect(code).toBe(0)
})

test('a benchmark that does not exist is refused with the names of those that do', async () => {
  const { code, output } = await bench('speed')
  expect(output).toContain('There is no benchmark speed. There are: announce, list,')
  expect(code).toBe(1)
})
