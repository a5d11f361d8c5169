import { CircleCheck, CircleDashed, CircleX, Share2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { CopyButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { lockedReason } from '#web/features/servers/listing/entitlement.ts'
import { meOptions } from '#web/features/session/session.api.ts'

export interface Check {
  readonly state: 'done' | 'failed' | 'current' | 'pending'
  readonly text: string
  /** What to do. */
  readonly note?: ReactNode
}

/** Steps that tick themselves off. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return (
    <ol className="mt-5 space-y-3">
      {checks.map(({ state, text, note }, index) => (
        <li key={index} className={cx('flex gap-3', state === 'pending' ? 'text-ink-3' : 'text-ink-1')}>
          <span className="mt-0.5 shrink-0">
            <CheckMark state={state} />
          </span>
          <div className="min-w-0 [overflow-wrap:anywhere]">
            {text} <span className="sr-only">{stateText(state)}</span>
            {note !== undefined && <div className="mt-1 text-13 text-ink-2">{note}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}

function stateText(state: Check['state']): string {
  if (state === 'done') return m.servers_first_done()
  return state === 'failed' ? m.servers_first_failed() : m.servers_first_pending()
}

function CheckMark({ state }: Pick<Check, 'state'>) {
  if (state === 'done') return <CircleCheck size={18} className="text-ok" aria-hidden="true" />
  if (state === 'failed') return <CircleX size={18} className="text-danger" aria-hidden="true" />
  if (state === 'pending') return <CircleDashed size={18} aria-hidden="true" />
  return (
    <span className="mx-px flex size-4 text-accent">
      <span className="spinner" aria-hidden="true" />
    </span>
  )
}

interface Step {
  readonly isDone: boolean
  readonly text: string
  readonly link: Pick<LinkProps, 'to' | 'params' | 'search'>
  readonly note?: string
}

interface NextStepsProps {
  server: Server
  /** Whether the owner receives the server's events outside of the panel. */
  hasAlerts: boolean
}

/** What makes a listed server attractive. For its owner. */
export function NextSteps({ server, hasAlerts }: NextStepsProps) {
  const { data: me } = useSuspenseQuery(meOptions)
  const hasIcons = me.benefits.some(({ key }) => key === 'MASTERLIST_TOKEN_CARD_ICONS')
  const listing = { to: '/servers/$server_id', params: { server_id: server.public_id }, search: { tab: 'listing' } } as const
  const steps: Step[] = [
    { isDone: server.description !== '', text: m.servers_next_description(), link: listing },
    { isDone: server.tags.length > 0, text: m.servers_next_tags(), link: listing },
    hasIcons
      ? { isDone: server.icon_image_id !== null, text: m.servers_next_icon(), link: listing }
      : { isDone: false, text: m.servers_next_icon(), link: { to: '/benefits' }, note: lockedReason('icon_image_id') },
    { isDone: hasAlerts, text: m.servers_next_alerts(), link: { to: '/settings/webhooks/new', search: { server: server.public_id } } },
  ]
  return (
    <section aria-labelledby="next-steps" className="card p-5">
      <h2 id="next-steps" className="font-medium">
        {m.servers_next_title()}
      </h2>
      <ul className="mt-2">
        {steps.map(({ isDone, text, link, note }) => (
          <Row key={text} mark={<CheckMark state={isDone ? 'done' : 'pending'} />}>
            {isDone ? (
              <>
                {text} <span className="sr-only">{m.servers_first_done()}</span>
              </>
            ) : (
              <Link {...link} className="inline-flex min-h-6 items-center text-accent hover:underline pointer-coarse:min-h-11">
                {text}
              </Link>
            )}
            {note !== undefined && <p className="text-12 text-ink-3">{note}</p>}
          </Row>
        ))}
        {server.live && (
          <Row mark={<Share2 size={18} aria-hidden="true" />}>
            <div className="flex items-center gap-1">
              <span className="min-w-0 flex-1">{m.servers_next_share()}</span>
              <CopyButton text={server.live.address} label={m.servers_overview_address_copy()} />
            </div>
          </Row>
        )}
      </ul>
    </section>
  )
}

function Row({ mark, children }: { mark: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3 border-t border-line py-2 text-ink-2 first:border-t-0">
      <span className="shrink-0 text-ink-3">{mark}</span>
      <div className="min-w-0 flex-1">{children}</div>
    </li>
  )
}
