/** A change to look for: a reserved server announces a new player count. */
import type { ListedServer } from '#contract/masterlist.ts'
import { type SeededServer, announceBody } from './fleet.ts'
import type { Muster } from './muster.ts'
import { read } from './read.ts'
import { RESERVED_SERVERS } from './reserved-servers.ts'

const MAX_PLAYERS = 20

export interface Probe {
  readonly publicId: string
  /** The new player count, which differs from the current one. */
  readonly players: number
  /** Sends the announce, and throws if it is rejected. */
  readonly send: () => Promise<void>
}

export const probedServer = ({ fleet }: Pick<Muster, 'fleet'>, number: number): SeededServer =>
  fleet[number % RESERVED_SERVERS] as SeededServer

/** Reads the current player count and prepares the announce of another one. */
export async function prepareProbe(muster: Muster, number: number): Promise<Probe> {
  const { credential, publicId, profile } = probedServer(muster, number)
  const { playersCount } = JSON.parse((await read(muster.port, `/servers/${publicId}`)).body.toString()) as ListedServer
  const players = 1 + (playersCount % MAX_PLAYERS)
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  const send = async () => {
    const { status } = await read(muster.port, '/announce', headers, { body: announceBody(profile, players) })
    if (status !== 200) throw new Error(`An announce returned ${status}.`)
  }
  return { publicId, players, send }
}
