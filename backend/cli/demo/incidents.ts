/** The scenes in which something happens that may need an answer: issues, reports, bans, offers, managers and webhooks. */
import { DEFAULT_PUBLIC_EVENTS } from '#contract/events/public-events.ts'
import type { IssueChanges } from '#contract/protection/protection.ts'
import { REPORT_REASONS } from '#contract/protection/reports.ts'
import { PERMISSION_KEYS, type Permission } from '#contract/servers/permissions.ts'
import { systemClock } from '#backend/platform/clock.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { setManagerGrant } from '#backend/core/managers/managers.ts'
import { AddressMismatch } from '#backend/core/protection/detectors/address-mismatch.ts'
import { ImplausiblePlayers } from '#backend/core/protection/detectors/implausible-players.ts'
import { Impersonation } from '#backend/core/protection/detectors/impersonation.ts'
import { RevokedCredential } from '#backend/core/protection/detectors/revoked-credential.ts'
import { escalateAndResolveIssues } from '#backend/core/protection/escalation.ts'
import type { Finding } from '#backend/core/protection/finding.ts'
import { upsertIssues } from '#backend/core/protection/issue-upsert.ts'
import { replyTo } from '#backend/core/protection/issues.ts'
import { moderate } from '#backend/core/protection/moderation.ts'
import { reportServer } from '#backend/core/reports/reports.ts'
import { changeServerBan } from '#backend/core/servers/bans.ts'
import { offerServer } from '#backend/core/transfers/transfers.ts'
import { changeUserBan } from '#backend/core/users/bans.ts'
import { notify } from '#backend/services/notifications/notifications.ts'
import { createWebhook } from '#backend/services/webhooks/webhooks.ts'
import { ALICE, DAY_MS, type Demo, type DemoServer, IMITATION } from './cast.ts'
import { FORMER_ADDRESS, HERE } from './live-states.ts'
import type { Scene } from './story.ts'

const MINUTE_MS = 60_000
const STRANGER = '198.51.100.7'
const TTL_MS = 75_000
/** After so long, a server's owner is notified. */
const SILENCE_MS = 180_000

export const scenesOfIncidents = (demo: Demo): Scene[] =>
  [
    scenesOfSilence,
    scenesOfAlice,
    scenesOfImplausible,
    scenesOfImitation,
    scenesOfOldIssues,
    scenesOfReports,
    scenesOfPeople,
    scenesOfWebhooks,
  ].flatMap((of) => of(demo))

type Source = (server: DemoServer, from: number, to: number) => (Finding | undefined)[]

const MAX_OBSERVATIONS = 60

/** One observation a minute, or fewer, because each may be stored. */
function observations(from: number, to: number, observe: (at: number) => Finding | undefined): (Finding | undefined)[] {
  const step = Math.max(MINUTE_MS, (to - from) / MAX_OBSERVATIONS)
  return Array.from({ length: Math.floor((to - from) / step) }, (_, index) => observe(from + index * step))
}

const movedServer: Source = ({ publicId }, from, to) => {
  const detector = new AddressMismatch()
  const announce = { publicId, address: HERE, boundAddress: FORMER_ADDRESS }
  return observations(from, to, (at) => detector.rejected({ ...announce, at }))
}

const leakedCredential: Source = ({ publicId }, from, to) => {
  const detector = new RevokedCredential()
  return observations(from, to, (at) => detector.rejected({ publicId, at, address: STRANGER }))
}

const frozenPlayers: Source = ({ publicId, profile }, from, to) => {
  const detector = new ImplausiblePlayers(TTL_MS)
  const count = { publicId, players: profile.peak, slots: profile.slots }
  return Array.from({ length: (to - from) / MINUTE_MS }, (_, minute) => detector.players({ ...count, at: from + minute * MINUTE_MS }))
}

const playersAboveSlots: Source = ({ publicId, profile: { slots } }, from, to) => {
  const detector = new ImplausiblePlayers(TTL_MS)
  return observations(from, to, (at) =>
    detector.aboveSlots({ publicId, at, players: Math.round(slots * (1.6 + 0.5 * Math.sin(at))), slots }),
  )
}

/** Opens an issue as the detector would have done between these times. */
function issueScene({ db }: Demo, server: DemoServer | undefined, source: Source, from: number, to: number): Scene[] {
  if (server === undefined) return []
  const act = async () => {
    for (const finding of source(server, from, to)) if (finding !== undefined) await upsertIssues(db, [finding], new Date(finding.at))
  }
  return [{ at: from, act }]
}

