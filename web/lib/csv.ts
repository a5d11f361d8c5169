/** CSV files for spreadsheets (RFC 4180). */
import { localDay } from './time.ts'

export type Cell = string | number | null

/** Spreadsheets treat a cell that starts like this as a formula. */
const FORMULA_START = /^[=+\-@\t\r]/

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = FORMULA_START.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Without it, Excel on Windows reads the file in an old code page. */
const BYTE_ORDER_MARK = '\uFEFF'

export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + [header, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

/** Column names are stable, in English and for programs. @param nameOf gets the date in the user's time zone */
export function downloadCsv<R>(
  rows: readonly R[],
  columns: Readonly<Record<string, (row: R) => Cell>>,
  nameOf: (day: { day: string }) => string,
): void {
  const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)))
  saveFile(toCsv(Object.keys(columns), cells), nameOf({ day: localDay(Date.now()) }), 'text/csv')
}

/** Hands the text to the browser as a download. */
export function saveFile(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
