/**
 * The networks that game servers are in. In each, players find the server at the right address within a minute, and still do after the
 * change that the network is known for. 11.0.0.0/8 and 2a10::/16 are the lab's internet; 100.64.0.0/10 is the inside of a carrier.
 */
import { type ExpectStatic, beforeAll, describe, test } from 'vitest'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import { closeAfterTest } from '#tests/running.ts'
import type { Announce, Game, Schedule } from './game-server.ts'
import { Lab, type LabProgram, type Namespace, whyNoNamespaces } from './lab.ts'
import { type Identity, type ListInLab, startList } from './list-in-lab.ts'
import type { Zone } from './network-programs.ts'

const LISTS = { ipv4: 'http://11.0.0.1:3001', ipv6: 'http://[2a10::1]:3001' }
const NAME_SERVER = '11.0.0.53'
const ZONE: Zone = {
  'tcp.tunnel.example': ['11.4.0.9'],
  'udp.tunnel.example': ['11.5.0.9'],
  'proxy.example': ['11.6.0.9'],
  'pool.example': ['11.7.0.9'],
  'home.example': ['11.8.0.1'],
}
const PORT = 7788
const WITHIN_A_MINUTE = { timeout: 60_000, interval: 200 }

let lab: Lab
let list: ListInLab
let names: LabProgram

async function startLab(): Promise<void> {
  lab = new Lab()
  closeAfterTest(() => lab.close())
  names = await lab.run(lab.machine('names', NAME_SERVER), 'nameServer', { address: NAME_SERVER })
  names.send(ZONE)
  const machine = lab.machine('list', '11.0.0.1', '2a10::1')
  lab.useNameServer(machine, NAME_SERVER)
  list = await startList(lab, machine)
}

/** Starts a game server that announces from the sources in turns. */
const startGame = (at: Namespace, server: Identity, game: Schedule & Partial<Game>): Promise<LabProgram> =>
  lab.run(at, 'gameServer', { lists: LISTS, port: PORT, ...server, ...game })

const announcesOf = ({ reports }: LabProgram) => reports as readonly Announce[]
const rejectionsOf = (game: LabProgram) => announcesOf(game).filter(({ status }) => status >= 400)
const noticeOf = (game: LabProgram, code: string) =>
  announcesOf(game)
    .at(-1)
    ?.notices.find((notice) => notice.code === code)?.message
const move = (game: LabProgram, ...sources: readonly string[]) => game.send({ sources } satisfies Schedule)

/** The row of a server that is listed under its name, which has this address. */
const rowAt = (host: string, address: string, port = PORT) => ({
  available: true,
  address: `${host}:${port}`,
  addresses: [`${address}:${port}`],
  host,
})

/** What readers of the list see while the game server announces so many times. */
async function rowsDuring(expect: ExpectStatic, server: Identity, game: LabProgram, announces: number): Promise<ListedServer[]> {
  const rows: ListedServer[] = []
  const end = announcesOf(game).length + announces
  const readUntilEnd = async () => {
    rows.push(await list.row(server))
    return announcesOf(game).length
  }
  await expect.poll(readUntilEnd, WITHIN_A_MINUTE).toBeGreaterThanOrEqual(end)
  return rows
}

/** A home that shares its carrier's address, and the public end of its tunnel. */
async function homeBehindCarrier(label: string, carrierAddress: string, tunnelAddress: string) {
  const home = lab.namespace(`${label}-home`)
  const carrier = lab.machine(`${label}-carrier`, carrierAddress)
  const tunnel = lab.machine(`${label}-tunnel`, tunnelAddress)
  lab.link(home, '100.64.0.2/24', carrier, '100.64.0.1/24')
  lab.link(home, '10.0.0.2/24', tunnel, '10.0.0.1/24')
  // Translates the source of the announces, as the carrier does with every connection.
  await lab.run(carrier, 'tcpTunnel', { from: { host: '100.64.0.1', port: 3001 }, to: { host: '11.0.0.1', port: 3001 } })
  return { home, tunnel, source: '100.64.0.2', lists: { ...LISTS, ipv4: 'http://100.64.0.1:3001' } }
}

const skipReason = await whyNoNamespaces()
if (skipReason !== undefined) process.stdout.write(`The topologies are skipped: ${skipReason}.\n`)

