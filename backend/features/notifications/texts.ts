/** The sentences of the inbox, from a notification's type and data. Rendered when it is read. */
import { BENEFITS } from '#contract/benefit-texts.ts'
import { ISSUES } from '#contract/issue-kinds.ts'
import type { Consequence } from '#contract/protection.ts'
import type { NotificationType } from '#contract/public-events.ts'
import { silenceText } from '#backend/features/webhooks/bodies.ts'

export interface Facts {
  /** The name of the server. */
  readonly server: string
  /** The name of the user who caused it. Null for the program and for administrators. */
  readonly actor: string | null
  readonly data: Readonly<Record<string, unknown>>
}

export const bodyOf = (type: NotificationType, facts: Facts): string => BODIES[type](facts)

const BODIES: Readonly<Record<NotificationType, (facts: Facts) => string>> = {
  'server.online': ({ server }) => `${server} is back online.`,
  'server.offline': ({ server, data }) => `${server} is offline. ${silenceText(data['silent_seconds'])}`,
  'server.listed': ({ server }) => `Players can find ${server} on the list.`,
  'server.unlisted': ({ server }) => `${server} is online, but no longer on the list.`,
  'players.threshold': ({ server, data }) => `${server} has ${text(data['players'])} players.`,
  'server.created': ({ server }) => `${server} was created.`,
  'server.updated': (facts) => `${whoOf(facts)} changed ${facts.server}.`,
  'server.deleted': (facts) => `${whoOf(facts)} deleted ${facts.server}.`,
  'server.banned': ({ server, data }) => `${server} is banned from the list.${reasonOf(data)}`,
  'server.unbanned': ({ server }) => `The ban on ${server} has ended.`,
  'credential.reissued': (facts) => `${whoOf(facts)} issued a new credential for ${facts.server}.`,
  'credential.old_in_use': ({ server }) => `A program still announces ${server} with a credential that was replaced.`,
  'credential.leaked': ({ server }) => `A credential of ${server} was found in public, so it was revoked. Issue a new one.`,
  'address.bound': ({ server }) => `The credential of ${server} is now bound to the address that it announced from.`,
  'address.reset': (facts) => `${whoOf(facts)} reset the bound address of ${facts.server}. The next announce binds it again.`,
  'address.mismatch': ({ server }) => `A program announces ${server} from an address that its credential is not bound to.`,
  'transfer.offered': (facts) => `${whoOf(facts)} wants to give you ${facts.server}. Accept or decline the transfer.`,
  'transfer.accepted': (facts) => `${whoOf(facts)} accepted ${facts.server} and owns it now.`,
  'transfer.declined': (facts) => `${whoOf(facts)} declined ${facts.server}. It stays yours.`,
  'transfer.cancelled': ({ server, actor }) =>
    actor === null ? `The transfer of ${server} was cancelled.` : `${actor} cancelled the transfer of ${server}.`,
  'transfer.expired': ({ server, data }) =>
    data['role'] === 'sender' ? `Nobody accepted ${server} in time. It stays yours.` : `The transfer of ${server} to you has expired.`,
  'manager.granted': (facts) => `${whoOf(facts)} made you a manager of their servers.`,
  'manager.changed': (facts) => `${whoOf(facts)} changed what you can do with their servers.`,
  'manager.revoked': ({ actor }) =>
    actor === null ? 'An account whose servers you managed was erased.' : `${actor} removed you as a manager of their servers.`,
  'manager.left': ({ actor }) =>
    actor === null ? 'An account that managed your servers was erased.' : `${actor} no longer manages your servers.`,
  'issue.opened': (facts) => `${issueOf(facts)}. See what happened and what to do.`,
  'issue.escalated': (facts) =>
    `${issueOf(facts)}. ${CONSEQUENCES[facts.data['consequence'] as Consequence] ?? 'Its consequence changed.'}`,
  'issue.replied': (facts) => `${issueOf(facts)}. An administrator replied.`,
  'issue.resolved': (facts) => `${issueOf(facts)}. It is ${facts.data['status'] === 'DISMISSED' ? 'dismissed' : 'resolved'}.`,
  'benefit.granted': ({ data }) => `You can now use ${benefitsOf(data)}.`,
  'benefit.lapsed': ({ data }) => `You can no longer use ${benefitsOf(data)}.`,
  'account.deletion_scheduled': () => 'Your account will be deleted.',
  'account.deletion_cancelled': () => 'Your account will not be deleted.',
  'account.banned': ({ data }) => `Your account was banned.${reasonOf(data)}`,
  'account.unbanned': () => 'Your account is no longer banned.',
  'webhook.disabled': ({ data }) => `The webhook ${text(data['name'])} was disabled. ${text(data['reason'])}`,
  'api_key.leaked': ({ data }) => `The API key ${text(data['name'])} was found in public, so it was revoked.`,
}

const CONSEQUENCES: Readonly<Record<Consequence, string>> = {
  NOTICE: 'It no longer affects the listing.',
  UNRANKED: 'The server now comes last on the list.',
  UNLISTED: 'The server is no longer on the list.',
}

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** The start of a sentence. Administrators stay anonymous. */
const whoOf = ({ actor }: Facts) => actor ?? 'An administrator'

const reasonOf = ({ reason }: Facts['data']) => (typeof reason === 'string' && reason !== '' ? ` Reason: ${reason}` : '')

function issueOf({ server, data }: Facts): string {
  const name = Object.entries(ISSUES).find(([kind]) => kind === data['kind'])?.[1].name ?? 'Protection issue'
  return server === '' ? name : `${server}: ${name.charAt(0).toLowerCase()}${name.slice(1)}`
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

function benefitsOf({ benefits }: Facts['data']): string {
  const keys = Array.isArray(benefits) ? (benefits as unknown[]) : []
  return LIST.format(Object.entries(BENEFITS).flatMap(([key, { name }]) => (keys.includes(key) ? [name] : [])))
}
