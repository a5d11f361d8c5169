import { expect, test } from 'vitest'
import { ACTIONS } from '#contract/events/events.ts'
import { auditList } from './audit.api.ts'

test('the action filter accepts all actions at once and ignores unknown ones', () => {
  expect(auditList.read({ action: [...ACTIONS, 'NONSENSE'] }).action).toEqual(ACTIONS)
  expect(auditList.write(auditList.read({ action: 'NONSENSE' })).action).toBeUndefined()
})
