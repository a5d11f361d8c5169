/** What administrators see of the running installation: nodes, database, jobs, storage, backups and certificates. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'
import { Time } from '#contract/text/time.ts'

/** From harmless to urgent. */
export const STATES = ['fine', 'watch', 'act'] as const
export type State = (typeof STATES)[number]

/** Headings of docs/operating.md that say more. */
export const GUIDES = [
  'Back up and restore',
  'Behind a proxy',
  'Health and metrics',
  'Images',
  'Many nodes',
  'The database',
  'Webhooks',
  'When people leave',
  'When the database fails',
] as const
export type Guide = (typeof GUIDES)[number]

const row = <F extends z.ZodRawShape>(fields: F) =>
  z.object({
    state: z.enum(STATES).describe('`watch`: look at it soon. `act`: act now.'),
    advice: z.string().nullable().describe('What is wrong and what to do, in the language of the request. Null if nothing is.'),
    guide: z.enum(GUIDES).describe('The section of `docs/operating.md` that says more.'),
    ...fields,
  })

const nodeName = z.string().describe('The host name of a node.')

const Node = row({
  id: z.string(),
  name: nodeName,
  is_this_node: z.boolean().describe('True for the node that answers this call.'),
  runs_jobs: z.boolean().describe('True for the node that runs the jobs of the cluster.'),
  release: z.string(),
  schema_level: z.int().nullable(),
  started_at: Time,
  heartbeat_at: Time,
  clock_offset_seconds: z.number().nullable().describe('How far the clock of the database is ahead of this node’s.'),
  servers_online: z.int().nullable(),
  list_age_seconds: z.number().nullable(),
}).meta({ id: 'NodeStatus' })

const Job = row({
  name: z.string(),
  node: nodeName.nullable().describe('Where it last ran. Null if it has not run since the start.'),
  every_seconds: z.number(),
  is_running: z.boolean(),
  succeeded_at: Time.nullable(),
  duration_seconds: z.number().nullable().describe('Of the last run that succeeded.'),
  failed_at: Time.nullable(),
  failure: z.string().nullable().describe('Why it last failed.'),
}).meta({ id: 'JobStatus' })

const Deletions = row({
  due: z.int().nullable(),
  oldest_due_at: Time.nullable().describe('Since when the oldest one is due.'),
})

const Status = z
  .object({
    list: row({
      servers_online: z.int(),
      age_seconds: z.number().describe('How old the list that this node serves may be.'),
      published_at: Time.nullable().describe('When it last changed.'),
    }),
    nodes: z.array(Node),
    database: row({
      version: z.string().nullable(),
      latency_seconds: z.number().nullable().describe('Null while it does not answer.'),
      size_bytes: z.int().nullable(),
      embedded: z.boolean(),
    }),
    jobs: z.array(Job).describe('Those with a problem first.'),
    deliveries: row({
      pending: z.int().nullable().describe('Deliveries of webhooks that wait for an attempt.'),
      overdue: z.int().nullable().describe('Working webhooks with a delivery that is due, to which no node has sent for a minute.'),
    }),
    file_deletions: Deletions.describe('Files of deleted images.'),
    erasures: Deletions.describe('Accounts whose deletion is due.'),
    storage: z
      .array(
        row({
          node: nodeName,
          free_bytes: z.int().nullable().describe('Free space for `DATA_DIR`.'),
          size_bytes: z.int().nullable(),
          images: z.enum(['folder', 'bucket']),
          images_answer: z.boolean().nullable().describe('Null before the first check.'),
        }),
      )
      .describe('Of each node.'),
    backup: row({
      configured: z.boolean(),
      newest_at: Time.nullable().describe('When the newest verified backup was begun.'),
      next_at: Time.nullable(),
    }),
    signed_list: row({
      key: z.string().describe('The online key.'),
      key_ends_at: Time.nullable(),
      publishes: z.boolean().describe('False without `PUBLISH_URL`.'),
      published_at: Time.nullable(),
    }).nullable(),
    certificates: z
      .array(
        row({
          url: z.string(),
          issuer: z.string().nullable(),
          ends_at: Time.nullable(),
        }),
      )
      .describe('Of `PUBLIC_URL` and `MASTERLIST_PUBLIC_URL`, if they are https. At most an hour old.'),
  })
  .meta({ id: 'Status' })
export type Status = z.output<typeof Status>

export const status = endpoint('GET /api/admin/status', {
  summary: 'Get the state of the installation',
  description:
    'Each node stores what it knows of itself every five seconds. The rest is at most half a minute old. ' +
    'The reply waits for nothing: what does not answer is null, and its state says so.',
  access: 'admin',
  reply: Status,
})
