import { percent, valueText } from './chart-scale.ts'
import { heightAt } from './sparkline-path.ts'

/** Lines at round values, and their numbers at the left. In an SVG that is as large as the curve. */
export function ValueAxis({ ticks }: { ticks: readonly number[] }) {
  return ticks.map((value) => {
    const y = percent(heightAt(value / (ticks.at(-1) ?? 1)))
    return (
      <g key={value}>
        <line x1="0" x2="100%" y1={y} y2={y} className="stroke-line" />
        <text x="-8" y={y} dy="4" textAnchor="end" className="fill-ink-3 text-12 tabular-nums">
          {valueText(value)}
        </text>
      </g>
    )
  })
}
