import uPlot from 'uplot'
import type { ChartData, ChartLine } from './chart-data.ts'
import { timeZone } from '#web/lib/time.ts'
import { valueTicks, valueText, isInDays, isolatedPoints, dayTicks, timeText } from './chart-scale.ts'

export const CHART_HEIGHT = 224

/** Steps at least this wide get a dot each. */
const DOT_SPACE_PX = 24
const BAND_LINE_PX = 3

type Colours = Record<'accent' | 'danger' | 'line' | 'surface' | 'text2' | 'text3', string>

/** In CSS pixels: dash and gap of the line of another period. */
const COMPARE_DASH = [5, 4]

/** A canvas can't use CSS variables. */
export function themeColours(element: Element): Colours & { font: string } {
  const style = getComputedStyle(element)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return {
    accent: of('--accent'),
    danger: of('--danger'),
    line: of('--line'),
    surface: of('--surface-1'),
    text2: of('--text-2'),
    text3: of('--text-3'),
    font: `12px ${style.fontFamily}`,
  }
}

const faint = (colour: string, share: number) => `color-mix(in srgb, ${colour} ${share}%, transparent)`

const colourOf = (type: ChartLine['type'] | undefined, { accent, text2, text3 }: Colours) =>
  type === 'area' ? accent : type === 'compare' ? text3 : text2

function seriesFor({ type, values }: ChartLine, colours: Colours): uPlot.Series {
  const isArea = type === 'area'
  const colour = colourOf(type, colours)
  const isolated = isolatedPoints(values)
  return {
    stroke: colour,
    width: isArea ? 1.75 : type === 'compare' ? 1.5 : 1,
    ...(type === 'compare' && { dash: COMPARE_DASH }),
    ...(isArea && { fill: faint(colours.accent, 17) }),
    points: {
      size: isArea ? 5 : 4,
      width: 0,
      fill: colour,
      show: (plot) => plot.bbox.width / uPlot.pxRatio / Math.max(1, values.length - 1) >= DOT_SPACE_PX,
      filter: (_plot, _series, shown) => (shown ? null : isolated),
    },
  }
}

/** Draws a faint band over the full height, with a solid line at the bottom. */
function drawBands(plot: uPlot, { times, stepSeconds, bands }: ChartData, { danger }: Colours): void {
  const { ctx, bbox } = plot
  const end = (times.at(-1) ?? 0) + stepSeconds * 1000
  const xOf = (index: number) => {
    const x = plot.valToPos(times[index] ?? end, 'x', true)
    return Math.min(bbox.left + bbox.width, Math.max(bbox.left, x))
  }
  const fill = (colour: string, top: number, height: number) => {
    ctx.beginPath()
    for (const [index, isBand] of bands?.steps.entries() ?? [])
      if (isBand) ctx.rect(xOf(index), top, Math.max(1, xOf(index + 1) - xOf(index)), height)
    ctx.fillStyle = colour
    ctx.fill()
  }
  const lineHeight = BAND_LINE_PX * uPlot.pxRatio
  fill(faint(danger, 11), bbox.top, bbox.height)
  fill(danger, bbox.top + bbox.height - lineHeight, lineHeight)
}

/** Half the width of a label, which is centred below its tick. */
const LABEL_HALF_PX = 28
const EDGE_PX = 12

function isCutOff(plot: uPlot, at: number): boolean {
  const position = plot.valToPos(at, 'x')
  const [left, width] = [plot.bbox.left / uPlot.pxRatio, plot.bbox.width / uPlot.pxRatio]
  return left + position < LABEL_HALF_PX || width - position < LABEL_HALF_PX - EDGE_PX
}

const DISABLED_EVENTS = ['mousedown', 'mouseup', 'click', 'dblclick', 'mousemove', 'mouseleave', 'mouseenter']

/** Disables uPlot's mouse handling: the caller moves the cursor. */
export function optionsFor(data: ChartData, width: number, colours: Colours & { font: string }): uPlot.Options {
  const { times, stepSeconds, lines } = data
  const max = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const ticks = valueTicks(max)
  const maxLength = Math.max(...ticks.map((tick) => valueText(tick).length))
  const { text3, line, surface, font } = colours
  const axis = { stroke: text3, font, ticks: { show: false } }
  const [first = 0, last = first] = [times[0], times.at(-1)]
  const inDays = isInDays(stepSeconds)
  return {
    width,
    height: CHART_HEIGHT,
    ms: 1,
    tzDate: (at) => uPlot.tzDate(new Date(at), timeZone()),
    legend: { show: false },
    padding: [8, EDGE_PX, 0, 0],
    cursor: {
      y: false,
      drag: { setScale: false, x: false, y: false },
      points: { size: 7, width: 2, fill: surface, stroke: (_plot, index) => colourOf(lines[index - 1]?.type, colours) },
      bind: Object.fromEntries(DISABLED_EVENTS.map((event) => [event, () => null])),
    },
    scales: {
      x: { time: true, range: () => [first, Math.max(last, first + stepSeconds * 1000)] },
      y: { range: () => [0, ticks.at(-1) ?? 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        // Whole days are in UTC, and other times in the user's time zone.
        ...(inDays && { splits: (_plot, _axis, from, to, increment) => dayTicks(from, to, increment / 1000) }),
        size: 28,
        gap: 8,
        values: (plot, splits, _axis, _space, increment) =>
          splits.map((at) => (isCutOff(plot, at) ? '' : timeText(at, increment / 1000, inDays))),
      },
      {
        ...axis,
        grid: { stroke: line, width: 1 },
        gap: 8,
        size: 12 + maxLength * 7,
        splits: () => ticks,
        values: (_plot, splits) => splits.map(valueText),
      },
    ],
    series: [{}, ...lines.map((each) => seriesFor(each, colours))],
    hooks: { drawAxes: [(plot) => drawBands(plot, data, colours)] },
  }
}
