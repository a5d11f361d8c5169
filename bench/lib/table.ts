/** Prints aligned tables, and compares figures with their targets. */
import type { Rounds } from './rounds.ts'

/** Cells by the names of their columns. */
type Row = Readonly<Record<string, string>>

/** The first row names the columns. */
export function printTable(rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  for (const [first = '', ...cells] of lines)
    console.log([first.padEnd(widths[0] ?? 0), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))].join('   ').trimEnd())
}

export const micro = (value: number) => `${value.toFixed(1)} µs`
export const milli = (value: number) => `${value.toFixed(1)} ms`
export const times = (value: number) => `${value.toFixed(2)} x`
export const percent = (value: number) => `${value.toFixed(1)} %`
export const kilo = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
/** `1000` as `1k`. */
export const size = (servers: number) => (servers % 1000 === 0 ? `${servers / 1000}k` : String(servers))

/** The columns of two sides whose CPU is compared. */
export function cpuColumns(result: Rounds, [ours, bare]: readonly [number, number], verdictOf: (ratio: number) => string): Row {
  const cpu = (side: number) => micro(result.of(side, (cost) => cost.cpuMicroseconds))
  const rate = (side: number) => `${Math.round(result.of(side, (cost) => cost.perSecond))}/s`
  const ratio = result.ratio(ours, bare, (cost) => cost.cpuMicroseconds)
  return {
    'CPU ours': cpu(ours),
    'CPU bare': cpu(bare),
    ratio: times(ratio),
    target: verdictOf(ratio),
    'rate ours': rate(ours),
    'rate bare': rate(bare),
    ...p99Columns(result, [ours, bare]),
  }
}

export function p99Columns(result: Rounds, [ours, bare]: readonly [number, number]): Row {
  const p99 = (side: number) => milli(result.of(side, (cost) => cost.p99))
  return {
    'p99 ours': p99(ours),
    'p99 bare': p99(bare),
    statuses: result.statuses(ours),
    Postgres: percent(result.of(ours, (cost) => cost.databasePercent)),
    others: percent(result.othersPercent),
  }
}

/** Collects the figures that have a target, and prints them at the end of the run. */
export class Figures {
  readonly #rows: Row[] = []

  /** Records a figure that must not exceed its target, and returns the verdict. */
  atMost(name: string, value: number, target: number, show: (value: number) => string): string {
    const verdict = value <= target ? 'met' : 'MISSED'
    this.#rows.push({ TARGETS: name, target: `<= ${show(target)}`, result: show(value), '': verdict })
    return verdict
  }

  print(): void {
    if (this.#rows.length > 0) printTable(this.#rows)
  }
}
