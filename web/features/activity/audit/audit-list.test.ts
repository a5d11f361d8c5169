import { expect, test } from 'vitest'
import { ACTIONS } from '#contract/events.ts'
import { auditList } from './audit-list.ts'

test('every kind of happening can be asked for at once, and nothing else', () => {
  expect(auditList.read({ action: [...ACTIONS, 'NONSENSE'] }).action).toEqual(ACTIONS)
  expect(auditList.write(auditList.read({ action: 'NONSENSE' })).action).toBeUndefined()
})
