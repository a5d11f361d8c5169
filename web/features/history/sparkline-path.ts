/** The line and the area of a graph as small as a line of text, as SVG paths. */

/** Each number is one unit wide. */
export const SPARKLINE_HEIGHT = 16
/** Room for half of the line's width at the top and at the bottom. */
const EDGE = 1

const short = (value: number) => String(Math.round(value * 100) / 100)

/** Scaled to the highest number; null where there is none. A gap is a gap, and a single number between two gaps has its full width. */
export function sparklineOf(values: readonly (number | null)[]) {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return null
  const most = Math.max(...known)
  const heightOf = (value: number) => short(SPARKLINE_HEIGHT - EDGE - (value / Math.max(1, most)) * (SPARKLINE_HEIGHT - 2 * EDGE))
  let line = ''
  let area = ''
  for (let begin = 0; begin < values.length; begin += 1) {
    if (values[begin] === null) continue
    let end = begin
    let middle = ''
    for (let value = values[end]; value !== null && value !== undefined; value = values[end]) {
      middle += `L${end + 0.5} ${heightOf(value)}`
      end += 1
    }
    // From the beginning of the first step to the end of the last one.
    const run = `${begin} ${heightOf(values[begin] ?? 0)}${middle}L${end} ${heightOf(values[end - 1] ?? 0)}`
    line += `M${run}`
    area += `M${begin} ${SPARKLINE_HEIGHT}L${run}V${SPARKLINE_HEIGHT}Z`
    begin = end
  }
  return { line, area, most }
}
