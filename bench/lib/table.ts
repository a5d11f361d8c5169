/** Aligned columns for people, and the verdict beside each figure. */
import type { Outcome } from './duel.ts'

export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('   ')
        .trimEnd(),
    )
}

const micro = (value: number) => `${value.toFixed(1)} µs`
const milli = (value: number) => `${value.toFixed(1)} ms`
const statusesOf = (statuses: Readonly<Record<string, number>>) => Object.keys(statuses).join(' ')

export function printOutcomes(outcomes: readonly Outcome[]): void {
  printTable([
    ['', 'CPU ours', 'CPU bare', 'ratio', 'aim', '', 'rate ours', 'rate bare', 'p99 ours', 'p99 bare', 'statuses', 'generator'],
    ...outcomes.map(({ name, ours, bare, ratio, aim }) => [
      name,
      micro(ours.cpuMicroseconds),
      micro(bare.cpuMicroseconds),
      `${ratio.toFixed(2)} x`,
      `<= ${aim}`,
      ratio <= aim ? 'met' : 'MISSED',
      `${Math.round(ours.perSecond)}/s`,
      `${Math.round(bare.perSecond)}/s`,
      milli(ours.p99),
      milli(bare.p99),
      statusesOf(ours.statuses),
      `${Math.round(ours.generatorPercent)} %`,
    ]),
  ])
}
