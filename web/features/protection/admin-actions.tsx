import { useNavigate } from '@tanstack/react-router'
import { Ban, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { ProtectionIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { BanFields, useBanForm } from '#web/ui/dialog/ban-form.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { Option } from '#web/ui/form/option.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/menu.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { ModerationDialog } from './moderation-dialog.tsx'
import { actionsFor, MODERATION_ACTIONS, type ModerationAction, useUpholdReports } from './moderation.ts'
import { SERVER_BAN_REASONS } from './server-ban-reasons.ts'

export function AdminActions({ issue }: { issue: ProtectionIssue }) {
  const [action, setAction] = useState<ModerationAction>()
  const { buttons, menu } = actionsFor(issue)
  const { server, user_id } = issue
  const navigate = useNavigate()
  const close = () => setAction(undefined)
  return (
    <>
      {buttons.map((each, index) => {
        const { icon: Icon, title, button = `${title}…` } = MODERATION_ACTIONS[each]
        return (
          <Button
            key={each}
            variant={index === 0 ? 'primary' : 'secondary'}
            icon={<Icon size={16} aria-hidden="true" />}
            onClick={() => setAction(each)}
          >
            {button}
          </Button>
        )
      })}
      <Menu
        label={m.protection_actions_more_label()}
        trigger={<Button icon={<Ellipsis size={16} aria-hidden="true" />}>{m.protection_actions_more()}</Button>}
      >
        {menu.map((each) => {
          const { icon: Icon, title, button = `${title}…` } = MODERATION_ACTIONS[each]
          return (
            <MenuItem key={each} icon={<Icon size={15} />} onSelect={() => setAction(each)}>
              {button}
            </MenuItem>
          )
        })}
        {/* These open the pages that ask for a ban's reason and end. */}
        <MenuSeparator />
        <MenuLabel>{m.protection_actions_other_page()}</MenuLabel>
        {server && !buttons.includes('uphold-reports') && (
          <MenuItem
            danger
            icon={<Ban size={15} />}
            onSelect={() =>
              void navigate({ to: '/admin/servers/$server_id', params: { server_id: server.public_id }, search: { tab: 'danger' } })
            }
          >
            {m.protection_actions_ban_server()}
          </MenuItem>
        )}
        <MenuItem
          danger
          icon={<Ban size={15} />}
          onSelect={() => void navigate({ to: '/admin/users/$user_id/settings', params: { user_id } })}
        >
          {m.protection_actions_ban_user()}
        </MenuItem>
      </Menu>
      {action === 'uphold-reports' && <UpholdDialog issue={issue} onClose={close} />}
      {action && action !== 'uphold-reports' && <ModerationDialog key={action} issue={issue} action={action} onClose={close} />}
    </>
  )
}

/** One decision with one reason on all reports of a server: they are right, and, if chosen, the server is banned. */
function UpholdDialog({ issue, onClose }: { issue: ProtectionIssue; onClose: () => void }) {
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
            onChange={() => {
              setBans(!bans)
              // Its field is hidden, so it must not be wrong.
              if (bans) form.change({ duration: '' })
            }}
            className="rounded-6 border border-line"
          />
        )}
      </BanFields>
    </FormDialog>
  )
}
