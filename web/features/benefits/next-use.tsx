import { Link } from '@tanstack/react-router'
import type { BenefitKey } from '#contract/benefits.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { ChooseServer } from './choose-server.tsx'

/** Where a benefit's settings are. */
export function settingsPath(key: BenefitKey): string {
  return `/benefits/${key.toLowerCase()}`
}

/** What is done with a benefit on a server's Listing tab. */
const ON_A_SERVER: Readonly<Partial<Record<BenefitKey, string>>> = {
  PROMOTED: 'Choose a server to promote',
  CUSTOM_VANITY_URL: 'Choose a server for a vanity id',
  MASTERLIST_TOKEN_CARD_ICONS: 'Choose a server for an icon',
}

/** Whether the next step of a benefit that nothing uses yet says so by itself. */
export function isNextStepEnough(key: BenefitKey): boolean {
  return key in ON_A_SERVER
}

interface NextUseProps {
  benefit: BenefitKey
  used: boolean
  servers: readonly { public_id: string; name: string }[]
  /** Whether the launcher's settings, where the page of its own is named, can be opened. */
  hasLauncher: boolean
}

/** Where a held benefit is put to use: its settings, a server's Listing tab, or the groups below. */
export function NextUse({ benefit, used, servers, hasLauncher }: NextUseProps) {
  const onServer = ON_A_SERVER[benefit]
  if (onServer !== undefined) return <ChooseServer label={onServer} brief={used} servers={servers} />
  if (benefit === 'MASTERLIST_GROUPS') {
    return (
      <Link to="." hash="groups" resetScroll={false} className={buttonClass('secondary')}>
        Your groups
      </Link>
    )
  }
  if (benefit === 'CUSTOM_UI_URL') {
    return hasLauncher ? (
      <Link to={settingsPath('CUSTOM_LAUNCHER')} className={buttonClass('secondary')}>
        Set its address
      </Link>
    ) : null
  }
  return null
}
