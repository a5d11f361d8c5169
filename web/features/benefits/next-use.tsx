import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, ChevronDown, Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BenefitOverview } from '#contract/benefit-settings.ts'
import type { BenefitKey } from '#contract/benefits.ts'
import { m } from '#messages'
import { buttonClass } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

const ON_A_SERVER: Readonly<Partial<Record<BenefitKey, string>>> = {
  PROMOTED: m.benefits_choose_promoted(),
  CUSTOM_VANITY_URL: m.benefits_choose_vanity(),
  MASTERLIST_TOKEN_CARD_ICONS: m.benefits_choose_icon(),
}
const MAX_IN_MENU = 12

const LISTING = { tab: 'listing' } as const
const BUTTON = buttonClass('secondary')
const settingsPath = (key: BenefitKey) => `/benefits/${key.toLowerCase()}`

/** Whether the next step alone explains a benefit that nothing uses yet. */
export function isNextStepEnough(key: BenefitKey): boolean {
  return key in ON_A_SERVER
}

type Servers = readonly { public_id: string; name: string }[]

interface NextUseProps {
  benefit: BenefitOverview
  servers: Servers
  /** Whether the launcher's settings, which hold the UI address, can be opened. */
  hasLauncher: boolean
}

/** Leads to where a held benefit is used: its settings, a server's Listing tab, or the groups below. */
export function NextUse({ benefit: { key, name, has_settings: hasSettings, used_by: usedBy }, servers, hasLauncher }: NextUseProps) {
  const onServer = ON_A_SERVER[key]
  if (hasSettings) {
    return (
      <Link to={settingsPath(key)} aria-label={m.benefits_settings_of({ benefit: name })} className={BUTTON}>
        <Settings2 size={15} aria-hidden="true" />
        {m.benefits_settings()}
      </Link>
    )
  }
  if (onServer !== undefined) return <ChooseServer label={onServer} brief={usedBy.length > 0} servers={servers} />
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
  label: string
  /** For a benefit already in use: there is little room beside the server names. */
  brief: boolean
  servers: Servers
}

/** Leads to the Listing tab of the only server, or offers a choice of servers. */
function ChooseServer({ label, brief, servers }: ChooseServerProps) {
  const [first, second] = servers
  if (first === undefined) {
    return (
      <Link to="/servers/new" className={BUTTON}>
        {m.benefits_register_first()}
      </Link>
    )
  }
  const words = brief ? (
    <>
      <span aria-hidden="true">{m.benefits_change()}</span>
      <span className="sr-only">{m.benefits_change_what({ action: label })}</span>
    </>
  ) : (
    label
  )
  if (second !== undefined && servers.length <= MAX_IN_MENU) return <ServerMenu label={label} words={words} servers={servers} />
  const way =
    second === undefined
      ? ({ to: '/servers/$server_id', params: { server_id: first.public_id }, search: LISTING } as const)
      : ({ to: '/servers' } as const)
  return (
    <Link {...way} className={BUTTON}>
      {words}
      <ArrowRight size={15} aria-hidden="true" />
    </Link>
  )
}

function ServerMenu({ label, words, servers }: { label: string; words: ReactNode; servers: Servers }) {
  const navigate = useNavigate()
  const open = (id: string) => void navigate({ to: '/servers/$server_id', params: { server_id: id }, search: LISTING })
  return (
    <Menu
      label={label}
      trigger={(props) => (
        <button type="button" {...props} className={BUTTON}>
          {words}
          <ChevronDown size={15} aria-hidden="true" />
        </button>
      )}
    >
      {servers.map(({ public_id, name }) => (
        <MenuItem key={public_id} onSelect={() => open(public_id)}>
          <span className="max-w-64 truncate">{name}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
