/** Builds API replies for offers. The recipient also sees what blocks accepting and what accepting changes. */
import { m } from '#api-messages'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { type BenefitKey } from '#contract/benefits/benefits.ts'
import type { Consequence, IssueKind, Severity } from '#contract/protection/protection.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { translateStored } from '#backend/platform/messages/stored-text.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { imageUrl } from '#backend/core/images/image-urls.ts'
import { listOfferedIssues } from '#backend/core/protection/issue-transfer.ts'
import { tallyServers } from '#backend/core/servers/servers.ts'
import { publicUsers } from '#backend/core/users/public-users.ts'
import { allowanceOf, heldBenefits, getUser } from '#backend/core/users/users.ts'
import { type TransferRow, listTransfersOf } from './transfers.queries.ts'

type PresentDeps = Pick<Deps, 'db' | 'env'>
type Remark = ServerTransfer['effects'][number]

const remark = (code: string, message: string): Remark => ({ code, message })

const alwaysApplies = (): Remark[] => [
  remark('CREDENTIAL_ENDS', m.transfer_credential_ends()),
  remark('ADDRESS_CLEARED', m.transfer_address_cleared()),
  remark('MANAGERS_CHANGE', m.transfer_managers_change()),
]

export async function getTransfers(deps: PresentDeps, userId: string): Promise<{ outgoing: ServerTransfer[]; incoming: ServerTransfer[] }> {
  const rows = await listTransfersOf(deps.db, userId)
  if (rows.length === 0) return { outgoing: [], incoming: [] }
  const transfers = await presentTransfers(deps, userId, rows)
  return {
    outgoing: transfers.filter((transfer) => transfer.from_user.id === userId),
    incoming: transfers.filter((transfer) => transfer.to_user.id === userId),
  }
}

/** Presents offers to their sender or recipient. Leaves out those whose other user no longer exists. */
export async function presentTransfers({ db, env }: PresentDeps, userId: string, rows: readonly TransferRow[]): Promise<ServerTransfer[]> {
  const people = await publicUsers(
    db,
    rows.flatMap((row) => [row.from_user_id, row.to_user_id]),
  )
  const incoming = rows.filter((row) => row.to_user_id === userId)
  const remarks = incoming.length > 0 ? await remarksForRecipient(db, userId) : undefined
  const offeredIds = incoming.map((row) => row.server_id)
  const issues = Map.groupBy(await listOfferedIssues(db, offeredIds), (issue) => issue.server_id)
  return rows.flatMap((row) => {
    const [from, to] = [people.get(row.from_user_id), people.get(row.to_user_id)]
    if (from === undefined || to === undefined) return []
    const forRecipient = row.to_user_id === userId ? remarks : undefined
    return [
      {
        id: row.id,
        token: { public_id: row.server_id, name: row.name, icon_url: imageUrl(env, row.icon_file) },
        from_user: from,
        to_user: to,
        created_at: row.created_at.toISOString(),
        expires_at: row.ends_at.toISOString(),
        obstacles: forRecipient?.obstacles ?? [],
        effects: forRecipient?.effectsOf(row) ?? [],
        // Only for servers that are offered to this user.
        issues: (issues.get(row.server_id) ?? []).map(presentIssue),
      },
    ]
  })
}

type Issue = Awaited<ReturnType<typeof listOfferedIssues>>[number]

const presentIssue = ({ kind, severity, summary, consequence, first_seen_at: since }: Issue): ServerTransfer['issues'][number] => ({
  kind: kind as IssueKind,
  severity: severity as Severity,
  summary: translateStored(summary),
  consequence: consequence as Consequence,
  first_seen_at: since.toISOString(),
})

interface Remarks {
  readonly obstacles: Remark[]
  effectsOf(row: TransferRow): Remark[]
}

async function remarksForRecipient(db: Db, userId: string): Promise<Remarks> {
  const user = await getUser(db, userId)
  const max = allowanceOf(user).servers
  const { count, hasPromoted } = await tallyServers(db, userId)
  const held = await heldBenefits(db, user)
  const full = remark('SERVER_LIMIT', m.transfer_server_limit({ servers: count, max }))
  const hidden = (isSet: boolean, key: BenefitKey, text: (values: { benefit: string }) => string): Remark[] =>
    isSet && !held.has(key) ? [remark(`${key}_MISSING`, text({ benefit: BENEFITS[key].name() }))] : []
  return {
    obstacles: count >= max ? [full] : [],
    effectsOf: (row) => [
      ...(row.banned ? [remark('SERVER_BANNED', m.transfer_server_banned())] : []),
      ...alwaysApplies(),
      ...(row.group_id === null ? [] : [remark('GROUP_CLEARED', m.transfer_group_cleared())]),
      ...(row.has_benefit_settings ? [remark('SETTINGS_END', m.transfer_settings_end())] : []),
      ...(row.promoted && hasPromoted ? [remark('PROMOTION_GIVES_WAY', m.transfer_promotion_gives_way())] : []),
      ...hidden(row.vanity_url !== null, 'CUSTOM_VANITY_URL', m.transfer_vanity_id_hidden),
      ...hidden(row.promoted, 'PROMOTED', m.transfer_promotion_hidden),
      ...hidden(row.icon_image_id !== null, 'MASTERLIST_TOKEN_CARD_ICONS', m.transfer_icon_hidden),
    ],
  }
}
