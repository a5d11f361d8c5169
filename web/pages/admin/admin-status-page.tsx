import { useQuery } from '@tanstack/react-query'
import type { Status } from '#contract/status/status.ts'
import { m } from '#messages'
import { JobsCard } from '#web/features/installation/jobs-card.tsx'
import { NodesCard } from '#web/features/installation/nodes-card.tsx'
import {
  BackupTile,
  CertificatesTile,
  DatabaseTile,
  DeletionsTile,
  DeliveriesTile,
  ListTile,
  SignedListTile,
  StorageTile,
} from '#web/features/installation/part-tiles.tsx'
import { statusOptions } from '#web/features/installation/status.api.ts'
import { StalenessNote, Summary } from '#web/features/installation/summary.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'
import { PageHeader } from '#web/ui/page-header.tsx'
import { QueryPending, Skeleton } from '#web/ui/states.tsx'

const TILES = 'grid grid-cols-1 gap-5 sm:grid-cols-2 min-[1300px]:grid-cols-4'

export function AdminStatusPage() {
  const query = useQuery(statusOptions)
  useTitle(m.installation_title())
  return (
    <>
      <PageHeader title={m.installation_title()} below={m.installation_about()} />
      <StalenessNote query={query} />
      {query.data === undefined ? (
        <QueryPending query={query}>
          <StatusSkeleton />
        </QueryPending>
      ) : (
        <StatusParts status={query.data} />
      )}
    </>
  )
}

function StatusParts({ status }: { status: Status }) {
  return (
    <div className="space-y-5">
      <Summary status={status} />
      <div className={TILES}>
        <ListTile {...status} />
        <DatabaseTile {...status} />
        <StorageTile {...status} />
        <BackupTile {...status} />
        <CertificatesTile {...status} />
        {status.signed_list && <SignedListTile signed={status.signed_list} />}
        <DeliveriesTile {...status} />
        <DeletionsTile {...status} />
      </div>
      <NodesCard {...status} />
      <JobsCard jobs={status.jobs} hasManyNodes={status.nodes.length > 1} />
    </div>
  )
}

function StatusSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()} className="space-y-5">
      <Skeleton className="h-14" />
      <div className={TILES}>
        {Array.from({ length: 7 }, (_, tile) => (
          <Skeleton key={tile} className="h-44 rounded-10" />
        ))}
      </div>
      <Skeleton className="h-44 rounded-10" />
      <Skeleton className="h-44 rounded-10" />
    </div>
  )
}
