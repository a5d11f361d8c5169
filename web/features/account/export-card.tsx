import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorNote } from '#web/ui/note.tsx'

export function ExportCard({ username }: { username: string }) {
  const fetchExport = useMutation({ mutationFn: async () => JSON.stringify(await call('GET /api/auth/me/export'), null, 2), gcTime: 0 })
  const download = useSingleFlight(async () => saveFile(await fetchExport.mutateAsync(), `muster-${username}.json`, 'application/json'))
  return (
    <Card
      title={m.account_export_title()}
      description={m.account_export_hint()}
      aside={
        <Button className="shrink-0" icon={<Download size={15} aria-hidden="true" />} busy={fetchExport.isPending} onClick={download}>
          {m.account_export_download()}
        </Button>
      }
    >
      {fetchExport.error && <ErrorNote>{messageOf(fetchExport.error)}</ErrorNote>}
    </Card>
  )
}
