import { periodText } from '#web/ui/chart/chart-scale.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface FigureProps {
  label: string
  /** Undefined while it is on its way. */
  value: string | undefined
  /** When it was. */
  at?: string | undefined
}

/** A number that sums the graph up. */
export function Figure({ label, value, at }: FigureProps) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="min-h-7 text-20 font-semibold tabular-nums">
        {value ?? <Skeleton className="h-7 w-16" />}
        {at !== undefined && <span className="ml-2 inline-block text-12 font-normal text-ink-3">{at}</span>}
      </dd>
    </div>
  )
}

interface Peaked {
  readonly peak: { players: number; at: string; seconds: number } | null
}

/** The most players, and when. */
export function PeakFigure({ history, label }: { history: Peaked | undefined; label: string }) {
  const peak = history?.peak
  return <MostFigure label={label} peak={peak && { most: peak.players, at: Date.parse(peak.at) }} stepSeconds={peak?.seconds ?? 0} />
}

interface MostProps {
  label: string
  /** Undefined while it is on its way; null where there is none. */
  peak: { most: number; at: number } | null | undefined
  stepSeconds: number
}

/** The most of anything, and when. */
export function MostFigure({ label, peak, stepSeconds }: MostProps) {
  return (
    <Figure
      label={label}
      value={peak === undefined ? undefined : (peak?.most.toLocaleString('en') ?? '–')}
      at={peak ? periodText(peak.at, stepSeconds) : undefined}
    />
  )
}

/** `34`, `3.4`; a dash where nothing is known. */
export function meanText(mean: number | null): string {
  return mean === null ? '–' : mean.toLocaleString('en', { maximumFractionDigits: mean < 10 ? 1 : 0 })
}
