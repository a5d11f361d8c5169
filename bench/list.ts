/** CPU per list read, compared with a bare node:http server that sends the same bytes; quiet and while all servers announce. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawResponse, getRequest, read } from './lib/read.ts'
import { interleave } from './lib/rounds.ts'
import { cpuColumns, kilo, printTable, size, times } from './lib/table.ts'
import { ANNOUNCE_SECONDS, type Pair, type Run } from './lib/test-bed.ts'

const CONNECTIONS = 8
const UNCHANGED_CONNECTIONS = 32
const ANNOUNCE_CONNECTIONS = 16
const MAX_RATIO = 1.3
/** Fits exactly two builds of a small list, which is built every 0.75 s. */
const ANNOUNCE_TURN_FACTOR = 1.5

interface Kind {
  readonly name: string
  readonly encoding: 'identity' | 'gzip' | 'br'
  readonly isUnchanged?: boolean
  /** Announces change the list all the time, so there is no 304. */
  readonly hasAnnounces?: boolean
}

const KINDS: readonly Kind[] = [
  { name: 'identity', encoding: 'identity' },
  { name: 'gzip', encoding: 'gzip' },
  { name: 'br', encoding: 'br' },
  { name: '304', encoding: 'gzip', isUnchanged: true },
  { name: 'gzip, with announces', encoding: 'gzip', hasAnnounces: true },
  { name: 'br, with announces', encoding: 'br', hasAnnounces: true },
]

export async function run(options: Run): Promise<void> {
  for (const servers of options.sizes) {
    const pair = await options.testBed.warmPair(servers, options.milliseconds)
    const rows = []
    for (const kind of KINDS) rows.push(await measure(options, pair, kind))
    console.log(
      `LIST of ${servers} servers: closed loop, ${CONNECTIONS} connections (304: ${UNCHANGED_CONNECTIONS}). With announces: ${Math.round(servers / ANNOUNCE_SECONDS)} a second, whose CPU counts on both sides.`,
    )
    printTable(rows)
  }
}

/** Waits until the list stops changing, so that both sides send the same bytes. */
async function settledResponse(port: number, headers: Readonly<Record<string, string>>): Promise<RawResponse> {
  let previous = await read(port, '/servers', headers)
  for (let tries = 0; tries < 40; tries += 1) {
    await sleep(600)
    const current = await read(port, '/servers', headers)
    if (current.headers.etag === previous.headers.etag) break
    previous = current
  }
  return previous
}

async function measure({ testBed, rounds, milliseconds, figures }: Run, { ours, bare, servers, announces }: Pair, kind: Kind) {
  const { name, isUnchanged = false, hasAnnounces = false } = kind
  const headers = { 'Accept-Encoding': kind.encoding }
  const response = hasAnnounces ? await read(ours.port, '/servers', headers) : await settledResponse(ours.port, headers)
  await bare.serve(response, testBed.file(response.body))
  const condition = isUnchanged ? { 'If-None-Match': response.headers.etag ?? '' } : {}
  const reads = {
    connections: isUnchanged ? UNCHANGED_CONNECTIONS : CONNECTIONS,
    rate: 0,
    requests: testBed.file(JSON.stringify([getRequest('/servers', { ...headers, ...condition })])),
    expected: isUnchanged ? '304' : '200',
  }
  const background = hasAnnounces ? [announces(ANNOUNCE_CONNECTIONS, servers / ANNOUNCE_SECONDS)] : []
  const turns = [ours, bare].map((target) => async () => {
    // Warm up: during the other turn, nothing was built and the memory became cold.
    await testBed.load.run(target, milliseconds / 2, reads, ...background)
    return testBed.load.run(target, milliseconds * (hasAnnounces ? ANNOUNCE_TURN_FACTOR : 1), reads, ...background)
  })
  const result = await interleave(rounds, turns)
  const figure = `list ${name}, ${size(servers)}: CPU / bare node:http`
  const verdictOf = (ratio: number) => figures.atMost(figure, ratio, MAX_RATIO, times)
  return { list: name, bytes: kilo(isUnchanged ? 0 : response.body.length), ...cpuColumns(result, [0, 1], verdictOf) }
}
