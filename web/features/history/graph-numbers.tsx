import { Download } from 'lucide-react'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { isInDays } from '#web/ui/chart/chart-scale.ts'
import { NumbersTable } from '#web/ui/chart/numbers-table.tsx'
import { csvFile, tableRows } from './numbers.ts'

interface NumbersProps {
  history: Parameters<typeof csvFile>[0]
  columns: Parameters<typeof csvFile>[1]
  /** The name of the file, without its ending. */
  name: string
}

/** The graph's numbers as a table, and as a file. */
export function GraphNumbers({ history, columns, name }: NumbersProps) {
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