/** An administrator acts on the newest issue of a server. */
function moderationScene({ db, admin }: Demo, server: DemoServer | undefined, at: number, changes: IssueChanges): Scene {
  return { at, act: async () => moderate(db, admin.id, (await newestIssue(db, server)).id, changes, new Date(at)) }
}

function newestIssue(db: Demo['db'], server: DemoServer | undefined) {
  const issues = db
    .selectFrom('protection_issues')
    .select(['id', 'user_id'])
    .where('server_id', '=', server?.publicId ?? '')
  return issues.orderBy('first_seen_at', 'desc').limit(1).executeTakeFirstOrThrow()
}

/** Owners were notified of servers that are offline. */
function scenesOfSilence({ db, servers }: Demo): Scene[] {
  return servers.flatMap((server) => {
    const { owner, profile, offlineSince } = server
    if (!offlineSince) return []
    const data = { last_announce_at: new Date(offlineSince).toISOString(), silent_seconds: SILENCE_MS / 1000, on_purpose: false }
    const act = () => {
      const subject = { public_id: server.publicId, name: profile.input.name }
      return transaction(db, (trx) => notify(trx, [{ userId: owner.id, type: 'server.offline', server: subject, data }]))
    }
    return [{ at: offlineSince + SILENCE_MS, act }]
  })
}

function scenesOfAlice(demo: Demo): Scene[] {
  const { db, now, servers } = demo
  const [moved, frozen, racing] = [servers[ALICE.moved], servers[ALICE.frozen], servers[ALICE.racing]]
  const reply = async () => {
    const { id, user_id: ownerId } = await newestIssue(db, frozen)
    const text = 'We tested a new lobby plugin that fills free slots with bots. It is switched off now.'
    await replyTo(db, { userId: ownerId, isAdmin: false }, ownerId, id, text, new Date(now - DAY_MS / 6))
  }
  return [
    ...issueScene(demo, racing, leakedCredential, now - 2 * DAY_MS, now - 1.9 * DAY_MS),
    ...issueScene(demo, frozen, frozenPlayers, now - 1.2 * DAY_MS, now - DAY_MS / 50),
    { at: now - DAY_MS / 6, act: reply },
    moderationScene(demo, frozen, now - DAY_MS / 8, { reply: 'Thank you. Please confirm that the list shows only real players.' }),
    ...issueScene(demo, moved, movedServer, now - DAY_MS / 30, now - MINUTE_MS),
  ]
}

/** Escalates like the running program, once a day. */
function scenesOfImplausible(demo: Demo): Scene[] {
  const { db, env, now, servers } = demo
  const days = Array.from({ length: 60 }, (_, day) => now - (day + 0.01) * DAY_MS)
  return [
    ...issueScene(demo, servers[37], playersAboveSlots, now - 2.5 * DAY_MS, now - DAY_MS / 3),
    ...days.map((at) => ({ at, act: () => escalateAndResolveIssues({ db, env, clock: { ...systemClock, now: () => at } }) })),
  ]
}

function scenesOfImitation(demo: Demo): Scene[] {
  const [original, imitation] = [demo.servers[ALICE.flagship], demo.servers[IMITATION]]
  if (original === undefined || imitation === undefined) return []
  const registered = ({ publicId, owner, profile, createdAt }: DemoServer, verified: boolean) => ({
    ...{ publicId, ownerId: owner.id, name: profile.input.name, verified, promoted: false, createdAt },
  })
  const source: Source = (server, at) => {
    const detector = new Impersonation()
    detector.loadServer(registered(original, true))
    return [detector.findImitation(registered(server, false), at)]
  }
  const at = imitation.createdAt + MINUTE_MS
  return [
    ...issueScene(demo, imitation, source, at, at),
    moderationScene(demo, imitation, at + DAY_MS / 4, { note: 'Asked the owner to choose another name.' }),
  ]
}

/** Issues of two months that are closed by now. */
function scenesOfOldIssues(demo: Demo): Scene[] {
  const { now, servers, random } = demo
  const outcomes: readonly (IssueChanges | undefined)[] = [
    { status: 'RESOLVED', note: 'The owner fixed it within a day.' },
    undefined,
    { status: 'DISMISSED', note: 'A tournament explains the numbers.' },
  ]
  return servers.slice(40, 64).flatMap((server, index) => {
    const from = Math.max(server.createdAt + DAY_MS, now - random.between(9, 50) * DAY_MS)
    if (from > now - 8.5 * DAY_MS || server.offlineSince === 0) return []
    const outcome = outcomes[index % outcomes.length]
    const source = [leakedCredential, playersAboveSlots, movedServer][index % 3] ?? leakedCredential
    const opened = issueScene(demo, server, source, from, from + 90 * MINUTE_MS)
    return outcome === undefined ? opened : [...opened, moderationScene(demo, server, from + DAY_MS / 3, outcome)]
  })
}

