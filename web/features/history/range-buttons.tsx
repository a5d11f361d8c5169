import type { HistoryRange } from '#contract/history.ts'
import { cx } from '#web/ui/class-names.ts'
import { RANGES } from './ranges.ts'

/** How far back the graph looks. */
export function RangeButtons({ range, onChoose }: { range: HistoryRange; onChoose: (range: HistoryRange) => void }) {
  return (
    <div role="group" aria-label="How far back" className="flex gap-0.5 rounded-6 border border-line bg-surface-0 p-0.5">
      {RANGES.map(({ key, label }) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === range}
          onClick={() => onChoose(key)}
          className={cx(
            'min-h-7 rounded-6 px-2.5 text-13 font-medium tabular-nums transition-colors duration-100 pointer-coarse:min-h-11',
            key === range ? 'bg-surface-2 text-ink-1' : 'text-ink-3 hover:text-ink-1',
          )}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
