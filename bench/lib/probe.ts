/** A change that is looked for: one of the reserved servers says another number of players. */
import type { ListedServer } from '#contract/masterlist.ts'
import { type Seeded, announceBody } from './fleet.ts'
import type { Muster } from './muster.ts'
import { read } from './read.ts'
import { RESERVED } from './reserved.ts'

const MAX_PLAYERS = 20

export interface Probe {
  readonly publicId: string
  /** What it will say; never what it said before. */
  readonly players: number
  /** Throws where that is refused. */
  readonly say: () => Promise<void>
}

export const probedServer = ({ fleet }: Pick<Muster, 'fleet'>, number: number): Seeded => fleet[number % RESERVED] as Seeded

/** Looks what it says now. */
export async function prepareProbe(muster: Muster, number: number): Promise<Probe> {
  const { credential, publicId, profile } = probedServer(muster, number)
  const { playersCount } = JSON.parse((await read(muster.port, `/servers/${publicId}`)).body.toString()) as ListedServer
  const players = 1 + (playersCount % MAX_PLAYERS)
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  const say = async () => {
    const { status } = await read(muster.port, '/announce', headers, { body: announceBody(profile, players) })
    if (status !== 200) throw new Error(`An announce was answered with ${status}.`)
  }
  return { publicId, players, say }
}
