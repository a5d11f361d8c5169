/** Uploads every kind of file to the real program in its own process while measuring its memory. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PURPOSES } from '#contract/servers/images.ts'
import { beginSignIn } from '#tests/test-user.ts'
import { type Rgb, type Sample, makeCorpus } from '#tests/images/corpus.ts'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { type Program, childrenOf, commandLineOf, discard, isRunning, startProgram, untilReady } from '#tests/program.ts'

const MAX_MEGABYTES = 320
const folder = preparedFolder()
const samples = await makeCorpus()
let program: Program
let decoder: number | undefined
let cookie = ''
let peak = { megabytes: 0, during: '' }
let current = ''
let memoryTimer: NodeJS.Timeout

beforeAll(async () => {
  program = await untilReady(await startProgram(folder))
  cookie = await signIn('painter')
  memoryTimer = setInterval(() => {
    const megabytes = memoryOf(program.child.pid ?? 0)
    if (megabytes > peak.megabytes) peak = { megabytes, during: current }
  }, 40)
})

afterAll(() => {
  clearInterval(memoryTimer)
  discard(folder, program)
})

/** Returns the session cookie. */
async function signIn(name: string): Promise<string> {
  const started = await beginSignIn(program.panelUrl, name)
  const done = await fetch(`${program.panelUrl}/api/auth/discord`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: started.cookie },
    body: JSON.stringify({ code: started.code, state: started.state }),
  })
  const session = done.headers.getSetCookie().find((text) => text.startsWith('muster_session='))
  return session?.split(';', 1)[0] ?? ''
}

/** Memory of the program and its decoder in megabytes, without the database. Counts the files that both have loaded once. Linux only. */
function memoryOf(program: number): number {
  try {
    // Finding it reads every process of the machine.
    if (decoder === undefined || !isRunning(decoder))
      decoder = childrenOf(program).find((pid) => commandLineOf(pid).some((argument) => argument.includes('decode.worker')))
    const all = [program, ...(decoder === undefined ? [] : [decoder])].map(residentMemoryOf)
    return (all.reduce((sum, one) => sum + one.private, 0) + Math.max(...all.map(({ files }) => files))) / 1024
  } catch {
    // A process ended between the two reads.
    return 0
  }
}

/** Resident kilobytes: of its own, and of files such as the node binary. */
function residentMemoryOf(pid: number): { private: number; files: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return { private: kilobytes('RssAnon') + kilobytes('RssShmem'), files: kilobytes('RssFile') }
}

async function send(sample: Sample, session = cookie): Promise<Response> {
  const form = new FormData()
  form.append('purpose', sample.purpose ?? 'SERVER_ICON')
  form.append('file', new Blob([new Uint8Array(sample.bytes)], { type: sample.mime ?? 'image/png' }), sample.filename ?? 'picture.png')
  return fetch(`${program.panelUrl}/api/users/images`, { method: 'POST', body: form, headers: { cookie: session } })
}

describe('each file is rejected with a reason or becomes a correct image', () => {
  test.each(samples.map((sample) => [sample.name, sample] as const))('%s', async (name, sample) => {
    current = name
    const response = await send(sample)
    const reply = (await response.json()) as { data: { url: string; width: number; height: number; bytes: number }; errors: string[] }
    if (sample.rejected !== undefined) {
      expect(response.status, JSON.stringify(reply)).toBe(400)
      expect(reply.errors).toHaveLength(1)
      expect(reply.errors[0]).toMatch(sample.rejected)
      return
    }
    expect(response.status, JSON.stringify(reply)).toBe(200)
    const { width, height } = PURPOSES[sample.purpose ?? 'SERVER_ICON']
    const served = await fetch(`${program.listUrl}${new URL(reply.data.url).pathname}`)
    const bytes = Buffer.from(await served.arrayBuffer())
    expect(bytes).toHaveLength(reply.data.bytes)
    expect(served.headers.get('content-type')).toBe(`image/${sample.type}`)
    expect(bytes.includes('<script')).toBe(false)
    const metadata = await sharp(bytes).metadata()
    expect(metadata).toMatchObject({ format: sample.type, width, height, space: 'srgb', depth: 'uchar' })
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.iptc, metadata.orientation, metadata.pages]).toEqual(
      Array.from({ length: 6 }),
    )
    await expectColors(bytes, sample)
  })
})

async function expectColors(bytes: Buffer, { shows = {} }: Sample): Promise<void> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = ([x, y]: readonly [number, number]): Rgb => {
    const from = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    return [data[from] ?? -1, data[from + 1] ?? -1, data[from + 2] ?? -1]
  }
  const places = { topLeft: [0.2, 0.2], topRight: [0.8, 0.2], bottomLeft: [0.2, 0.8], bottomRight: [0.8, 0.8], middle: [0.5, 0.5] } as const
  for (const [place, colour] of Object.entries(shows)) {
    const actual = at(places[place as keyof typeof places])
    const distance = Math.max(...actual.map((value, index) => Math.abs(value - (colour[index] ?? 0))))
    expect(distance, `${place} is ${String(actual)} and should be ${String(colour)}`).toBeLessThan(30)
  }
}

test('there are at least 60 files', () => {
  expect(samples.length).toBeGreaterThanOrEqual(60)
})

test('accepts ten of the largest images at once from two users', { timeout: 240_000 }, async () => {
  current = 'ten at once'
  const noise = await sharp(randomBytes(1650 * 1650 * 3), { raw: { width: 1650, height: 1650, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const wide = samples.find(({ name }) => name === '40 megapixels as a JPEG')?.bytes ?? noise
  const cookies = [cookie, await signIn('sculptor')]
  const statuses = await Promise.all(
    cookies.flatMap((session) =>
      Array.from({ length: 5 }, async (_, index) => {
        const purpose = index === 0 ? 'JOIN_BACKGROUND' : 'SERVER_ICON'
        const response = await send({ name: '', bytes: index % 4 === 1 ? wide : noise, purpose }, session)
        await response.arrayBuffer()
        return response.status
      }),
    ),
  )
  expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
})

test.skipIf(process.platform !== 'linux')(`program and decoder together stay below ${MAX_MEGABYTES} MB`, () => {
  expect(peak.megabytes, peak.during).toBeGreaterThan(0)
  expect(peak.megabytes, peak.during).toBeLessThan(MAX_MEGABYTES)
})

test('the program is ready and has logged no warning', async () => {
  expect((await fetch(`${program.panelUrl}/readyz`)).status).toBe(200)
  expect(program.output()).not.toMatch(/"level":(?:40|50|60)/)
})
