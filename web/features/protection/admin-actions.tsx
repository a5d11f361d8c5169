import { useNavigate } from '@tanstack/react-router'
import { Ban, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { ProtectionIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuLabel, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { type ModerationAction, MODERATION_ACTIONS, actionsFor } from './moderation.ts'
import { ModerationDialog } from './moderation-dialog.tsx'
import { UpholdDialog } from './uphold-dialog.tsx'

export function AdminActions({ issue }: { issue: ProtectionIssue }) {
  const [action, setAction] = useState<ModerationAction>()
  const { buttons, menu } = actionsFor(issue)
  const close = () => setAction(undefined)
  return (
    <>
      {buttons.map((each, index) => {
        const { icon: Icon, button } = MODERATION_ACTIONS[each]
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
          const { icon: Icon, button } = MODERATION_ACTIONS[each]
          return (
            <MenuItem key={each} icon={<Icon size={15} />} onSelect={() => setAction(each)}>
              {button}
            </MenuItem>
          )
        })}
        <BanItems issue={issue} canBanServer={!buttons.includes('uphold-reports')} />
      </Menu>
      {action === 'uphold-reports' && <UpholdDialog issue={issue} onClose={close} />}
      {action && action !== 'uphold-reports' && <ModerationDialog key={action} issue={issue} action={action} onClose={close} />}
    </>
  )
}

/** Links to the pages that ask for a ban's reason and end. */
function BanItems({ issue: { server, user_id }, canBanServer }: { issue: ProtectionIssue; canBanServer: boolean }) {
  const navigate = useNavigate()
  return (
    <>
      <MenuSeparator />
      <MenuLabel>{m.protection_actions_other_page()}</MenuLabel>
      {server && canBanServer && (
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
    </>
  )
}
