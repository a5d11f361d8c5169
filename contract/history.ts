/** How many players there were: of one server for its owner and administrators, of all of one's servers, of the whole list for administrators. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What is asked for, counted back from now. */
const HISTORY_RANGES = ['24h', '7d', '31d', '1y'] as const
export type HistoryRange = (typeof HISTORY_RANGES)[number]

const HistoryQuery = z.strictObject({
  range: z.enum(HISTORY_RANGES, { error: `range must be one of ${HISTORY_RANGES.join(', ')}.` }).default('24h'),
})

/** One number for each step, the oldest first; null where the server was offline or nobody looked. */
const Numbers = z.array(z.int().nullable())

const Peak = z
  .object({
    players: z.int(),
    at: z.iso.datetime().describe('When it was: the minute, of the last eight days; else the beginning of the step that is kept.'),
    seconds: z.int().describe('How long that minute or step is.'),
  })
  .nullable()

const steps = {
  range: z.enum(HISTORY_RANGES),
  from: z.iso.datetime().describe('The beginning of the first step. Steps are even and begin at whole multiples of their length (UTC).'),
  step_seconds: z.int(),
}

export const ServerHistory = z
  .object({
    ...steps,
    average: Numbers.describe('Of the minutes of each step in which the server was online.'),
    highest: Numbers,
    online: Numbers.describe('Per cent of the minutes of each step in which the server was online; null where nobody looked.'),
    peak: Peak,
    uptime: z.number().nullable().describe('Per cent of the minutes of the whole range in which somebody looked; null where nobody did.'),
  })
  .meta({ id: 'ServerHistory' })
export type ServerHistory = z.output<typeof ServerHistory>

export const ListHistory = z
  .object({
    ...steps,
    players: z.object({ average: Numbers, highest: Numbers }),
    servers: z.object({ average: Numbers, highest: Numbers }),
    peak: Peak,
  })
  .meta({ id: 'ListHistory' })
export type ListHistory = z.output<typeof ListHistory>

/** Of how many servers the last day is answered in one call: as many as anybody can own. */
export const MAX_DAY_SERVERS = 1000

export const DayHistory = z
  .object({
    from: steps.from,
    step_seconds: z.int(),
    peak: z
      .object({ players: z.int(), at: z.iso.datetime().describe('The minute in which it was.') })
      .nullable()
      .describe(
        'The most players that all servers the user owns now had together in one minute of these steps; null where none was online.',
      ),
    servers: z
      .array(z.object({ public_id: z.string(), highest: Numbers }))
      .describe(
        `The servers the user owns, then those he manages, in the order of the list of servers: the first ${MAX_DAY_SERVERS} of them.`,
      ),
  })
  .meta({ id: 'DayHistory' })
export type DayHistory = z.output<typeof DayHistory>

export const ofDay = endpoint('GET /api/users/tokens/dayHistory', {
  summary: 'How many players each server the user owns or manages had in the last 24 hours, for graphs as small as a line of text.',
  access: 'member',
  reply: DayHistory,
})

export const ofServer = endpoint('GET /api/users/tokens/{id}/history', {
  summary: 'How many players a server of one’s own (or one managed for somebody) had.',
  access: 'member',
  query: HistoryQuery,
  reply: ServerHistory,
  rejections: { 404: 'No such server, or somebody else’s.' },
})

export const ofAdminServer = endpoint('GET /api/admin/tokens/{id}/history', {
  summary: 'The same of any server.',
  access: 'admin',
  query: HistoryQuery,
  reply: ServerHistory,
  rejections: { 404: 'No such server.' },
})

export const ofList = endpoint('GET /api/admin/history', {
  summary: 'How many players and servers there were on the whole list.',
  access: 'admin',
  query: HistoryQuery,
  reply: ListHistory,
})
