/** The sentences of the inbox, from a notification's type and data. Rendered when it is read, in the language of the request. */
import { m } from '#api-messages'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { BENEFIT_KEYS } from '#contract/benefits/benefits.ts'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { Consequence } from '#contract/protection/protection.ts'
import type { NotificationType } from '#contract/events/public-events.ts'
import { currentLanguage } from '#backend/platform/messages/language.ts'
import { joinNames } from '#backend/platform/messages/sentence.ts'
import { translateStored } from '#backend/platform/messages/stored-text.ts'
import { offlineText } from '#backend/services/webhooks/bodies.ts'

export interface Facts {
  /** The name of the server. */
  readonly server: string
  /** The name of the user who caused it. Null for the program and for administrators. */
  readonly actor: string | null
  readonly data: Readonly<Record<string, unknown>>
}

export function bodyOf(type: NotificationType, facts: Facts): string {
  return [BODIES[type](facts)]
    .flat()
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** Servers in one sentence; of more than this, the newest three are named. */
const MAX_NAMED = 4

/** An entry about several servers. @param names newest first. */
export function bodyOfMany(type: NotificationType, names: readonly string[]): string {
  const format = (count: number) => new Intl.NumberFormat(currentLanguage()).format(count)
  const shown = names.length > MAX_NAMED ? names.slice(0, MAX_NAMED - 1) : names
  const rest = names.length - shown.length
  const listed = joinNames(rest === 0 ? shown : [...shown, m.notification_servers_more({ count: format(rest) })])
  return (BODIES_OF_MANY[type] ?? m.notification_servers)({ count: format(names.length), names: listed })
}

const BODIES_OF_MANY: Readonly<Partial<Record<NotificationType, typeof m.notification_servers>>> = {
  'server.online': m.notification_servers_online,
  'server.offline': m.notification_servers_offline,
  'server.listed': m.notification_servers_listed,
}

type Body = (facts: Facts) => string | readonly string[]

/** One sentence if a user did it, and one without a name if an administrator did it. */
const by =
  (byUser: (values: { user: string; server: string }) => string, byAdministrator: (values: { server: string }) => string): Body =>
  ({ actor, server }) =>
    actor === null ? byAdministrator({ server }) : byUser({ user: actor, server })

const FAMILY_NAMES: Readonly<Record<string, string>> = { ipv4: 'IPv4', ipv6: 'IPv6' }

const BODIES: Readonly<Record<NotificationType, Body>> = {
  'server.online': ({ server }) => m.notification_server_online({ server }),
  'server.offline': ({ server, data }) => [m.notification_server_offline({ server }), offlineText(data)],
  'server.listed': ({ server }) => m.notification_server_listed({ server }),
  'server.unlisted': ({ server }) => m.notification_server_unlisted({ server }),
  'players.threshold': ({ server, data }) => m.notification_players_threshold({ server, players: textOf(data['players']) }),
  'server.created': ({ server }) => m.notification_server_created({ server }),
  'server.updated': by(m.notification_server_updated, m.notification_server_updated_by_admin),
  'server.deleted': by(m.notification_server_deleted, m.notification_server_deleted_by_admin),
  'server.banned': ({ server, data }) => [m.notification_server_banned({ server }), reasonOf(data)],
  'server.unbanned': ({ server }) => m.notification_server_unbanned({ server }),
  'credential.reissued': by(m.notification_credential_reissued, m.notification_credential_reissued_by_admin),
  'credential.old_in_use': ({ server }) => m.notification_credential_old_in_use({ server }),
  'credential.leaked': ({ server }) => m.notification_credential_leaked({ server }),
  'credential.shared': ({ server }) => m.notification_credential_shared({ server }),
  'address.bound': ({ server, data }) => {
    const family = FAMILY_NAMES[textOf(data['family'])]
    return family === undefined ? m.notification_address_bound({ server }) : m.notification_address_bound_family({ server, family })
  },
  'address.moved': ({ server }) => m.notification_address_moved({ server }),
  'address.reset': by(m.notification_address_reset, m.notification_address_reset_by_admin),
  'address.mismatch': ({ server }) => m.notification_address_mismatch({ server }),
  'transfer.offered': by(m.notification_transfer_offered, m.notification_transfer_offered_by_admin),
  'transfer.accepted': by(m.notification_transfer_accepted, m.notification_transfer_accepted_by_admin),
  'transfer.declined': by(m.notification_transfer_declined, m.notification_transfer_declined_by_admin),
  'transfer.cancelled': by(m.notification_transfer_cancelled, m.notification_transfer_cancelled_by_system),
  'transfer.expired': ({ server, data }) =>
    data['role'] === 'sender' ? m.notification_transfer_expired_sent({ server }) : m.notification_transfer_expired_received({ server }),
  'manager.granted': by(m.notification_manager_granted, m.notification_manager_granted_by_admin),
  'manager.changed': by(m.notification_manager_changed, m.notification_manager_changed_by_admin),
  'manager.revoked': by(m.notification_manager_revoked, m.notification_manager_revoked_by_system),
  'manager.left': by(m.notification_manager_left, m.notification_manager_left_by_system),
  'issue.opened': (facts) => [issueOf(facts), m.notification_issue_opened()],
  'issue.escalated': (facts) => [
    issueOf(facts),
    (CONSEQUENCES[facts.data['consequence'] as Consequence] ?? m.notification_issue_changed)(),
  ],
  'issue.replied': (facts) => [issueOf(facts), m.notification_issue_replied()],
  'issue.resolved': (facts) => [
    issueOf(facts),
    facts.data['status'] === 'DISMISSED' ? m.notification_issue_dismissed() : m.notification_issue_resolved(),
  ],
  'benefit.granted': ({ data }) => m.notification_benefit_granted({ benefits: benefitsOf(data) }),
  'benefit.lapsed': ({ data }) => m.notification_benefit_lapsed({ benefits: benefitsOf(data) }),
  'account.deletion_scheduled': () => m.notification_account_deletion_scheduled(),
  'account.deletion_cancelled': () => m.notification_account_deletion_cancelled(),
  'account.banned': ({ data }) => [m.notification_account_banned(), reasonOf(data)],
  'account.unbanned': () => m.notification_account_unbanned(),
  'webhook.disabled': ({ data }) => [
    m.notification_webhook_disabled({ name: textOf(data['name']) }),
    translateStored(textOf(data['reason'])),
  ],
  'api_key.leaked': ({ data }) => m.notification_api_key_leaked({ name: textOf(data['name']) }),
}

const CONSEQUENCES: Readonly<Record<Consequence, () => string>> = {
  NOTICE: m.notification_consequence_notice,
  UNRANKED: m.notification_consequence_unranked,
  UNLISTED: m.notification_consequence_unlisted,
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const reasonOf = ({ reason }: Facts['data']) => (typeof reason === 'string' && reason !== '' ? m.notification_reason({ reason }) : '')

function issueOf({ server, data }: Facts): string {
  const issue =
    Object.entries(ISSUES)
      .find(([kind]) => kind === data['kind'])?.[1]
      .name() ?? m.notification_issue()
  return server === '' ? `${issue}.` : m.notification_issue_of_server({ server, issue })
}

function benefitsOf({ benefits }: Facts['data']): string {
  const keys = Array.isArray(benefits) ? (benefits as unknown[]) : []
  return joinNames(BENEFIT_KEYS.filter((key) => keys.includes(key)).map((key) => BENEFITS[key].name()))
}
