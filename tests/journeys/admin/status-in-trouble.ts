/** A state of the installation in which most parts need the administrator. */
import type { Status } from '#contract/status/status.ts'

const [SECOND, HOUR, DAY] = [1000, 3_600_000, 86_400_000]
const GIB = 1024 ** 3

/** @param now wall milliseconds */
export function statusInTrouble(now: number): Status {
  const ago = (ms: number) => new Date(now - ms).toISOString()
  const fine = { state: 'fine', advice: null } as const
  const job = { every_seconds: 60, node: 'muster-1', is_running: false, failed_at: null, failure: null } as const
  const node = { release: '1.3.0+40a4806f', schema_level: 31, runs_jobs: false, is_this_node: false, guide: 'Many nodes' } as const
  const disk = { images: 'bucket', guide: 'Health and metrics', size_bytes: 80 * GIB } as const
  return {
    list: { ...fine, guide: 'When the database fails', servers_online: 4821, age_seconds: 0.25, published_at: ago(SECOND) },
    nodes: [
      {
        ...node,
        state: 'watch',
        advice: 'The clock of this node differs from the database’s. Synchronize both with NTP, for example with chrony.',
        id: '1',
        name: 'muster-1.example.net',
        is_this_node: true,
        runs_jobs: true,
        started_at: ago(9 * DAY),
        heartbeat_at: ago(SECOND),
        clock_offset_seconds: -3.4,
        servers_online: 4821,
        list_age_seconds: 0.25,
      },
      {
        ...node,
        state: 'act',
        advice: 'This node sends no heartbeats. If you did not stop it, start it again.',
        id: '2',
        name: 'muster-2.example.net',
        started_at: ago(9 * DAY),
        heartbeat_at: ago(44 * SECOND),
        clock_offset_seconds: 0.002,
        servers_online: 4820,
        list_age_seconds: 0.3,
      },
    ],
    database: {
      state: 'act',
      advice: 'The database does not answer. Check that it runs, and that this node can connect to it.',
      guide: 'When the database fails',
      version: null,
      latency_seconds: null,
      size_bytes: null,
      embedded: false,
    },
    jobs: [
      {
        ...job,
        state: 'act',
        advice: 'It fails and is retried. Its last failure says why.',
        guide: 'Back up and restore',
        name: 'back-up',
        succeeded_at: ago(53 * HOUR),
        duration_seconds: 84,
        failed_at: ago(600 * SECOND),
        failure: 'ENOSPC: no space left on device, write /backups/muster-20261128T030000Z.tar.zst.unverified',
      },
      ...['delete-old-deliveries', 'erase-due-accounts', 'publish-signed-list', 'roll-up-history', 'watch-servers'].map((name, index) => ({
        ...job,
        ...fine,
        guide: 'Health and metrics' as const,
        name,
        succeeded_at: ago((index + 1) * SECOND),
        duration_seconds: 0.004 * (index + 1),
      })),
    ],
    deliveries: {
      state: 'watch',
      advice: 'Deliveries are due, but no node sends them. Check the job “send-due-deliveries” and the log.',
      guide: 'Webhooks',
      pending: 1204,
      overdue: 17,
    },
    file_deletions: { ...fine, guide: 'Images', due: 3, oldest_due_at: ago(HOUR) },
    erasures: {
      state: 'act',
      advice: 'Some accounts are overdue for deletion. The log names each one with the reason.',
      guide: 'When people leave',
      due: 2,
      oldest_due_at: ago(5 * HOUR),
    },
    storage: [
      { ...disk, ...fine, node: 'muster-1.example.net', free_bytes: 41 * GIB, images_answer: true },
      {
        ...disk,
        state: 'watch',
        advice: 'Little space is left. Free some, or move DATA_DIR to a larger disk.',
        node: 'muster-2.example.net',
        free_bytes: 1.2 * GIB,
        images_answer: true,
      },
    ],
    backup: {
      state: 'act',
      advice: 'The newest backup is too old. The failure of the job “back-up” says why.',
      guide: 'Back up and restore',
      configured: true,
      newest_at: ago(53 * HOUR),
      next_at: new Date(now + 0.8 * HOUR).toISOString(),
    },
    signed_list: {
      state: 'watch',
      advice: 'The online key expires soon. Run “muster keys renew”, and restart all nodes with the new keys.',
      guide: 'Health and metrics',
      key: 'muster-list-2026+9c1f3a7e+AV0Yk3uJq3X8mG0m2m1sT4o0uF8yQ8r7',
      key_ends_at: new Date(now + 6 * DAY).toISOString(),
      publishes: true,
      published_at: ago(8 * SECOND),
    },
    certificates: [
      {
        state: 'watch',
        advice: 'The certificate expires soon or has expired. Renew it, and check why that did not happen automatically.',
        guide: 'Behind a proxy',
        url: 'https://panel.example.net',
        issuer: 'Let’s Encrypt, R11',
        ends_at: new Date(now + 4 * DAY).toISOString(),
      },
      {
        ...fine,
        guide: 'Behind a proxy',
        url: 'https://list.example.net',
        issuer: 'Let’s Encrypt, R11',
        ends_at: new Date(now + 61 * DAY).toISOString(),
      },
    ],
  }
}
