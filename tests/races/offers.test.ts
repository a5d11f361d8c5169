/** An offer has one outcome, and its server has at most one owner. */
import { beforeAll, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as servers from '#contract/servers/servers.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { adminUser, banUser } from '#contract/users/users-admin.ts'
import { announce, buildServer, offer } from '#tests/factories.ts'
import type { TestApp } from '#tests/harness.ts'
import { type Call, type Outcome, type SignedInUser, WIDTH, activityRows, fire, race, startRacing, newUsers, times } from './race.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startRacing()
  admin = await app.signIn('admin')
})

interface Scene {
  readonly sender: SignedInUser
  readonly recipient: SignedInUser
  readonly server: ServerWithCredential
  readonly transfer: ServerTransfer
}

async function createOffer(): Promise<Scene> {
  const [sender, recipient] = (await newUsers(app, 2)) as [SignedInUser, SignedInUser]
  const server = await buildServer(sender)
  return { sender, recipient, server, transfer: await offer(sender, server.public_id, recipient.id) }
}

/** Everything that ends an offer, its server or one of its accounts. */
const ENDS = {
  cancel: ({ sender, transfer }: Scene) => sender.call(transfers.cancel, { params: { id: transfer.id } }),
  decline: ({ recipient, transfer }: Scene) => recipient.call(transfers.cancel, { params: { id: transfer.id } }),
  remove: ({ sender, server }: Scene) => sender.call(servers.remove, { params: { id: server.public_id } }),
  banSender: ({ sender }: Scene) => admin.call(banUser, { params: { id: sender.id } }),
  banRecipient: ({ recipient }: Scene) => admin.call(banUser, { params: { id: recipient.id } }),
  leave: ({ recipient }: Scene) => recipient.call(account.requestDeletion),
  senderLeaves: ({ sender }: Scene) => sender.call(account.requestDeletion),
} as const
type End = keyof typeof ENDS
const NAMES = Object.keys(ENDS) as End[]

/** Every pair of ends. The first four pairs cover all ends, for runs with few rounds. */
const PAIRS: readonly (readonly [End, End])[] = [
  ['cancel', 'decline'],
  ['remove', 'banSender'],
  ['banRecipient', 'leave'],
  ['senderLeaves', 'cancel'],
  ['cancel', 'remove'],
  ['cancel', 'banSender'],
  ['cancel', 'banRecipient'],
  ['cancel', 'leave'],
  ['decline', 'remove'],
  ['decline', 'banSender'],
  ['decline', 'banRecipient'],
  ['decline', 'leave'],
  ['decline', 'senderLeaves'],
  ['remove', 'banRecipient'],
  ['remove', 'leave'],
  ['remove', 'senderLeaves'],
  ['banSender', 'banRecipient'],
  ['banSender', 'leave'],
  ['banSender', 'senderLeaves'],
  ['banRecipient', 'senderLeaves'],
  ['leave', 'senderLeaves'],
]

test('PAIRS has every pair of ends, and its first four cover every end', () => {
  const all = NAMES.flatMap((one, at) => NAMES.slice(at + 1).map((other) => [one, other].toSorted().join()))
  expect(PAIRS.map((pair) => pair.toSorted().join()).toSorted()).toEqual(all.toSorted())
  expect(new Set(PAIRS.slice(0, 4).flat()).size).toBe(NAMES.length)
})

const accept = ({ recipient, transfer }: Scene) => recipient.call(transfers.accept, { params: { id: transfer.id } })

const OUTCOMES = ['TRANSFER_ACCEPTED', 'TRANSFER_CANCELLED', 'TRANSFER_DECLINED', 'TRANSFER_LAPSED']

/** Alternates accepts with the other calls. Returns the kind of each call. */
function callsOf(scene: Scene, ends: readonly End[]): { kinds: ('accept' | End)[]; calls: Call[] } {
  const kinds = times(WIDTH, (index) => (index % 2 === 0 ? ('accept' as const) : (ends[(index >> 1) % ends.length] ?? 'accept')))
  return { kinds, calls: kinds.map((kind) => () => (kind === 'accept' ? accept(scene) : ENDS[kind](scene))) }
}

