/** Aligned columns for people, and the verdict beside each figure. */

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
/** `1000` as `1k`: the sizes head columns. */
export const size = (servers: number) => (servers % 1000 === 0 ? `${servers / 1000}k` : String(servers))

/** Answers by status where they were not all 200 or 304: what was refused says little about cost. */
export function statusesOf(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .map(([status, count]) => (Object.keys(statuses).length === 1 ? status : `${count} x ${status}`))
    .join(' ')
}

interface Figure {
  readonly name: string
  readonly reached: string
  readonly aim: string
  readonly isMet: boolean
}

/** The figures that were promised, as they are measured; the whole list of them ends the run. */
export class Figures {
  readonly #figures: Figure[] = []

  /** Notes one and answers the verdict for its row: at most `aim` is met. Where there is no value, it was not answered. */
  atMost(name: string, value: number | undefined, aim: number, show: (value: number) => string): string {
    return this.#note(name, value, `<= ${show(aim)}`, value !== undefined && value <= aim, show)
  }

  /** The same where at least `aim` is met. */
  atLeast(name: string, value: number | undefined, aim: number, show: (value: number) => string): string {
    return this.#note(name, value, `>= ${show(aim)}`, value !== undefined && value >= aim, show)
  }

  #note(name: string, value: number | undefined, aim: string, isMet: boolean, show: (value: number) => string): string {
    this.#figures.push({ name, reached: value === undefined ? 'not answered' : show(value), aim, isMet })
    return isMet ? 'met' : 'MISSED'
  }

  print(): void {
    if (this.#figures.length === 0) return
    console.log('FIGURES TO REACH')
    printTable([
      ['', 'reached', 'aim', ''],
      ...this.#figures.map(({ name, reached, aim, isMet }) => [name, reached, aim, isMet ? 'met' : 'MISSED']),
    ])
  }
}
