/** The parts of the installation, one tile each, always in the same order. */
import type { Status } from '#contract/status/status.ts'
import { m } from '#messages'
import { formatNumber, sizeText } from '#web/lib/format.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { PartTile } from './part-tile.tsx'
import { secondsText } from './seconds-text.ts'

const count = (value: number | null) => value && formatNumber(value)
const ago = (at: string | null) => at && <TimeAgo at={at} />

export function ListTile({ list }: Pick<Status, 'list'>) {
  return (
    <PartTile
      id="list"
      title={m.installation_list()}
      findings={[list]}
      main={{ label: m.installation_servers_online(), value: formatNumber(list.servers_online) }}
      facts={[
        { label: m.installation_list_age(), value: secondsText(list.age_seconds) },
        { label: m.installation_changed(), value: ago(list.published_at) ?? m.installation_never() },
      ]}
    />
  )
}

export function DatabaseTile({ database }: Pick<Status, 'database'>) {
  const { latency_seconds: latency, size_bytes: size, version, embedded, state } = database
  const isSilent = latency === null && state === 'act'
  return (
    <PartTile
      id="database"
      title={m.installation_database()}
      findings={[database]}
      main={{ label: m.installation_latency(), value: isSilent ? m.installation_silent() : latency === null ? null : secondsText(latency) }}
      facts={[
        { label: m.installation_size(), value: size === null ? null : sizeText(size) },
        {
          label: m.installation_version(),
          value: version !== null && embedded ? m.installation_embedded({ version }) : version,
        },
      ]}
    />
  )
}

export function DeliveriesTile({ deliveries }: Pick<Status, 'deliveries'>) {
  return (
    <PartTile
      id="deliveries"
      title={m.installation_deliveries()}
      findings={[deliveries]}
      main={{ label: m.installation_pending(), value: count(deliveries.pending) }}
      facts={[{ label: m.installation_overdue(), value: count(deliveries.overdue) }]}
    />
  )
}

export function DeletionsTile({ file_deletions: files, erasures }: Pick<Status, 'file_deletions' | 'erasures'>) {
  const findings = files.state === 'fine' ? ([erasures, files] as const) : ([files, erasures] as const)
  const [oldest] = [files.oldest_due_at, erasures.oldest_due_at].filter((at) => at !== null).toSorted()
  return (
    <PartTile
      id="deletions"
      title={m.installation_deletions()}
      findings={[...findings]}
      main={{ label: m.installation_accounts_due(), value: count(erasures.due) }}
      facts={[
        { label: m.installation_files_due(), value: count(files.due) },
        ...(oldest === undefined ? [] : [{ label: m.installation_oldest(), value: <TimeAgo at={oldest} /> }]),
      ]}
    />
  )
}

type Disk = Status['storage'][number]

/** Of one node, or of all below each other. */
export function StorageTile({ storage }: Pick<Status, 'storage'>) {
  const sorted = storage.toSorted((one, other) => urgency(other) - urgency(one) || (one.free_bytes ?? 0) - (other.free_bytes ?? 0))
  const [first, ...others] = sorted
  if (first === undefined) return null
  const nameOf = (disk: Disk) => (storage.length > 1 ? `${m.installation_free()}, ${disk.node}` : m.installation_free())
  return (
    <PartTile
      id="storage"
      title={m.installation_storage()}
      findings={[first, ...others.filter(({ advice }) => advice !== null && advice !== first.advice)]}
      main={{ label: nameOf(first), value: freeText(first) }}
      facts={[
        ...others.map((disk) => ({ label: nameOf(disk), value: freeText(disk) })),
        { label: m.installation_images(), value: imagesText(first) },
      ]}
    />
  )
}

const urgency = ({ state }: Disk) => ['fine', 'watch', 'act'].indexOf(state)

function freeText({ free_bytes: free, size_bytes: size }: Disk): string {
  if (free === null || size === null) return m.installation_silent()
  return m.installation_free_of({ free: sizeText(free), size: sizeText(size) })
}

function imagesText({ images, images_answer: answers }: Disk): string {
  const storage = images === 'folder' ? m.installation_folder() : m.installation_bucket()
  if (answers === null) return storage
  return answers ? m.installation_works({ storage }) : m.installation_silent()
}

export function BackupTile({ backup }: Pick<Status, 'backup'>) {
  const { configured, newest_at: newest, next_at: next } = backup
  return (
    <PartTile
      id="backup"
      title={m.installation_backup()}
      findings={[backup]}
      main={
        configured
          ? { label: m.installation_backup_newest(), value: ago(newest) ?? m.installation_never() }
          : { label: m.installation_backup_next(), value: m.installation_backup_off() }
      }
      facts={next === null ? [] : [{ label: m.installation_backup_next(), value: <TimeAgo at={next} /> }]}
    />
  )
}

/** Nothing without https addresses. */
export function CertificatesTile({ certificates }: Pick<Status, 'certificates'>) {
  const [first, ...others] = certificates.toSorted((one, other) => (one.ends_at ?? '').localeCompare(other.ends_at ?? ''))
  if (first === undefined) return null
  return (
    <PartTile
      id="certificates"
      title={m.installation_certificates()}
      findings={[first, ...others.filter(({ advice }) => advice !== first.advice)]}
      main={{ label: endOf(first), value: ago(first.ends_at) }}
      facts={others.map((other) => ({ label: endOf(other), value: ago(other.ends_at) }))}
    >
      {first.issuer !== null && <p className="mt-0.5 text-13 break-words text-ink-3">{m.installation_issuer({ issuer: first.issuer })}</p>}
    </PartTile>
  )
}

const endOf = ({ url }: { url: string }) => `${m.installation_ends()}, ${new URL(url).host}`

export function SignedListTile({ signed }: { signed: NonNullable<Status['signed_list']> }) {
  const { key, key_ends_at: endsAt, publishes, published_at: publishedAt } = signed
  return (
    <PartTile
      id="signed-list"
      title={m.installation_signed_list()}
      findings={[signed]}
      main={{ label: m.installation_key_ends(), value: ago(endsAt) }}
      facts={publishes ? [{ label: m.installation_published(), value: ago(publishedAt) ?? m.installation_never() }] : []}
    >
      <p className="mt-0.5 truncate font-mono text-12 text-ink-3">{key}</p>
    </PartTile>
  )
}
