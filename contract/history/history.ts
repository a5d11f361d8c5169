/** Player history: of one server, of all servers of a user, and of the whole list for administrators. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { PublicIdParam } from '#contract/api/path-params.ts'
import { Time } from '#contract/text/time.ts'

/** A restart keeps its version; an update changes it. */
const SERVER_EVENT_KINDS = ['restart', 'update', 'ban', 'unban'] as const

/** The most events in one reply. */
export const MAX_SERVER_EVENTS = 200

/** Ranges that end now. */
const HISTORY_RANGES = ['24h', '7d', '31d', '1y'] as const
export type HistoryRange = (typeof HISTORY_RANGES)[number]

const HistoryQuery = z.strictObject({
  range: z.enum(HISTORY_RANGES, { error: m.mustBeOneOf('range', HISTORY_RANGES) }).default('24h'),
})

/** The ranges that can be compared with the week before: of longer ones, too little is stored. */
export const COMPARED_RANGES = ['24h', '7d'] as const satisfies readonly HistoryRange[]

const ServerHistoryQuery = HistoryQuery.extend({
  weeks_ago: z
    .enum(['0', '1'], { error: m.mustBeOneOf('weeks_ago', ['0', '1']) })
    .optional()
    .describe('1 moves the range back by a week, for comparison. Only with the ranges 24h and 7d.'),
}).refine(({ range, weeks_ago }) => weeks_ago !== '1' || (COMPARED_RANGES as readonly string[]).includes(range), {
  error: texts.input_weeks_ago_range,
  path: ['weeks_ago'],
})

/** One number per step, oldest first; null if the server was offline or there is no data. */
const Numbers = z.array(z.int().nullable())

const Peak = z
  .object({
    players: z.int(),
    at: z.iso.datetime().describe('The start of the five minutes of the peak, or of its hour or day once these are no longer stored.'),
    seconds: z.int().describe('The length of that time.'),
  })
  .nullable()

const steps = {
  range: z.enum(HISTORY_RANGES),
  from: z.iso.datetime().describe('The start of the first step. Each step starts at a multiple of its length (UTC).'),
  step_seconds: z.int(),
}

export const ServerHistory = z
  .object({
    ...steps,
    average: Numbers.describe('Over the minutes in which the server was online.'),
    highest: Numbers,
    online: Numbers.describe('Percent of minutes online. Null without data.'),
    peak: Peak,
    uptime: z.number().nullable().describe('Percent of minutes online over the whole range. Null without data.'),
  })
  .meta({ id: 'ServerHistory' })
export type ServerHistory = z.output<typeof ServerHistory>

export const ServerEvents = z
  .object({
    from: steps.from,
    events: z
      .array(
        z.object({
          at: Time,
          kind: z.enum(SERVER_EVENT_KINDS),
          version: z.string().nullable().describe('The version after a restart or an update. Null for bans.'),
          previous_version: z.string().nullable().describe('The version before. Null for bans.'),
          offline_seconds: z
            .int()
            .nullable()
            .describe('How long the server was offline before it came back. Null if it never was, and for bans.'),
        }),
      )
      .describe(`Oldest first. The newest ${MAX_SERVER_EVENTS} of the range.`),
  })
  .meta({ id: 'ServerEvents' })
export type ServerEvents = z.output<typeof ServerEvents>
export type ServerEvent = ServerEvents['events'][number]

export const ListHistory = z
  .object({
    ...steps,
    players: z.object({ average: Numbers, highest: Numbers }),
    servers: z.object({ average: Numbers, highest: Numbers }),
    peak: Peak,
  })
  .meta({ id: 'ListHistory' })
export type ListHistory = z.output<typeof ListHistory>

/** The most servers in one reply: as many as a user can own. */
export const MAX_DAY_SERVERS = 1000

export const DayHistory = z
  .object({
    from: steps.from,
    step_seconds: z.int(),
    peak: z
      .object({ players: z.int(), at: z.iso.datetime().describe('The start of the five minutes of the peak.') })
      .nullable()
      .describe('Five minutes’ average of all, or one’s highest. Null if offline.'),
    servers: z
      .array(z.object({ public_id: z.string(), highest: Numbers }))
      .describe(`Owned servers, then managed ones, in the order of the server list. At most ${MAX_DAY_SERVERS}.`),
  })
  .meta({ id: 'DayHistory' })
export type DayHistory = z.output<typeof DayHistory>

export const ofDay = endpoint('GET /api/users/tokens/dayHistory', {
  summary: 'Get the players of your servers in the last 24 hours',
  description: 'Covers the servers that the user owns or manages.',
  access: 'member',
  scope: 'history:read',
  reply: DayHistory,
})

const ofMember = {
  access: 'member',
  scope: 'history:read',
  rejections: { 404: 'No such server, or it is not yours.' },
  params: { id: PublicIdParam },
} as const

export const ofServer = endpoint('GET /api/users/tokens/{id}/history', {
  summary: 'Get the player history of a server',
  description: 'For the owner and their managers.',
  ...ofMember,
  query: ServerHistoryQuery,
  reply: ServerHistory,
})

const ofAdmin = { access: 'admin', rejections: { 404: 'No such server.' }, params: { id: PublicIdParam } } as const

export const ofAdminServer = endpoint('GET /api/admin/tokens/{id}/history', {
  summary: 'Get the player history of any server',
  ...ofAdmin,
  query: ServerHistoryQuery,
  reply: ServerHistory,
})

export const eventsOfServer = endpoint('GET /api/users/tokens/{id}/historyEvents', {
  summary: 'List the restarts, updates and bans of a server',
  description: 'For the owner and their managers. Restarts are kept for 31 days, updates for a year.',
  ...ofMember,
  query: HistoryQuery,
  reply: ServerEvents,
})

export const eventsOfAdminServer = endpoint('GET /api/admin/tokens/{id}/historyEvents', {
  summary: 'List the restarts, updates and bans of any server',
  ...ofAdmin,
  query: HistoryQuery,
  reply: ServerEvents,
})

export const ofList = endpoint('GET /api/admin/history', {
  summary: 'Get the history of the whole list',
  description: 'How many players and servers were online.',
  access: 'admin',
  query: HistoryQuery,
  reply: ListHistory,
})