// A repeated test would find the machines of its first run.
describe.skipIf(skipReason !== undefined).concurrent('a game server', { retry: 0 }, () => {
  beforeAll(startLab)

  test('with a public address is listed at this address', async ({ expect }) => {
    const server = await list.createServer()
    const game = await startGame(lab.machine('plain', '11.1.0.1'), server, { sources: ['11.1.0.1'] })
    const row = { available: true, address: '11.1.0.1:7788', addresses: ['11.1.0.1:7788'], host: '' }
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject(row)
    expect(rejectionsOf(game)).toEqual([])
  })

  test('that alternates between IPv4 and IPv6 is never rejected, and is listed at both, IPv4 first', async ({ expect }) => {
    const [server, sources] = [await list.createServer(), ['11.2.0.1', '2a10:2::1']]
    const game = await startGame(lab.machine('dual', ...sources), server, { sources })
    const row = { available: true, address: '11.2.0.1:7788', addresses: ['11.2.0.1:7788', '[2a10:2::1]:7788'] }
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject(row)
    for (const each of await rowsDuring(expect, server, game, 4)) expect(each).toMatchObject(row)
    expect(rejectionsOf(game)).toEqual([])
  })

  test('whose IPv6 address changes inside its /64 stays bound, and is listed at the new address', async ({ expect }) => {
    const [server, first, second] = [await list.createServer(), '2a10:3:0:1::a1', '2a10:3:0:1::b2']
    const machine = lab.machine('privacy', first)
    const game = await startGame(machine, server, { sources: [first] })
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject({ available: true, address: `[${first}]:7788` })
    lab.setAddresses(machine, second)
    move(game, second)
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject({ available: true, address: `[${second}]:7788` })
    expect(rejectionsOf(game)).toEqual([])
  })

  test('behind a carrier is listed at its TCP tunnel once the tunnel works, and until then it learns what fails', async ({ expect }) => {
    const { home, tunnel, source, lists } = await homeBehindCarrier('tcp', '11.4.0.1', '11.4.0.9')
    const server = await list.createServer()
    const game = await startGame(home, server, { sources: [source], lists, host: 'tcp.tunnel.example', probe: 'tcp' })
    await expect.poll(() => noticeOf(game, 'ENDPOINT_UNPROVEN'), WITHIN_A_MINUTE).toContain('Nothing is listening there')
    expect(await list.row(server)).toMatchObject({ available: true, address: '11.4.0.1:7788', host: '' })
    await lab.run(tunnel, 'tcpTunnel', { from: { host: '11.4.0.9', port: PORT }, to: { host: '10.0.0.2', port: PORT } })
    const row = rowAt('tcp.tunnel.example', '11.4.0.9')
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject(row)
    await expect.poll(() => noticeOf(game, 'ENDPOINT_UNPROVEN'), WITHIN_A_MINUTE).toBeUndefined()
  })

  test('behind a carrier is listed at its UDP tunnel, whose port is another, and players join there', async ({ expect }) => {
    const { home, tunnel, source, lists } = await homeBehindCarrier('udp', '11.5.0.1', '11.5.0.9')
    const port = 41_877
    await lab.run(tunnel, 'udpTunnel', { from: { address: '11.5.0.9', port }, to: { address: '10.0.0.2', port: PORT } })
    const server = await list.createServer()
    await startGame(home, server, { sources: [source], lists, host: 'udp.tunnel.example', port, localPort: PORT, probe: 'udp' })
    const row = rowAt('udp.tunnel.example', '11.5.0.9', port)
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject(row)
    const machine = lab.machine('player', '11.5.0.77')
    lab.useNameServer(machine, NAME_SERVER)
    const player = await lab.run(machine, 'udpPlayer', { url: `${LISTS.ipv4}/servers/${server.publicId}` })
    await expect.poll(() => player.reports, WITHIN_A_MINUTE).toEqual(['WELCOME'])
  })

  test('behind a proxy that speaks PROXY protocol is listed at the proxy', async ({ expect }) => {
    const [machine, proxy] = [lab.machine('game', '11.6.0.1'), lab.machine('proxy', '11.6.0.9')]
    const forwarding = { from: { host: '11.6.0.9', port: PORT }, to: { host: '11.6.0.1', port: PORT }, sendsProxyHeader: true }
    await lab.run(proxy, 'tcpTunnel', forwarding)
    const server = await list.createServer()
    await startGame(machine, server, { sources: ['11.6.0.1'], host: 'proxy.example', probe: 'tcp', readsProxyHeader: true })
    const row = rowAt('proxy.example', '11.6.0.9')
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject(row)
  })

  test('whose provider changes its address needs the policy "follow", and is then always listed under its name', async ({ expect }) => {
    const [server, first, second, third] = [await list.createServer(), '11.7.0.1', '11.7.0.2', '11.7.0.3']
    const machine = lab.machine('pool', first, second, third, '11.7.0.9')
    const game = await startGame(machine, server, { sources: [first], host: 'pool.example', probe: 'tcp' })
    const row = rowAt('pool.example', '11.7.0.9')
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject(row)
    move(game, second)
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject({ available: false })
    expect(announcesOf(game).at(-1)).toMatchObject({ source: second, status: 409 })
    await list.followAddress(server)
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject(row)
    move(game, second, third)
    for (const each of await rowsDuring(expect, server, game, 6)) expect(each).toMatchObject(row)
  })

  test('whose address changes, and its name with it, is listed under its name at the new address', async ({ expect }) => {
    const [server, first, second] = [await list.createServer(), '11.8.0.1', '11.8.0.2']
    await list.followAddress(server)
    const machine = lab.machine('dynamic', first)
    const game = await startGame(machine, server, { sources: [first], host: 'home.example', probe: 'tcp' })
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject(rowAt('home.example', first))
    lab.setAddresses(machine, second)
    names.send({ ...ZONE, 'home.example': [second] } satisfies Zone)
    move(game, second)
    await expect.poll(() => list.row(server), WITHIN_A_MINUTE).toMatchObject(rowAt('home.example', second))
  })
})
