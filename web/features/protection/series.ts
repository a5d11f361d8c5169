/** The paths of an issue's graph. */
import type { SeriesPoint } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'

/** The SVG's view box, which is stretched to the available space. */
export const BOX = { width: 600, height: 120 } as const

const round = (value: number) => Math.round(value * 10) / 10

/** Undefined for fewer than two points. */
export function drawSeries(series: readonly SeriesPoint[]) {
  const [first, last] = [series[0], series.at(-1)]
  if (!first || !last || series.length < 2) return undefined
  const begin = Date.parse(first.at)
  const span = Math.max(1, Date.parse(last.at) - begin)
  const [players, slots] = [series.map((point) => point.players), series.map((point) => point.slots)]
  const [maxPlayers, maxSlots] = [Math.max(...players), Math.max(...slots)]
  // Leaves space for the width of a line at the top.
  const top = Math.max(1, maxPlayers, maxSlots) * 1.08
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
    maxPlayers,
    minPlayers: Math.min(...players),
    maxSlots,
    minSlots: Math.min(...slots),
    /** The number of points with more players than slots. */
    over: series.filter((point) => point.players > point.slots).length,
  }
}

export function rangeText(min: number, max: number): string {
  return min === max ? formatNumber(max) : m.protection_graph_range({ min: formatNumber(min), max: formatNumber(max) })
}
