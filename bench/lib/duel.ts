/** Ours and the bare server, turn by turn in the same minutes, and what one costs of the other. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pin } from './cpu.ts'
import type { BareOrder } from './bare.ts'
import type { Order } from './generator.ts'
import { type Cost, Load } from './load.ts'

const SERVER_CORE = 0

export interface Duel {
  readonly name: string
  readonly ours: Omit<Order, 'port'>
  readonly bare: Omit<Order, 'port'>
  /** Ours may cost at most this many times the bare one's CPU. */
  readonly aim: number
}

export interface Outcome {
  readonly name: string
  readonly aim: number
  readonly ours: Cost
  readonly bare: Cost
  readonly ratio: number
}

export async function startBare(order: BareOrder): Promise<{ child: ChildProcess; pid: number; port: number }> {
  const child = fork(join(import.meta.dirname, 'bare.ts'))
  child.send(order)
  const [port] = (await once(child, 'message')) as [number]
  pin(child.pid ?? 0, SERVER_CORE)
  return { child, pid: child.pid ?? 0, port }
}

interface Side {
  readonly pid: number
  readonly port: number
}

/** Warms both up, then takes turns. The medians count. */
export async function fight(duels: readonly Duel[], ours: Side, bare: Side, rounds: number, milliseconds: number): Promise<Outcome[]> {
  pin(ours.pid, SERVER_CORE)
  const load = new Load()
  const outcomes: Outcome[] = []
  try {
    for (const duel of duels) {
      const turns: { ours: Cost; bare: Cost }[] = []
      await load.run(ours.pid, { ...duel.ours, port: ours.port, milliseconds: 1500 })
      await load.run(bare.pid, { ...duel.bare, port: bare.port, milliseconds: 1500 })
      for (let round = 0; round < rounds; round += 1) {
        const ourTurn = await load.run(ours.pid, { ...duel.ours, port: ours.port, milliseconds })
        turns.push({ ours: ourTurn, bare: await load.run(bare.pid, { ...duel.bare, port: bare.port, milliseconds }) })
      }
      outcomes.push({
        name: duel.name,
        aim: duel.aim,
        ours: median(turns.map((turn) => turn.ours)),
        bare: median(turns.map((turn) => turn.bare)),
        ratio: middle(turns.map((turn) => turn.ours.cpuMicroseconds / turn.bare.cpuMicroseconds)),
      })
    }
  } finally {
    load.stop()
  }
  return outcomes
}

function median(costs: readonly Cost[]): Cost {
  return costs.toSorted((a, b) => a.cpuMicroseconds - b.cpuMicroseconds)[Math.floor(costs.length / 2)] as Cost
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
