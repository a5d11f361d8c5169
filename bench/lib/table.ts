/** Prints aligned tables, and compares figures with their targets. */

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

export const micro = (value: number) => `${value.toFixed(1)} µs`
export const milli = (value: number) => `${value.toFixed(1)} ms`
export const times = (value: number) => `${value.toFixed(2)} x`
export const percent = (value: number) => `${value.toFixed(1)} %`
export const kilo = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
export const mega = (kilobytes: number) => `${(kilobytes / 1024).toFixed(1)} MB`
export const rate = (value: number) => `${Math.round(value)}/s`
/** `1000` as `1k`, for table headers. */
export const size = (servers: number) => (servers % 1000 === 0 ? `${servers / 1000}k` : String(servers))

/** Response counts by status; one status alone is printed without its count. */
export function statusesOf(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .map(([status, count]) => (Object.keys(statuses).length === 1 ? status : `${count} x ${status}`))
    .join(' ')
}

interface Figure {
  readonly name: string
  readonly result: string
  readonly target: string
  readonly isMet: boolean
}

/** Collects the figures that have a target, and prints them at the end of the run. */
export class Figures {
  readonly #figures: Figure[] = []

  /** Records a figure that must not exceed its target, and returns the verdict. */
  atMost(name: string, value: number, target: number, show: (value: number) => string): string {
    const isMet = value <= target
    this.#figures.push({ name, result: show(value), target: `<= ${show(target)}`, isMet })
    return isMet ? 'met' : 'MISSED'
  }

  print(): void {
    if (this.#figures.length === 0) return
    console.log('TARGETS')
    printTable([
      ['', 'target', 'result', ''],
      ...this.#figures.map(({ name, result, target, isMet }) => [name, target, result, isMet ? 'met' : 'MISSED']),
    ])
  }
}
