import { Download } from 'lucide-react'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { isInDays, periodText } from '#web/ui/chart/chart-scale.ts'
import { NumbersTable } from '#web/ui/chart/numbers-table.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { csvFile, type Peak, tableRows } from './numbers.ts'

interface FigureProps {
  label: string
  /** Undefined while it is on its way. */
  value: string | undefined
  /** When it was. */
  at?: string | undefined
}

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

/** @param peak is undefined while it is on its way, and null where there is none. */
export function PeakFigure({ peak }: { peak: Peak | null | undefined }) {
  const value = peak === null ? '–' : peak?.most.toLocaleString('en')
  return <Figure label="Peak" value={value} at={peak ? periodText(peak.at, peak.seconds) : undefined} />
}

/** `34`, `3.4`; a dash where nothing is known. */
export function meanText(mean: number | null): string {
  return mean === null ? '–' : mean.toLocaleString('en', { maximumFractionDigits: mean < 10 ? 1 : 0 })
}

interface GraphNumbersProps {
  history: Parameters<typeof csvFile>[0]
  columns: Parameters<typeof csvFile>[1]
  /** The name of the file, without its ending. */
  name: string
}

export function GraphNumbers({ history, columns, name }: GraphNumbersProps) {
  const save = () => saveFile(csvFile(history, columns), `${name}.csv`, 'text/csv;charset=utf-8')
  const timeTitle = isInDays(history.step_seconds) ? 'Day (UTC)' : 'Time'
  return (
    <div className="relative mt-3 min-h-9 pt-1.5 pointer-coarse:min-h-11 pointer-coarse:pt-0">
      <NumbersTable columns={[timeTitle, ...columns.map(({ title }) => title)]} rows={() => tableRows(history, columns)} />
      <Button look="quiet" icon={<Download size={15} aria-hidden="true" />} onClick={save} className="absolute top-0 -right-2 text-13">
        Download CSV
      </Button>
    </div>
  )
}
