/** Smoke test of the benchmarks: they run and print tables. Figures of such short runs mean nothing and are not checked. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** `panel` needs a browser and minutes. */
const PARTS = ['announce', 'list', 'total', 'signed', 'public', 'webhooks']
// They take three quarters of the time.
if (process.env.MUSTER_FULL !== undefined) PARTS.push('endpoints', 'memory', 'backup')

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

test('the benchmarks exit with 0 and print their tables', { timeout: 300_000 }, async () => {
  const { code, output } = await bench(...PARTS, '--servers', '100', '--rounds', '1', '--milliseconds', '50')
  expect(output).not.toContain('failed:')
  expect(output).toMatch(/^100 .* x /m)
  for (const part of PARTS) expect(output).toContain(`(${part}: `)
  expect(output).toMatch(/^announce, 100: CPU \/ bare node:http/m)
  expect(code).toBe(0)
})

test('an unknown benchmark is rejected with the available names', async () => {
  const { code, output } = await bench('speed')
  expect(output).toContain('Unknown benchmark: speed. Available: announce, list,')
  expect(code).toBe(1)
})
