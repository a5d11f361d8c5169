import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/note.tsx'

export function ExportCard({ username }: { username: string }) {
  const fetchExport = useMutation({ mutationFn: async () => JSON.stringify(await call('GET /api/auth/me/export'), null, 2), gcTime: 0 })
  const download = useSingleFlight(async () => saveFile(await fetchExport.mutateAsync(), `muster-${username}.json`, 'application/json'))
  return (
    <section aria-labelledby="export" className="card p-5">
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
        <div>
          <h2 id="export" className="font-medium">
            {m.account_export_title()}
          </h2>
          <p className="mt-0.5 text-13 text-pretty text-ink-2">{m.account_export_hint()}</p>
        </div>
        <Button className="shrink-0" icon={<Download size={15} aria-hidden="true" />} busy={fetchExport.isPending} onClick={download}>
          {m.account_export_download()}
        </Button>
      </div>
      {fetchExport.error && <ErrorNote className="mt-4">{messageOf(fetchExport.error)}</ErrorNote>}
    </section>
  )
}