async function expectOneOutcome(
  scene: Scene,
  kinds: readonly ('accept' | End)[],
  outcomes: readonly Outcome[],
): Promise<string | undefined> {
  const won = (kind: 'accept' | End) => outcomes.filter(({ status }, index) => kinds[index] === kind && status < 300).length
  const { sender, recipient, server } = scene
  const rows = (await activityRows(app, { server: server.public_id })).filter(({ action }) => OUTCOMES.includes(action))
  const ends = new Set(rows.map(({ action }) => action))
  const isOpen = (await app.db.selectFrom('transfers').selectAll().where('server_id', '=', server.public_id).execute()).length === 1
  expect(ends.size, `${[...ends].join()} of ${kinds.join()}`).toBe(isOpen ? 0 : 1)
  const [end] = ends
  expect(rows).toHaveLength(isOpen ? 0 : 1)
  expect(won('accept')).toBe(end === 'TRANSFER_ACCEPTED' ? 1 : 0)
  expect(won('decline')).toBe(end === 'TRANSFER_DECLINED' ? 1 : 0)
  expect(won('cancel')).toBeLessThanOrEqual(end === 'TRANSFER_CANCELLED' ? 1 : 0)
  expect(won('remove')).toBeLessThanOrEqual(1)

  const row = await app.db.selectFrom('servers').selectAll().where('public_id', '=', server.public_id).executeTakeFirst()
  expect(row === undefined).toBe(won('remove') === 1)
  if (row !== undefined) expect(row.owner_id).toBe(end === 'TRANSFER_ACCEPTED' ? recipient.id : sender.id)
  const seen = await Promise.all([sender, recipient].map((one) => admin.call(adminUser, { params: { id: one.id } })))
  const owners = seen.flatMap(({ data }) => data.masterListTokens.map(({ user_id: owner }) => owner))
  expect(owners).toEqual(row === undefined ? [] : [row.owner_id])
  return end
}

race('of accept, cancel and decline exactly one succeeds, and is recorded once', async () => {
  const scene = await createOffer()
  const { kinds, calls } = callsOf(scene, ['cancel', 'decline'])
  const outcomes = await fire(calls)
  const end = await expectOneOutcome(scene, kinds, outcomes)
  expect(end).toBeDefined()
  expect([...new Set(outcomes.map(({ status }) => status))].toSorted()).toEqual([204, 404])
  const response = await announce(app, scene.server.credential)
  expect(response.status).toBe(end === 'TRANSFER_ACCEPTED' ? 401 : 200)
})

race('an offer that is accepted twenty times at once is accepted once', async () => {
  const scene = await createOffer()
  const kinds = times(WIDTH, () => 'accept' as const)
  expect(await expectOneOutcome(scene, kinds, await fire(kinds.map(() => () => accept(scene))))).toBe('TRANSFER_ACCEPTED')
  const [mine, theirs] = [await scene.sender.call(servers.list), await scene.recipient.call(servers.list)]
  expect([mine.data.owned.length, theirs.data.owned.length]).toEqual([0, 1])
  expect([mine.data.outgoing_transfers, theirs.data.incoming_transfers]).toEqual([[], []])
})

race('when other calls compete with an accept, the offer has at most one outcome and the server at most one owner', async (index) => {
  const scene = await createOffer()
  const { kinds, calls } = callsOf(scene, PAIRS[index % PAIRS.length] ?? [])
  await expectOneOutcome(scene, kinds, await fire(calls))
})

race('of twenty concurrent offers of one server, one succeeds', async () => {
  const [sender, ...others] = (await newUsers(app, Math.min(WIDTH, 5) + 1)) as [SignedInUser, ...SignedInUser[]]
  const server = await buildServer(sender)
  const outcomes = await fire(
    times(WIDTH, (index) => () => {
      const recipient = others[index % others.length]
      return sender.call(transfers.offer, { body: { token_id: server.public_id, user_id: recipient?.id ?? '' } })
    }),
  )
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, ...times(WIDTH - 1, () => 409)])
  const rows = await activityRows(app, { server: server.public_id })
  expect(rows.map(({ action }) => action)).toEqual(['SERVER_CREATED', 'TRANSFER_OFFERED'])
  const lists = await Promise.all(others.map((one) => one.call(servers.list)))
  expect(lists.flatMap(({ data }) => data.incoming_transfers)).toHaveLength(1)
})
