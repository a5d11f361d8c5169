/** One decision with one reason on all reports of a server: they are right, and, if chosen, the server is banned. */
import { useState } from 'react'
import type { ProtectionIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { BanFields, useBanForm } from '#web/ui/dialog/ban-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { CheckOption } from '#web/ui/form/check-option.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useUpholdReports } from './issue-mutations.ts'
import { SERVER_BAN_REASONS } from './server-ban-reasons.ts'

interface UpholdDialogProps {
  issue: ProtectionIssue
  onClose: () => void
}

export function UpholdDialog({ issue, onClose }: UpholdDialogProps) {
  const form = useBanForm()
  const [bans, setBans] = useState(false)
  const uphold = useUpholdReports(issue)
  const submit = useSingleFlight(async () => {
    const input = form.read()
    if (input === undefined) return
    await uphold.mutateAsync({ ...input, bans })
    toastSuccess(bans ? m.protection_reports_uphold_ban_done() : m.protection_reports_uphold_done())
    onClose()
  })
  const busy = uphold.isPending
  return (
    <Dialog title={m.protection_reports_uphold_title()} onDismiss={busy ? undefined : onClose} ignoreBackdrop={form.reason !== ''}>
      <Form onSubmit={submit}>
        <p className="mt-2 mb-4 text-pretty text-ink-2">{m.protection_reports_uphold_hint()}</p>
        <BanFields form={form} reasons={SERVER_BAN_REASONS} hint={m.servers_admin_ban_reason_hint()} hasEnd={bans}>
          {issue.server !== null && (
            <CheckOption
              title={<span className="font-medium">{m.protection_reports_uphold_ban()}</span>}
              hint={m.protection_reports_uphold_ban_hint()}
              isChecked={bans}
              onToggle={() => setBans(!bans)}
              className="rounded-6 border border-line"
            />
          )}
        </BanFields>
        {uphold.error && <ErrorNote className="mt-4">{messageOf(uphold.error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose} disabled={busy}>
            {m.common_cancel()}
          </Button>
          <Button type="submit" variant={bans ? 'danger' : 'primary'} busy={busy}>
            {bans ? m.protection_reports_uphold_ban_confirm() : m.protection_reports_uphold_title()}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
