import { expect, test } from 'vitest'
import { ISSUE_SORTS, ISSUE_STATUSES, type IssueStatus, OPEN_STATUSES } from '#contract/protection/protection.ts'
import { issuesList, statusesToUrl, statusesFromUrl } from './issues-list.ts'

test('the queue has the sort keys of the contract', () => {
  expect(Object.keys(issuesList.sorts).toSorted()).toEqual([...ISSUE_SORTS].toSorted())
})

test('the queue shows open and acknowledged issues by default', () => {
  expect(statusesFromUrl(issuesList.read({}).status)).toEqual(OPEN_STATUSES)
})

test.each<[string, readonly IssueStatus[], readonly IssueStatus[]]>([
  ['the default is left out', ['ACKNOWLEDGED', 'OPEN'], []],
  ['one status', ['RESOLVED'], ['RESOLVED']],
  ['no status means all', [], ISSUE_STATUSES],
  ['several statuses in a fixed order', ['RESOLVED', 'ACKNOWLEDGED', 'OPEN'], ['OPEN', 'ACKNOWLEDGED', 'RESOLVED']],
])('statuses in the URL: %s', (_, selected, inUrl) => {
  expect(statusesToUrl(selected)).toEqual(inUrl)
  const shown = selected.length === 0 ? ISSUE_STATUSES : ISSUE_STATUSES.filter((status) => selected.includes(status))
  expect(statusesFromUrl(inUrl)).toEqual(shown)
})
