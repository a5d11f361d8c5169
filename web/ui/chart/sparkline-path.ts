/** The SVG paths of a sparkline. */

/** In view box units, where each value is one unit wide. */
export const SPARKLINE_HEIGHT = 16
/** Padding for half the stroke width. */
const PADDING = 1

/** Where a share of the scale is, from the top: 0 to 1 of the height. */
export function heightAt(value: number): number {
  return (SPARKLINE_HEIGHT - PADDING - value * (SPARKLINE_HEIGHT - 2 * PADDING)) / SPARKLINE_HEIGHT
}

export type SparklinePaths = NonNullable<ReturnType<typeof sparklineOf>>

const round = (value: number) => String(Math.round(value * 100) / 100)

/** Null with fewer than two values, which make no line. A null value is a gap. @param top of the scale; the highest value by default */
export function sparklineOf(values: readonly (number | null)[], top?: number) {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return null
  const max = Math.max(...known)
  const yOf = (value: number) => round(heightAt(value / Math.max(1, top ?? max)) * SPARKLINE_HEIGHT)
  // With a scale, the area ends at its zero.
  const bottom = top === undefined ? SPARKLINE_HEIGHT : yOf(0)
  let line = ''
  let area = ''
  for (let start = 0; start < values.length; start += 1) {
    if (values[start] === null) continue
    let end = start
    let points = ''
    for (let value = values[end]; value !== null && value !== undefined; value = values[end]) {
      points += `L${end + 0.5} ${yOf(value)}`
      end += 1
    }
    // From the start of the first step to the end of the last.
    const segment = `${start} ${yOf(values[start] ?? 0)}${points}L${end} ${yOf(values[end - 1] ?? 0)}`
    line += `M${segment}`
    area += `M${start} ${bottom}L${segment}V${bottom}Z`
    start = end
  }
  return { line, area, max, width: values.length }
}
