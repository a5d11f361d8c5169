/** The scenes in which something happens that may need an answer: issues, reports, bans, offers, managers and webhooks. */
import { DEFAULT_PUBLIC_EVENTS, type PublicEventType } from '#contract/events/public-events.ts'
import type { IssueChanges } from '#contract/protection/protection.ts'
import { REPORT_REASONS } from '#contract/protection/reports.ts'
import { PERMISSION_KEYS, type Permission } from '#contract/servers/permissions.ts'
import { systemClock } from '#backend/platform/clock.ts'
import { setManagerGrant } from '#backend/core/managers/managers.ts'
import { AddressMismatch } from '#backend/core/protection/detectors/address-mismatch.ts'
import { ImplausiblePlayers } from '#backend/core/protection/detectors/implausible-players.ts'
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
import { createWebhook } from '#backend/services/webhooks/webhooks.ts'
import { ALICE, BANNED, DAY_MS, type Demo, type DemoServer, type Person, nth } from './cast.ts'
import { FORMER_ADDRESS, HERE } from './live-states.ts'
import type { Scene } from './story.ts'

const MINUTE_MS = 60_000
const TTL_MS = 75_000

export const scenesOfIncidents = (demo: Demo): Scene[] =>
  [scenesOfIssues, scenesOfOldIssues, scenesOfReports, scenesOfPeople, scenesOfWebhooks].flatMap((of) => of(demo))

/** How the detectors of the program look at a server, once a minute. */
const DETECTORS = {
  moved({ publicId }) {
    const detector = new AddressMismatch()
    return (at) => detector.rejected({ publicId, at, address: HERE, boundAddress: FORMER_ADDRESS })
  },
  leaked({ publicId }) {
    const detector = new RevokedCredential()
    return (at) => detector.rejected({ publicId, at, address: '198.51.100.7' })
  },
  overfull({ publicId, profile: { slots } }) {
    const detector = new ImplausiblePlayers(TTL_MS)
    return (at) => detector.aboveSlots({ publicId, at, players: Math.round(slots * (1.6 + 0.5 * Math.sin(at))), slots })
  },
  frozen({ publicId, profile: { peak, slots } }) {
    const detector = new ImplausiblePlayers(TTL_MS)
    return (at) => detector.players({ publicId, at, players: peak, slots })
  },
} satisfies Record<string, (server: DemoServer) => (at: number) => Finding | undefined>

function issueScene({ db }: Demo, server: DemoServer, kind: keyof typeof DETECTORS, from: number, minutes: number): Scene {
  const act = async () => {
    const observe = DETECTORS[kind](server)
    for (let at = from; at < from + minutes * MINUTE_MS; at += MINUTE_MS) {
      const finding = observe(at)
      if (finding !== undefined) await upsertIssues(db, [finding], new Date(at))
    }
  }
  return { at: from, act }
}

/** An administrator acts on the issue of a server. */
function moderationScene({ db, admin }: Demo, server: DemoServer, at: number, changes: IssueChanges): Scene {
  return { at, act: async () => moderate(db, admin.id, await issueOf(db, server), changes, new Date(at)) }
}

async function issueOf(db: Demo['db'], { publicId }: DemoServer): Promise<string> {
  const { id } = await db.selectFrom('protection_issues').select('id').where('server_id', '=', publicId).executeTakeFirstOrThrow()
  return id
}

function scenesOfIssues(demo: Demo): Scene[] {
  const { db, env, now, servers } = demo
  const [frozen, overfull] = [nth(servers, ALICE.frozen), nth(servers, 37)]
  const repliedAt = now - DAY_MS / 6
  const reply = async () => {
    const { id } = frozen.owner
    const text = 'We tested a new lobby plugin that fills free slots with bots. It is switched off now.'
    await replyTo(db, { userId: id, isAdmin: false }, id, await issueOf(db, frozen), text, new Date(repliedAt))
  }
  const escalations = Array.from({ length: 60 }, (_, day): Scene => {
    const at = now - (day + 0.01) * DAY_MS
    return { at, act: () => escalateAndResolveIssues({ db, env, clock: { ...systemClock, now: () => at } }) }
  })
  return [
    ...Array.from({ length: 10 }, (_, time) => issueScene(demo, overfull, 'overfull', now - (2.5 - time / 4) * DAY_MS, 5)),
    issueScene(demo, nth(servers, ALICE.racing), 'leaked', now - 2 * DAY_MS, 50),
    issueScene(demo, frozen, 'frozen', now - 1.2 * DAY_MS, 28 * 60),
    { at: repliedAt, act: reply },
    moderationScene(demo, frozen, now - DAY_MS / 8, { reply: 'Thank you. Please confirm that the list shows only real players.' }),
    issueScene(demo, nth(servers, ALICE.moved), 'moved', now - DAY_MS / 30, 45),
    ...escalations,
  ]
}

