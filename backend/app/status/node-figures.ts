/** What a node knows of itself. Each stores its own in the table `nodes`, so that any node can show all of them. */
import { z } from 'zod'

const wallMs = z.number().nullable()

const JobFigures = z.object({
  name: z.string(),
  every_ms: z.number(),
  is_running: z.boolean(),
  succeeded_at: wallMs,
  duration_ms: z.number().nullable(),
  failed_at: wallMs,
  failure: z.string().nullable(),
  failing_since: wallMs,
  overdue_ms: z.number(),
})
export type JobFigures = z.output<typeof JobFigures>

export const NodeFigures = z.object({
  name: z.string(),
  runs_jobs: z.boolean(),
  is_disconnected: z.boolean(),
  clock_offset_ms: z.number(),
  servers_online: z.int(),
  list_age_ms: z.number(),
  disk: z.object({ free: z.int(), size: z.int() }).nullable().describe('Null while it does not answer.'),
  images: z.enum(['folder', 'bucket']),
  images_answer: z.boolean().nullable(),
  backup: z.object({ newest_at: wallMs, next_at: z.number() }).nullable().describe('Null without BACKUP_DIR.'),
  signed_list_published_at: wallMs,
  jobs: z.array(JobFigures),
})
export type NodeFigures = z.output<typeof NodeFigures>
