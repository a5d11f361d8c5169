import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, ChevronDown, Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BenefitOverview } from '#contract/benefits/benefit-settings.ts'
import type { BenefitKey } from '#contract/benefits/benefits.ts'
import { m } from '#messages'
import { buttonClass } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

const SERVER_ACTIONS: Readonly<Partial<Record<BenefitKey, string>>> = {
  PROMOTED: m.benefits_choose_promoted(),
  CUSTOM_VANITY_URL: m.benefits_choose_vanity(),
  MASTERLIST_TOKEN_CARD_ICONS: m.benefits_choose_icon(),
}
const MAX_IN_MENU = 12

const LISTING = { tab: 'listing' } as const
const BUTTON = buttonClass('secondary')
const settingsPath = (key: BenefitKey) => `/benefits/${key.toLowerCase()}`

/** The benefit's action then says what to do, so an unused benefit needs no hint. */
export function isUsedOnServer(key: BenefitKey): boolean {
  return key in SERVER_ACTIONS
}

type Servers = readonly { public_id: string; name: string }[]

interface BenefitActionProps {
  benefit: BenefitOverview
  servers: Servers
  /** The UI address is part of the launcher's settings. */
  hasLauncher: boolean
}

/** Links to where the benefit is used: its settings, a server's Listing tab, or the groups below. */
export function BenefitAction({
  benefit: { key, name, has_settings: hasSettings, used_by: usedBy },
  servers,
  hasLauncher,
}: BenefitActionProps) {
  const serverAction = SERVER_ACTIONS[key]
  if (hasSettings) {
    return (
      <Link to={settingsPath(key)} aria-label={m.benefits_settings_of({ benefit: name })} className={BUTTON}>
        <Settings2 size={15} aria-hidden="true" />
        {m.benefits_settings()}
      </Link>
    )
  }
  if (serverAction !== undefined)
    return <ChooseServer benefit={name} label={serverAction} isCompact={usedBy.length > 0} servers={servers} />
  if (key === 'MASTERLIST_GROUPS') {
    return (
      <Link to="." hash="groups" resetScroll={false} className={BUTTON}>
        {m.groups_title()}
      </Link>
    )
  }
  if (key === 'CUSTOM_UI_URL' && hasLauncher) {
    return (
      <Link to={settingsPath('CUSTOM_LAUNCHER')} className={BUTTON}>
        {m.benefits_ui_set_address()}
      </Link>
    )
  }
  return null
}

interface ChooseServerProps {
  /** The benefit's name. */
  benefit: string
  label: string
  /** Shortens the label, because a benefit in use also lists its servers. */
  isCompact: boolean
  servers: Servers
}

/** Links to the Listing tab of the only server, or shows a menu of servers. */
function ChooseServer({ benefit, label, isCompact, servers }: ChooseServerProps) {
  const [first, second] = servers
  if (first === undefined) {
    return (
      <Link to="/servers/new" className={BUTTON}>
        {m.benefits_register_first()}
      </Link>
    )
  }
  const content = isCompact ? (
    <>
      <span aria-hidden="true">{m.benefits_change()}</span>
      <span className="sr-only">{m.benefits_change_what({ benefit })}</span>
    </>
  ) : (
    label
  )
  if (second !== undefined && servers.length <= MAX_IN_MENU) return <ServerMenu label={label} content={content} servers={servers} />
  const target =
    second === undefined
      ? ({ to: '/servers/$server_id', params: { server_id: first.public_id }, search: LISTING } as const)
      : ({ to: '/servers' } as const)
  return (
    <Link {...target} className={BUTTON}>
      {content}
      <ArrowRight size={15} aria-hidden="true" />
    </Link>
  )
}

function ServerMenu({ label, content, servers }: { label: string; content: ReactNode; servers: Servers }) {
  const navigate = useNavigate()
  const open = (id: string) => void navigate({ to: '/servers/$server_id', params: { server_id: id }, search: LISTING })
  return (
    <Menu
      label={label}
      trigger={
        <button type="button" className={BUTTON}>
          {content}
          <ChevronDown size={15} aria-hidden="true" />
        </button>
      }
    >
      {servers.map(({ public_id, name }) => (
        <MenuItem key={public_id} onSelect={() => open(public_id)}>
          <span className="max-w-64 truncate">{name}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
