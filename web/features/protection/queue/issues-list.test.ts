import { expect, test } from 'vitest'
import { ISSUE_SORTS, ISSUE_STATUSES, type IssueStatus, OPEN_STATUSES } from '#contract/protection.ts'
import { issuesList, statusesToUrl, statusesFromUrl } from './issues-list.ts'

test('the queue is sorted by what the contract sorts by', () => {
  expect(Object.keys(issuesList.sorts).toSorted()).toEqual([...ISSUE_SORTS].toSorted())
})

test('unasked the queue shows what is in force', () => {
  expect(statusesFromUrl(issuesList.read({}).status)).toEqual(OPEN_STATUSES)
})

test.each<[string, readonly IssueStatus[], readonly IssueStatus[]]>([
  ['the usual ones are not named', ['ACKNOWLEDGED', 'OPEN'], []],
  ['one is named', ['RESOLVED'], ['RESOLVED']],
  ['none is any', [], ISSUE_STATUSES],
  ['more than the usual ones are named in their order', ['RESOLVED', 'ACKNOWLEDGED', 'OPEN'], ['OPEN', 'ACKNOWLEDGED', 'RESOLVED']],
])('statuses in the address: %s', (_, chosen, named) => {
  expect(statusesToUrl(chosen)).toEqual(named)
  const shown = chosen.length === 0 ? ISSUE_STATUSES : ISSUE_STATUSES.filter((status) => chosen.includes(status))
  expect(statusesFromUrl(named)).toEqual(shown)
})
