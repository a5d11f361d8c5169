/** What administrators do about issues. */
import { type Consequence, type IssueChanges, type IssueStatus, OPEN_STATUSES } from '#contract/protection.ts'
import type { Action } from '#contract/activity.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isViolation } from '#backend/platform/database/violation.ts'
import { conflict, invalid } from '#backend/platform/errors.ts'
import { type DomainEvent, recordEvent } from '#backend/features/events/events.ts'
import { holdForAdmin } from '#backend/features/users/administration.ts'
import { getAnyIssue, aboutIssue, noIssue } from './issues.ts'
import { type LockedIssue, holdServer, insertTimeline, lockIssue, updateIssue } from './issues.queries.ts'

const isOpen = (status: IssueStatus) => OPEN_STATUSES.some((open) => open === status)

/** Changes an issue as an administrator says. What changes nothing leaves no trace. */
export async function decide(db: Db, adminId: string, id: string, changes: IssueChanges, now: Date): Promise<void> {
  const asked = {
    status: changes.status,
    consequence: changes.consequence,
    note: changes.note === '' ? undefined : changes.note,
    reply: changes.reply === '' ? undefined : changes.reply,
  }
  if (Object.values(asked).every((value) => value === undefined)) {
    throw invalid('Say what is to change: status, consequence, note or reply.')
  }
  const { user_id: ownerId, server_id: publicId } = await getAnyIssue(db, id)
  try {
    await transaction(db, async (trx) => {
      await holdForAdmin(trx, adminId, ownerId)
      // A server before its issues; whose it is says whether something can follow for it.
      const server = publicId === null ? undefined : await holdServer(trx, publicId)
      const row = await lockIssue(trx, id)
      if (row === undefined) throw noIssue()
      await new Decision(row, asked, { adminId, now, isHis: server?.owner_id === ownerId }).write(trx)
    })
  } catch (error) {
    if (isViolation(error, 'protection_issues_one_open'))
      throw conflict('The same was found again meanwhile and is open as another issue. Look at that one.')
    throw error
  }
}

interface Asked {
  readonly status: IssueStatus | undefined
  readonly consequence: Consequence | undefined
  readonly note: string | undefined
  readonly reply: string | undefined
}

interface Circumstances {
  readonly adminId: string
  readonly now: Date
  /** Whether the server is still there and still his. */
  readonly isHis: boolean
}

/** What changes of the row. */
interface Columns {
  readonly status?: IssueStatus
  readonly ended_at?: Date | null
  readonly opened_at?: Date
  readonly consequence?: Consequence
  readonly consequence_at?: Date
  readonly is_consequence_chosen?: boolean
}

type Entry = Parameters<typeof insertTimeline>[1][number]

class Decision {
  readonly #row: LockedIssue
  readonly #asked: Asked
  readonly #by: Circumstances
  readonly #entries: Entry[] = []
  readonly #happenings: DomainEvent[] = []

  constructor(row: LockedIssue, asked: Asked, by: Circumstances) {
    this.#row = row
    this.#asked = asked
    this.#by = by
  }

  async write(trx: Db): Promise<void> {
    const { id } = this.#row
    const columns: Columns = { ...this.#status(), ...this.#consequence() }
    this.#words()
    if (Object.keys(columns).length > 0) await updateIssue(trx, id, columns)
    await insertTimeline(trx, this.#entries)
    await recordEvent(trx, ...this.#happenings)
  }

  get #next(): IssueStatus {
    return this.#asked.status ?? (this.#row.status as IssueStatus)
  }

  #status(): Columns {
    const { status, ended_at: endedAt, is_open: wasOpen } = this.#row
    const next = this.#next
    if (next === status) return {}
    const isReopened = !wasOpen && isOpen(next)
    if (isReopened && !this.#by.isHis) throw invalid('The server is deleted or was handed over, so this can not be opened again.')
    this.#entry({ kind: 'STATUS', status: next })
    this.#happened(actionOf(status as IssueStatus, next), { status }, { status: next })
    return {
      status: next,
      ended_at: isOpen(next) ? null : wasOpen || next === 'DISMISSED' ? this.#by.now : endedAt,
      // It is looked at as if it were new: its ladder and its quiet begin now.
      ...(isReopened && { opened_at: this.#by.now }),
    }
  }

  #consequence(): Columns {
    const { consequence, is_consequence_chosen: wasChosen, is_open: wasOpen } = this.#row
    const isReopened = !wasOpen && isOpen(this.#next)
    // What followed long ago does not follow again at once, unless somebody chose it.
    const next = this.#asked.consequence ?? (isReopened && !wasChosen ? 'NOTICE' : undefined)
    if (next === undefined) return {}
    if (!isOpen(this.#next)) throw invalid('This issue is over, so nothing follows from it. Open it again to set its consequence.')
    const isChosen = this.#asked.consequence !== undefined || wasChosen
    if (next === consequence && isChosen === wasChosen) return {}
    this.#entry({ kind: 'CONSEQUENCE', consequence: next })
    this.#happened('ISSUE_CONSEQUENCE_CHANGED', { consequence }, { consequence: next })
    return {
      consequence: next,
      is_consequence_chosen: isChosen,
      ...(next !== consequence && { consequence_at: this.#by.now }),
    }
  }

  #words(): void {
    const { reply, note } = this.#asked
    if (reply !== undefined) {
      this.#entry({ kind: 'REPLY', text: reply })
      this.#happened('ISSUE_REPLIED', undefined, {})
    }
    if (note !== undefined) {
      this.#entry({ kind: 'NOTE', text: note })
      this.#noted()
    }
  }

  #entry(entry: Pick<Entry, 'kind' | 'status' | 'consequence' | 'text'>): void {
    const { adminId, now } = this.#by
    this.#entries.push({ issue_id: this.#row.id, at: now, by: 'administrator', actor_id: adminId, ...entry })
  }

  #happened(action: Action, before: DomainEvent['before'], after: DomainEvent['after']): void {
    this.#happenings.push({
      action,
      as: 'administrator',
      actorId: this.#by.adminId,
      ...aboutIssue(this.#row),
      ...(before !== undefined && { before }),
      after: { issue_id: this.#row.id, kind: this.#row.kind, ...after },
    })
  }

  /** Of nobody and no server: the owner reads what is about him, and notes are among administrators. */
  #noted(): void {
    const { id, kind } = this.#row
    const after = { issue_id: id, kind }
    this.#happenings.push({ action: 'ISSUE_NOTED', as: 'administrator', actorId: this.#by.adminId, ownerId: null, after })
  }
}

function actionOf(before: IssueStatus, next: IssueStatus): Action {
  if (next === 'RESOLVED') return 'ISSUE_RESOLVED'
  if (next === 'DISMISSED') return 'ISSUE_DISMISSED'
  return next === 'ACKNOWLEDGED' && isOpen(before) ? 'ISSUE_ACKNOWLEDGED' : 'ISSUE_REOPENED'
}
