/** Statistics of the whole list, for administrators, and its summary for the login page. `contract/history/history.ts` has its numbers over time. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'
import { Time } from '#contract/text/time.ts'

/** In one reply: versions, and servers of each ranking. */
export const MAX_VERSIONS = 50
export const MAX_RANKED = 10
/** Half a year, with the current week. */
export const GROWTH_WEEKS = 26
export const PEAK_DAYS = 30
export const MAX_SUMMARY_SERVERS = 5

const counts = { servers: z.int(), players: z.int() }

const rankedServer = { public_id: z.string(), name: z.string(), icon_url: z.string().nullable() }
const TopServer = z.object({ ...rankedServer, players: z.int(), max_players: z.int() })

const Statistics = z
  .object({
    online: z.object(counts).describe('The servers on the list now, and their players.'),
    languages: z.array(z.object({ language: z.string(), ...counts })).describe('Of the servers on the list. Most players first.'),
    versions: z
      .array(z.object({ version: z.string(), ...counts }))
      .describe(`Of the servers on the list. Most players first, at most ${MAX_VERSIONS}.`),
    growth: z.object({
      servers: z.int().describe('All servers, online or not.'),
      users: z.int().describe('All users.'),
      weeks: z
        .array(z.object({ from: Time, servers: z.int(), users: z.int() }))
        .describe(
          `New servers and users by week (UTC, from Monday), oldest first. The last of the ${GROWTH_WEEKS} weeks is the current one. ` +
            'Servers and users that no longer exist are not counted.',
        ),
    }),
    top_now: z.array(TopServer).describe(`The servers on the list with the most players now, at most ${MAX_RANKED}.`),
    top_month: z
      .array(
        z.object({
          ...rankedServer,
          peak: z.int(),
          average: z.int().describe('Over the minutes in which the server was online.'),
        }),
      )
      .describe(`The servers with the highest peak in the last ${PEAK_DAYS} finished days (UTC), at most ${MAX_RANKED}.`),
  })
  .meta({ id: 'Statistics' })
export type Statistics = z.output<typeof Statistics>

export const statistics = endpoint('GET /api/admin/statistics', {
  summary: 'Get statistics of the whole list',
  description: 'Its languages and versions now, the growth by week, and the servers with the most players.',
  access: 'admin',
  reply: Statistics,
})

const ListSummary = z
  .object({
    ...counts,
    players_day: z
      .array(z.int().nullable())
      .describe('The most players of the whole list in each ten minutes of the last 24 hours. Null without data.'),
    top: z.array(TopServer).describe(`The servers with the most confirmed players, at most ${MAX_SUMMARY_SERVERS}.`),
  })
  .meta({ id: 'ListSummary' })
export type ListSummary = z.output<typeof ListSummary>

export const summary = endpoint('GET /api/public/list', {
  summary: 'Get a summary of the list',
  description: 'Only what is public on the list. At most ten seconds old.',
  access: 'public',
  reply: ListSummary,
})