function scenesOfReports({ db, now, people, servers }: Demo): Scene[] {
  const players = people.slice(-7)
  const targets = [...players.map(() => ALICE.reported), 70, 70, 71, 90, 90, 90, 90, 121]
  const details = [
    'Half of the players stand still in one place for hours.',
    '',
    'The description promises a whitelist, but there is none.',
    '',
  ]
  return targets.map((target, index) => {
    const at = now - (6 - index * 0.4) * DAY_MS
    const report = { reason: REPORT_REASONS[(index * 2) % 5] ?? 'other', details: details[index % 4] ?? '' }
    return { at, act: () => reportServer(db, players[index % 7]?.id ?? '', servers[target]?.publicId, report, new Date(at)) }
  })
}

function scenesOfPeople({ db, env, admin, now, people, servers }: Demo): Scene[] {
  const [alice, bob, , otherOwner, fourth, fifth] = people
  const player = people.at(-8)
  const at = (days: number, act: Scene['act']) => ({ at: now - days * DAY_MS, act })
  const grant =
    (owner = alice, manager = bob, permissions: readonly Permission[] = PERMISSION_KEYS) =>
    () =>
      setManagerGrant(db, owner?.id ?? '', { user_id: manager?.id ?? '', permissions: [...permissions] })
  const offer =
    (server: DemoServer | undefined, to = bob) =>
    () =>
      offerServer(db, server?.owner.id ?? '', { token_id: server?.publicId ?? '', user_id: to?.id ?? '' })
  const firstOf = (owner = alice) => servers.find((server) => server.owner === owner)
  const serverBan = (place: number, reason: string, days?: number) => () => {
    const until = days === undefined ? null : new Date(now + days * DAY_MS).toISOString()
    return changeServerBan(db, admin.id, servers[place]?.publicId ?? '', { banned: true, reason, banned_until: until })
  }
  return [
    at(31, grant()),
    at(30, grant(alice, fourth, ['EDIT_DETAILS', 'EDIT_APPEARANCE'])),
    at(29, grant(otherOwner, alice, ['EDIT_DETAILS', 'RESET_ADDRESS'])),
    at(28, grant(fifth, people[9], ['EDIT_DETAILS'])),
    at(12, serverBan(150, 'Malware in the download that the server links to.')),
    at(4, serverBan(171, 'Repeatedly copied the names of other servers.', 10)),
    at(3, () =>
      changeUserBan(db, admin.id, player?.id ?? '', { banned: true, reason: 'Insulted other players.' }, env.ACCOUNT_DELETION_DELAY_HOURS),
    ),
    at(1.5, offer(servers[ALICE.offered])),
    at(1.1, offer(firstOf(fifth), alice)),
    at(0.9, offer(firstOf(people[11]), people[6])),
  ]
}

/** Alice's status page answers. The Discord webhook was deleted, so Muster disabled it. */
function scenesOfWebhooks({ db, env, now, people }: Demo): Scene[] {
  const parts = { db, env, clock: systemClock, registry: { get: () => undefined } }
  const common = { server_ids: [], offline_after_seconds: 180, players_above: null, enabled: true }
  const create = (kind: 'standard' | 'discord', name: string, url: string) => () =>
    createWebhook(parts, people[0]?.id ?? '', { ...common, kind, name, url, events: eventsOf(kind) })
  return [
    { at: now - 45 * DAY_MS, act: create('standard', 'Status page', 'https://hooks.example.com/harbour-nights') },
    { at: now - 1.6 * DAY_MS, act: create('discord', 'Discord #server-status', 'https://discord.com/api/webhooks/1099511627776/deleted') },
  ]
}

/** The status page isn't interested in live states, because example.com doesn't answer while the demo runs. */
const eventsOf = (kind: 'standard' | 'discord') =>
  kind === 'discord'
    ? DEFAULT_PUBLIC_EVENTS
    : DEFAULT_PUBLIC_EVENTS.filter((type) => !type.startsWith('server.')).concat('server.updated', 'transfer.accepted', 'issue.replied')