/** Issues of two months that are closed by now: by an administrator, or because nothing happened again. */
function scenesOfOldIssues(demo: Demo): Scene[] {
  const { now, servers, random } = demo
  return servers.slice(40, 64).flatMap((server, index) => {
    const from = Math.max(server.createdAt + DAY_MS, now - random.between(9, 50) * DAY_MS)
    if (from > now - 8.5 * DAY_MS || server.offlineSince === 0) return []
    const close = (changes: IssueChanges) => moderationScene(demo, server, from + DAY_MS / 3, changes)
    if (index % 3 === 0) return [issueScene(demo, server, 'leaked', from, 20)]
    const [kind, status, note] =
      index % 3 === 1
        ? (['overfull', 'DISMISSED', 'A tournament explains the numbers.'] as const)
        : (['moved', 'RESOLVED', 'The owner has reset the address.'] as const)
    return [issueScene(demo, server, kind, from, 40), close({ status, note })]
  })
}

function scenesOfReports({ db, now, people, servers }: Demo): Scene[] {
  const players = people.slice(-7)
  const targets = [...players.map(() => ALICE.reported), 70, 70, 71, 90, 90, 90, 90, 121]
  const details = ['Half of the players stand still for hours.', '', 'The description promises a whitelist, but there is none.', '']
  return targets.map((target, index) => {
    const at = now - (6 - index * 0.4) * DAY_MS
    const report = { reason: nth(REPORT_REASONS, (index * 2) % 5), details: nth(details, index % 4) }
    return { at, act: () => reportServer(db, nth(players, index % 7).id, nth(servers, target).publicId, report, new Date(at)) }
  })
}

function scenesOfPeople({ db, env, admin, now, people, servers }: Demo): Scene[] {
  const [alice, bob, mira, jonas] = [nth(people, 0), nth(people, 1), nth(people, 3), nth(people, 4)]
  const grant = (owner: Person, manager: Person, ...permissions: Permission[]) =>
    setManagerGrant(db, owner.id, { user_id: manager.id, permissions })
  const offer = (server: DemoServer, to: Person) => offerServer(db, server.owner.id, { token_id: server.publicId, user_id: to.id })
  const firstOf = (person: Person) => servers.find((server) => server.owner === person) ?? nth(servers, -1)
  const ban = (place: number, reason: string) => changeServerBan(db, admin.id, nth(servers, place).publicId, { banned: true, reason })
  const banned = { banned: true, reason: 'Insulted other players.', banned_until: new Date(now + 10 * DAY_MS).toISOString() }
  const scenes: readonly [daysAgo: number, act: Scene['act']][] = [
    [31, () => grant(alice, bob, ...PERMISSION_KEYS)],
    [30, () => grant(alice, jonas, 'EDIT_DETAILS', 'EDIT_APPEARANCE')],
    [29, () => grant(mira, alice, 'EDIT_DETAILS', 'RESET_ADDRESS')],
    [28, () => grant(jonas, nth(people, 9), 'EDIT_DETAILS')],
    [5, () => ban(nth(BANNED, 0), 'Malware in the download that the server links to.')],
    [5, () => ban(nth(BANNED, 1), 'Repeatedly copied the names of other servers.')],
    [3, () => changeUserBan(db, admin.id, nth(people, -8).id, banned, env.ACCOUNT_DELETION_DELAY_HOURS)],
    [1.5, () => offer(nth(servers, ALICE.offered), bob)],
    [1.1, () => offer(firstOf(jonas), alice)],
    [0.9, () => offer(firstOf(nth(people, 11)), nth(people, 6))],
  ]
  return scenes.map(([daysAgo, act]) => ({ at: now - daysAgo * DAY_MS, act }))
}

/** Alice's status page answers. Her Discord webhook was deleted, so Muster disabled it. */
function scenesOfWebhooks({ db, env, now, people }: Demo): Scene[] {
  const parts = { db, env, clock: systemClock, registry: { get: () => undefined } }
  const common = { server_ids: [], offline_after_seconds: 180, players_above: null, enabled: true }
  const create = (kind: 'standard' | 'discord', name: string, url: string, events: PublicEventType[]) => () =>
    createWebhook(parts, nth(people, 0).id, { ...common, kind, name, url, events })
  // Without live states, because example.com doesn't answer while the demo runs.
  const events = DEFAULT_PUBLIC_EVENTS.filter((type) => !type.startsWith('server.')).concat('server.updated', 'issue.replied')
  const discord = 'https://discord.com/api/webhooks/1099511627776/deleted'
  return [
    { at: now - 45 * DAY_MS, act: create('standard', 'Status page', 'https://hooks.example.com/harbour-nights', events) },
    { at: now - 1.6 * DAY_MS, act: create('discord', 'Discord #server-status', discord, DEFAULT_PUBLIC_EVENTS) },
  ]
}
