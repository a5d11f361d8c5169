/** Which bus a program gets: alone on a database that it holds itself, or with whoever else is on a shared one. */
import { randomUUID } from 'node:crypto'
import type { ClientConfig } from 'pg'
import type { Deps } from '#backend/platform/deps.ts'
import { type Bus, aloneBus } from './bus.ts'
import { PostgresBus } from './postgres-bus.ts'

/**
 * @param shared how to reach the database that other nodes may be on; undefined where there can be none.
 * @param node names this life of this program among them.
 */
export function createBus(deps: Pick<Deps, 'clock' | 'log'>, shared: ClientConfig | undefined, node: string = randomUUID()): Bus {
  return shared === undefined ? aloneBus(node) : new PostgresBus(node, deps, shared)
}
