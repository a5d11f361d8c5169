/** The actions of administrators on an issue. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleSlash, Eye, type LucideIcon, MessageSquare, RotateCcw, Scale, StickyNote } from 'lucide-react'
import { z } from 'zod'
import type { Consequence, IssueChanges, IssueDetail, IssueStatus, ProtectionIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import type { BanInput } from '#web/ui/dialog/ban-form.tsx'
import { PROTECTION } from './protection.api.ts'

export type ModerationAction =
  | 'acknowledge'
  | 'resolve'
  | 'dismiss'
  | 'uphold-reports'
  | 'dismiss-reports'
  | 'reopen'
  | 'reply'
  | 'note'
  | 'consequence'

interface Definition {
  readonly icon: LucideIcon
  /** The title with an ellipsis, if undefined. */
  readonly button?: string
  readonly title: string
  readonly hint: string
  /** The title, if undefined. */
  readonly confirm?: string
  readonly done: string
  readonly status?: IssueStatus
  readonly requires?: 'reply' | 'note'
}

export const MODERATION_ACTIONS: Readonly<Record<ModerationAction, Definition>> = {
  acknowledge: {
    icon: Eye,
    button: m.protection_acknowledge(),
    title: m.protection_acknowledge_title(),
    hint: m.protection_acknowledge_hint(),
    confirm: m.protection_acknowledge(),
    done: m.protection_acknowledge_done(),
    status: 'ACKNOWLEDGED',
  },
  resolve: {
    icon: CircleCheck,
    title: m.protection_resolve_title(),
    hint: m.protection_resolve_hint(),
    done: m.protection_resolve_done(),
    status: 'RESOLVED',
  },
  dismiss: {
    icon: CircleSlash,
    title: m.protection_dismiss_title(),
    hint: m.protection_dismiss_hint(),
    done: m.protection_dismiss_done(),
    status: 'DISMISSED',
  },
  'uphold-reports': {
    icon: CircleCheck,
    title: m.protection_reports_uphold_title(),
    hint: m.protection_reports_uphold_hint(),
    done: m.protection_reports_uphold_done(),
    status: 'RESOLVED',
  },
  'dismiss-reports': {
    icon: CircleSlash,
    title: m.protection_reports_dismiss_title(),
    hint: m.protection_reports_dismiss_hint(),
    done: m.protection_reports_dismiss_done(),
    status: 'DISMISSED',
  },
  reopen: {
    icon: RotateCcw,
    title: m.protection_reopen_title(),
    hint: m.protection_reopen_hint(),
    done: m.protection_reopen_done(),
    status: 'OPEN',
  },
  reply: {
    icon: MessageSquare,
    button: m.protection_reply_ask(),
    title: m.protection_reply_to_owner(),
    hint: m.protection_reply_hint(),
    confirm: m.protection_reply_send(),
    done: m.protection_reply_done(),
    requires: 'reply',
  },
  note: {
    icon: StickyNote,
    title: m.protection_note_add(),
    hint: m.protection_note_hint(),
    done: m.protection_note_done(),
    requires: 'note',
  },
  consequence: {
    icon: Scale,
    title: m.protection_consequence_change(),
    hint: m.protection_consequence_hint(),
    done: m.protection_consequence_done(),
  },
}

interface OfferedActions {
  /** The first one is the primary button. */
  readonly buttons: readonly ModerationAction[]
  readonly menu: readonly ModerationAction[]
}

export function actionsFor({ kind, status }: Pick<ProtectionIssue, 'kind' | 'status'>): OfferedActions {
  if (status !== 'OPEN' && status !== 'ACKNOWLEDGED') return { buttons: ['reopen'], menu: ['reply', 'note'] }
  const acknowledge = status === 'OPEN' ? (['acknowledge'] as const) : []
  const menu = ['reply', 'note', 'consequence'] as const
  // Reports need a decision, so acknowledging them is not a button.
  if (kind === 'PLAYER_REPORTS') return { buttons: ['uphold-reports', 'dismiss-reports'], menu: [...acknowledge, ...menu] }
  return { buttons: [...acknowledge, 'resolve', 'dismiss'], menu }
}

/** The contract's limit for replies and notes, in code points of the trimmed text. */
export const MAX_MESSAGE = 1000

export const messageSchema = (isRequired = false) =>
  z
    .string()
    .refine((text) => !isRequired || text.trim() !== '', { error: () => m.protection_message_required() })
    .refine((text) => Array.from(text.trim()).length <= MAX_MESSAGE, { error: () => m.protection_message_too_long({ max: MAX_MESSAGE }) })

export const NO_MESSAGES = { reply: '', note: '', consequence: 'NOTICE' as Consequence }

export function moderationSchema(action: ModerationAction) {
  const { requires } = MODERATION_ACTIONS[action]
  return z.object({
    reply: messageSchema(requires === 'reply'),
    note: messageSchema(requires === 'note'),
    consequence: z.custom<Consequence>(),
  })
}
export type ModerationInput = z.output<ReturnType<typeof moderationSchema>>

export function issueChanges(action: ModerationAction, { reply, note, consequence }: ModerationInput): IssueChanges {
  const { status } = MODERATION_ACTIONS[action]
  return {
    ...(status !== undefined && { status }),
    ...(action === 'consequence' && { consequence }),
    ...(reply.trim() !== '' && { reply }),
    ...(note.trim() !== '' && { note }),
  }
}

export const updateIssue = (id: string, body: IssueChanges): Promise<IssueDetail> =>
  call('PATCH /api/admin/protection-issues/{id}', { params: { id }, body })

export function useIssueMutation<T = void>(mutationFn: (input: T) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => invalidateIssues(client) })
}

/** A ban upholds the reports in its own transaction. Without one, the owner reads the reason as a reply. */
export const useUpholdReports = ({ id, server }: ProtectionIssue) =>
  useIssueMutation(({ bans, reason, banned_until }: BanInput & { bans: boolean }) =>
    bans && server !== null
      ? call('PATCH /api/admin/tokens/{id}/ban', { params: { id: server.public_id }, body: { reason, banned_until } })
      : updateIssue(id, { status: 'RESOLVED', ...(reason !== '' && { reply: reason }) }),
  )

/** Invalidates what shows issues or their effects, including the servers and the audit log of the admin area. */
export const invalidateIssues = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [area] }) => area === PROTECTION || area === 'admin' })
