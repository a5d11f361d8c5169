import { expect, test } from 'vitest'
import { ISSUE_KINDS, ISSUE_SORTS, ISSUE_STATUSES, type IssueStatus, OPEN_STATUSES, SEVERITIES } from '#contract/protection.ts'
import { issuesList, namedStatuses, shownStatuses, STATUSES } from './issues-list.ts'

test('every kind, severity, status and sort of the contract can stand in the address', () => {
  const { filters, sorts } = issuesList
  expect(ISSUE_KINDS.filter((kind) => !filters.kind.accepts(kind))).toEqual([])
  expect(SEVERITIES.filter((severity) => !filters.severity.accepts(severity))).toEqual([])
  expect(ISSUE_STATUSES.filter((status) => !filters.status.accepts(status))).toEqual([])
  expect(Object.keys(sorts).toSorted()).toEqual([...ISSUE_SORTS].toSorted())
})

test('unasked the queue shows what is in force', () => {
  expect(shownStatuses(issuesList.read({}).status)).toEqual(OPEN_STATUSES)
})

test.each<[string, readonly IssueStatus[], readonly IssueStatus[]]>([
  ['the usual ones are not named', ['ACKNOWLEDGED', 'OPEN'], []],
  ['one is named', ['RESOLVED'], ['RESOLVED']],
  ['none is any', [], STATUSES],
  ['more than the usual ones are named in their order', ['RESOLVED', 'ACKNOWLEDGED', 'OPEN'], ['OPEN', 'ACKNOWLEDGED', 'RESOLVED']],
])('statuses in the address: %s', (_, chosen, named) => {
  expect(namedStatuses(chosen)).toEqual(named)
  const shown = chosen.length === 0 ? STATUSES : STATUSES.filter((status) => chosen.includes(status))
  expect(shownStatuses(named)).toEqual(shown)
})
