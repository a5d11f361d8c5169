import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Delivery, Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/skeleton.tsx'
import { deliveriesOptions } from './deliveries.api.ts'
import { DeliveryPanel } from './delivery-panel.tsx'
import { hasFailed } from './delivery-texts.ts'
import { DeliveryTable } from './delivery-table.tsx'

interface DeliveryLogProps {
  webhook: Webhook
  onlyFailed: boolean
  /** The delivery whose panel is open. */
  openId: string | undefined
  onOpen: (id: string | undefined) => void
}

/** The last hundred deliveries. */
export function DeliveryLog({ webhook, onlyFailed, openId, onOpen }: DeliveryLogProps) {
  const { data: all, error, refetch } = useQuery(deliveriesOptions(webhook.id))
  if (all === undefined) {
    if (error) return <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
    return (
      <div role="status" aria-label={m.common_loading()} className="card space-y-5 p-5">
        <Skeleton className="h-5 w-36" />
        <SkeletonRows rows={5} />
      </div>
    )
  }
  const rows = onlyFailed ? all.filter(hasFailed) : all
  const isOpen = openId !== undefined
  return (
    <section aria-label={m.webhooks_tab_deliveries()}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <nav aria-label={m.webhooks_log_filter()} className="flex gap-1 rounded-6 border border-line bg-surface-1 p-0.5">
          <FilterLink id={webhook.id} isCurrent={!onlyFailed}>
            {m.webhooks_log_all()}
          </FilterLink>
          <FilterLink id={webhook.id} isCurrent={onlyFailed} failed>
            {m.webhooks_log_failed({ count: all.filter(hasFailed).length })}
          </FilterLink>
        </nav>
        <p className="text-13 text-ink-3">{m.webhooks_log_hint()}</p>
      </div>
      {rows.length > 0 ? (
        <DeliveryTable rows={rows} openId={openId} onOpen={onOpen} />
      ) : onlyFailed ? (
        <EmptyState
          title={m.webhooks_log_none_failed()}
          action={
            <Link
              to="/settings/webhooks/$webhook_id"
              params={{ webhook_id: webhook.id }}
              search={{ tab: 'deliveries' }}
              className={buttonClass()}
            >
              {m.webhooks_log_show_all()}
            </Link>
          }
        >
          {m.webhooks_log_none_failed_hint()}
        </EmptyState>
      ) : (
        <EmptyState title={m.webhooks_log_none()}>{m.webhooks_log_none_hint()}</EmptyState>
      )}
      {isOpen && (
        <DeliveryPanel
          webhook={webhook}
          id={openId}
          delivery={all.find(({ id }: Delivery) => id === openId)}
          onClose={() => onOpen(undefined)}
        />
      )}
    </section>
  )
}

interface FilterLinkProps {
  id: string
  isCurrent: boolean
  failed?: boolean
  children: ReactNode
}

function FilterLink({ id, isCurrent, failed = false, children }: FilterLinkProps) {
  return (
    <Link
      to="/settings/webhooks/$webhook_id"
      params={{ webhook_id: id }}
      search={failed ? { tab: 'deliveries', status: 'failed' } : { tab: 'deliveries' }}
      resetScroll={false}
      activeProps={{}}
      aria-current={isCurrent ? 'true' : undefined}
      className={cx(
        'inline-flex min-h-7 items-center rounded-6 px-2.5 text-13 transition-colors duration-100 pointer-coarse:min-h-11',
        isCurrent ? 'bg-surface-2 font-medium text-ink-1' : 'text-ink-2 hover:text-ink-1',
      )}
    >
      {children}
    </Link>
  )
}
