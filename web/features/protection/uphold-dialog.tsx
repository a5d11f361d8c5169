/** One decision with one reason on all reports of a server: they are right, and, if chosen, the server is banned. */
import { useState } from 'react'
import type { ProtectionIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { BanFields, useBanForm } from '#web/ui/dialog/ban-form.tsx'
import { Option } from '#web/ui/form/option.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useUpholdReports } from './issue-mutations.ts'
import { SERVER_BAN_REASONS } from './server-ban-reasons.ts'

interface UpholdDialogProps {
  issue: ProtectionIssue
  onClose: () => void
}

export function UpholdDialog({ issue, onClose }: UpholdDialogProps) {
  const [bans, setBans] = useState(false)
  const uphold = useUpholdReports(issue)
  const form = useBanForm(undefined, async (input) => {
    await uphold.mutateAsync({ ...input, bans })
    toastSuccess(bans ? m.protection_reports_uphold_ban_done() : m.protection_reports_uphold_done())
    onClose()
  })
  return (
    <FormDialog
      form={form}
      title={m.protection_reports_uphold_title()}
      confirm={bans ? m.protection_reports_uphold_ban_confirm() : m.protection_reports_uphold_title()}
      danger={bans}
      ignoreBackdrop={form.values.reason !== ''}
      onClose={onClose}
    >
      <p className="mt-2 mb-4 text-pretty text-ink-2">{m.protection_reports_uphold_hint()}</p>
      <BanFields form={form} reasons={SERVER_BAN_REASONS} hint={m.servers_admin_ban_reason_hint()} hasEnd={bans}>
        {issue.server !== null && (
          <Option
            type="checkbox"
            title={<span className="font-medium">{m.protection_reports_uphold_ban()}</span>}
            hint={m.protection_reports_uphold_ban_hint()}
            checked={bans}
            onChange={() => setBans(!bans)}
            className="rounded-6 border border-line"
          />
        )}
      </BanFields>
    </FormDialog>
  )
}
