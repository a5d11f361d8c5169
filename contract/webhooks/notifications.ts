/** The inbox: what happened to a user's servers and account, and what needs their answer. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { booleanParam } from '#contract/api/paging.ts'
import { NOTIFICATION_TYPES } from '#contract/events/public-events.ts'
import { Time } from '#contract/text/time.ts'

/** Notifications per page. Pinned ones come on top of them. */
export const NOTIFICATIONS_PAGE = 30

/** IDs in one call. */
const MAX_READ_IDS = 100

/** Days that a notification is kept. */
export const NOTIFICATION_DAYS = 90

export const Notification = z
  .object({
    id: z.string(),
    type: z.enum(NOTIFICATION_TYPES).meta({ id: 'NotificationType' }),
    at: Time,
    read_at: Time.nullable().describe('Null if unread.'),
    pinned: z.boolean().describe('Whether it still needs an answer. Reading it does not unpin it.'),
    count: z.int().describe('How many notifications the entry has.'),
    title: z.string().describe('A few words.'),
    body: z.string().describe('One or two sentences.'),
    server: z
      .object({ public_id: z.string(), name: z.string(), url: z.string() })
      .nullable()
      .describe('With the name at that time. Null if the entry is about no server, or about several, which `body` names.'),
    link: z.string().describe('Where to read more or answer: a path of the panel.'),
  })
  .meta({ id: 'Notification' })
export type Notification = z.output<typeof Notification>

const NotificationsQuery = z.strictObject({
  before: z
    .uuid({ error: texts.input_before_invalid })
    .toLowerCase()
    .optional()
    .describe('The ID of the last notification on the previous page.'),
  unread: booleanParam('unread').describe('Only unread notifications.'),
})

const NotificationList = z
  .object({
    data: z.array(Notification),
    unread: z.int().describe('All unread entries, not only those on this page.'),
    has_more: z.boolean().describe('Whether there is another page.'),
  })
  .meta({ id: 'NotificationList' })
export type NotificationList = z.output<typeof NotificationList>

export const list = endpoint('GET /api/users/notifications', {
  summary: 'List your notifications',
  description:
    `Newest first, ${NOTIFICATIONS_PAGE} entries a page. Notifications about servers share an entry if they have the same type and minute, except those that can need an answer. The first page starts with the pinned ones, which no other page repeats. ` +
    `Kept for ${NOTIFICATION_DAYS} days. Your own actions do not notify you.`,
  access: 'member',
  query: NotificationsQuery,
  envelope: 'bare',
  reply: NotificationList,
})

const NotificationsRead = z
  .strictObject({
    ids: z
      .array(z.uuid({ error: texts.input_ids_not_list }).toLowerCase(), { error: texts.input_ids_not_list })
      .min(1, { error: texts.input_ids_empty })
      .max(MAX_READ_IDS, { error: m.namesTooManyNotifications('ids', MAX_READ_IDS) })
      .optional(),
    all: z.literal(true, { error: texts.input_all_invalid }).optional(),
  })
  .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), { error: texts.input_ids_or_all })

export const markRead = endpoint('POST /api/users/notifications/read', {
  summary: 'Mark notifications as read',
  description: 'The entries in `ids`, or all. IDs that are not yours, or no longer exist, are ignored.',
  access: 'member',
  body: NotificationsRead,
  reply: z.object({ unread: z.int().describe('How many entries are still unread.') }),
})
