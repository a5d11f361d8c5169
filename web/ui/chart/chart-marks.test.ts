import { expect, test } from 'vitest'
import { groupMarks } from './chart-data.ts'

const at = (time: number, kind: 'restart' | 'update' | 'ban') => ({ at: time, kind, text: `${kind} ${time}` })

test('marks outside the graph are left out, and close ones share the symbol of the most important', () => {
  const marks = [at(-1, 'ban'), at(0, 'restart'), at(10, 'ban'), at(15, 'update'), at(500, 'update'), at(1000, 'restart'), at(1001, 'ban')]
  expect(groupMarks(marks, 0, 1000)).toEqual([
    { position: 0, kind: 'ban', texts: ['restart 0', 'ban 10', 'update 15'] },
    { position: 0.5, kind: 'update', texts: ['update 500'] },
    { position: 1, kind: 'restart', texts: ['restart 1000'] },
  ])
})
