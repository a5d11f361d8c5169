/** CSV files for spreadsheets (RFC 4180). */

type Cell = string | number | null

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
