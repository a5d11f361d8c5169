import { useNavigate } from '@tanstack/react-router'
import { Ban, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { ProtectionIssue } from '#contract/protection.ts'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuCaption, MenuItem, MenuLine } from '#web/ui/menu.tsx'
import { MODERATION_ACTIONS, type ModerationAction, actionsFor } from './moderation.ts'
import { ModerationDialog } from './moderation-dialog.tsx'

/** What is done every day stands open, the rest in a menu. */
const AT_HAND: readonly ModerationAction[] = ['acknowledge', 'resolve', 'dismiss', 'reopen']

interface AdminActionsProps {
  issue: ProtectionIssue
  /** Where the focus goes once the button that was pressed has gone. */
  focusAfter?: () => HTMLElement | null | undefined
}

const title = () => document.querySelector<HTMLElement>('h1[tabindex]')

export function AdminActions({ issue, focusAfter = title }: AdminActionsProps) {
  const [asked, setAsked] = useState<ModerationAction>()
  const acts = actionsFor(issue.status)
  return (
    <>
      {acts
        .filter((act) => AT_HAND.includes(act))
        .map((act, index) => {
          const { icon: Icon, button } = MODERATION_ACTIONS[act]
          return (
            <Button
              key={act}
              look={index === 0 ? 'primary' : 'secondary'}
              icon={<Icon size={16} aria-hidden="true" />}
              onClick={() => setAsked(act)}
            >
              {button}
            </Button>
          )
        })}
      <Menu
        label="More actions"
        trigger={(props) => (
          <Button {...props} icon={<Ellipsis size={16} aria-hidden="true" />}>
            More
          </Button>
        )}
      >
        {acts
          .filter((act) => !AT_HAND.includes(act))
          .map((act) => {
            const { icon: Icon, button } = MODERATION_ACTIONS[act]
            return (
              <MenuItem key={act} icon={<Icon size={15} />} onSelect={() => setAsked(act)}>
                {button}
              </MenuItem>
            )
          })}
        <BanItems issue={issue} />
      </Menu>
      {asked && (
        <ModerationDialog
          key={asked}
          issue={issue}
          act={asked}
          onDone={() => focusAfterRemoval(focusAfter)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** A ban is made where its reason and its end are asked for. */
function BanItems({ issue: { server, user_id } }: { issue: ProtectionIssue }) {
  const navigate = useNavigate()
  return (
    <>
      <MenuLine />
      <MenuCaption>On another page</MenuCaption>
      {server && (
        <MenuItem
          danger
          icon={<Ban size={15} />}
          onSelect={() =>
            void navigate({ to: '/admin/servers/$server_id', params: { server_id: server.public_id }, search: { tab: 'danger' } })
          }
        >
          Ban the server…
        </MenuItem>
      )}
      <MenuItem
        danger
        icon={<Ban size={15} />}
        onSelect={() => void navigate({ to: '/admin/users/$user_id/settings', params: { user_id } })}
      >
        Ban the user…
      </MenuItem>
    </>
  )
}
