import { Link } from '@tanstack/react-router'
import { ArrowRightLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { BackLink } from '#web/ui/back-link.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import type { ShownServer } from './access.ts'
import { Flags } from './flags.tsx'
import { visibleAppearance } from '#web/features/servers/listing/visible-appearance.ts'
import { statusOf } from './status.ts'
import { StatusPill } from './status-pill.tsx'
import { useOutgoingTransfer } from './servers.api.ts'

export function ServerHeader({ server, note }: { server: ShownServer; note?: ReactNode }) {
  const { vanity } = visibleAppearance(server)
  return (
    <PageHeader
      above={<BackLink to="/servers">{m.nav_servers()}</BackLink>}
      title={server.name}
      beside={
        <span className="inline-flex items-center gap-2">
          <StatusPill server={server} />
          <Flags server={server} />
        </span>
      }
      below={
        <>
          <span className="inline-flex max-w-full flex-wrap items-center gap-x-1">
            <span className="font-mono text-ink-2">{server.public_id}</span>
            <CopyButton text={server.public_id} label={m.servers_header_copy_id()} />
            {vanity !== null && (
              <span className="inline-flex min-w-0 items-center gap-1">
                <span className="min-w-0 font-mono [overflow-wrap:anywhere] text-ink-2">@{vanity}</span>
                <CopyButton text={`@${vanity}`} label={m.servers_header_copy_vanity()} />
              </span>
            )}
            {statusOf(server).key === 'online' && <span className="text-ink-3">{m.servers_header_listed()}</span>}
          </span>
          <PendingTransfer server={server} />
          {note}
        </>
      }
    />
  )
}

/** Names the recipient of a pending transfer, and links to where the owner can cancel it. */
function PendingTransfer({ server: { public_id } }: { server: ShownServer }) {
  const transfer = useOutgoingTransfer(public_id)
  if (!transfer) return null
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2">
      <span className="inline-flex min-w-0 items-center gap-1.5">
        <ArrowRightLeft size={14} className="shrink-0 text-info" aria-hidden="true" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <RichText
            message={m.servers_header_transfer}
            tags={{ user: () => <strong className="font-semibold text-ink-1">{transfer.to_user.discord.username}</strong> }}
          />
        </span>
      </span>
      <Link
        to="/servers/$server_id"
        params={{ server_id: public_id }}
        search={{ tab: 'danger' }}
        resetScroll={false}
        className="inline-flex min-h-6 items-center rounded-6 text-accent underline underline-offset-2"
      >
        {m.servers_header_transfer_view()}
      </Link>
    </p>
  )
}
