import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, ChevronDown, Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BenefitOverview } from '#contract/benefit-settings.ts'
import type { BenefitKey } from '#contract/benefits.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

const ON_A_SERVER: Readonly<Partial<Record<BenefitKey, string>>> = {
  PROMOTED: 'Choose a server to promote',
  CUSTOM_VANITY_URL: 'Choose a server for a vanity id',
  MASTERLIST_TOKEN_CARD_ICONS: 'Choose a server for an icon',
}
const IN_A_MENU = 12

const LISTING = { tab: 'listing' } as const
const BUTTON = buttonClass('secondary')
const settingsPath = (key: BenefitKey) => `/benefits/${key.toLowerCase()}`

/** Whether the next step of a benefit that nothing uses yet says so by itself. */
export function isNextStepEnough(key: BenefitKey): boolean {
  return key in ON_A_SERVER
}

type Servers = readonly { public_id: string; name: string }[]

interface NextUseProps {
  benefit: BenefitOverview
  servers: Servers
  /** Whether the launcher's settings, where the page of its own is named, can be opened. */
  hasLauncher: boolean
}

/** Where a held benefit is put to use: its settings, a server's Listing tab, or the groups below. */
export function NextUse({ benefit: { key, name, has_settings: hasSettings, used_by: usedBy }, servers, hasLauncher }: NextUseProps) {
  const onServer = ON_A_SERVER[key]
  if (hasSettings) {
    return (
      <Link to={settingsPath(key)} className={BUTTON}>
        <Settings2 size={15} aria-hidden="true" />
        Settings
        <span className="sr-only"> of {name}</span>
      </Link>
    )
  }
  if (onServer !== undefined) return <ChooseServer label={onServer} brief={usedBy.length > 0} servers={servers} />
  if (key === 'MASTERLIST_GROUPS') {
    return (
      <Link to="." hash="groups" resetScroll={false} className={BUTTON}>
        Your groups
      </Link>
    )
  }
  if (key === 'CUSTOM_UI_URL' && hasLauncher) {
    return (
      <Link to={settingsPath('CUSTOM_LAUNCHER')} className={BUTTON}>
        Set its address
      </Link>
    )
  }
  return null
}

interface ChooseServerProps {
  label: string
  /** Where it is used already: beside the names of those servers there is little room. */
  brief: boolean
  servers: Servers
}

/** Leads to the Listing tab of the only server, or asks which one. */
function ChooseServer({ label, brief, servers }: ChooseServerProps) {
  const [first, second] = servers
  if (first === undefined) {
    return (
      <Link to="/servers/new" className={BUTTON}>
        Register a server first
      </Link>
    )
  }
  const words = brief ? (
    <span>
      Change<span className="sr-only">: {label.charAt(0).toLowerCase() + label.slice(1)}</span>
    </span>
  ) : (
    label
  )
  if (second !== undefined && servers.length <= IN_A_MENU) return <ServerMenu label={label} words={words} servers={servers} />
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
