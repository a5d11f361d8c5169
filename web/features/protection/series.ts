/** The points of a graph, worked out without drawing anything. */
import type { SeriesPoint } from '#contract/protection.ts'

/** The box that the lines are drawn in; it is stretched to the room there is. */
export const BOX = { width: 600, height: 120 } as const

const round = (value: number) => Math.round(value * 10) / 10

/** SVG paths and their numbers; undefined for fewer than two points. */
export function drawSeries(series: readonly SeriesPoint[]) {
  const [first, last] = [series[0], series.at(-1)]
  if (!first || !last || series.length < 2) return undefined
  const begin = Date.parse(first.at)
  const span = Math.max(1, Date.parse(last.at) - begin)
  const [players, slots] = [series.map((point) => point.players), series.map((point) => point.slots)]
  const [most, mostSlots] = [Math.max(...players), Math.max(...slots)]
  // Some air, so that a line at the top is seen whole.
  const top = Math.max(1, most, mostSlots) * 1.08
  const x = ({ at }: SeriesPoint) => round(((Date.parse(at) - begin) / span) * BOX.width)
  const y = (value: number) => round(BOX.height - (value / top) * BOX.height)
  const line = series.map((point) => `${x(point)} ${y(point.players)}`).join('L')
  // Slots hold until they change.
  const steps = series.map((point, at) => (at === 0 ? `${x(point)} ${y(point.slots)}` : `H${x(point)}V${y(point.slots)}`)).join('')
  return {
    players: `M${line}`,
    area: `M${line}L${BOX.width} ${BOX.height}L0 ${BOX.height}Z`,
    slots: `M${steps}`,
    above: `M${steps}V0H0Z`,
    top,
    most,
    least: Math.min(...players),
    mostSlots,
    leastSlots: Math.min(...slots),
    /** At how many points more players than slots were announced. */
    over: series.filter((point) => point.players > point.slots).length,
  }
}

export function rangeText(least: number, most: number): string {
  return least === most ? most.toLocaleString('en') : `${least.toLocaleString('en')} to ${most.toLocaleString('en')}`
}
