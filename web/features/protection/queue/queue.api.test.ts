import { expect, test } from 'vitest'
import { ISSUE_SORTS, ISSUE_STATUSES, type IssueStatus, OPEN_STATUSES } from '#contract/protection/protection.ts'
import { issuesList } from './queue.api.ts'

test('the queue has the sort keys of the contract', () => {
  expect(Object.keys(issuesList.sorts).toSorted()).toEqual([...ISSUE_SORTS].toSorted())
})

test.each<[string, readonly IssueStatus[], readonly IssueStatus[] | undefined, readonly IssueStatus[]]>([
  ['the default is left out', ['ACKNOWLEDGED', 'OPEN'], undefined, OPEN_STATUSES],
  ['one status', ['RESOLVED'], ['RESOLVED'], ['RESOLVED']],
  ['no status means all', [], ISSUE_STATUSES, ISSUE_STATUSES],
])('statuses in the URL: %s', (_, status, inUrl, shown) => {
  const search = issuesList.write({ ...issuesList.read({}), status })
  expect(search.status).toEqual(inUrl)
  expect(issuesList.read(search).status).toEqual(shown)
})
