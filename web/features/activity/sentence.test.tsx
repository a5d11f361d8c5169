import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ActivityEntry } from '#contract/activity.ts'
import { ACTIONS, ACTOR_ROLES, type ActorRole } from '#contract/events.ts'
import { eventSentence } from './sentence.tsx'

const PARTS = { who: 'alice', owners: 'bob’s', user: 'carol', other: 'dave', server: 'Night City', issue: 'an issue' }

const sentence = (action: ActivityEntry['action'], as: ActorRole) =>
  renderToStaticMarkup(<>{eventSentence({ action, as } as ActivityEntry, PARTS)}</>)

test.each(ACTIONS)('%s has words for everybody who can cause it, and only parts that exist', (action) => {
  for (const as of ACTOR_ROLES) {
    expect(sentence(action, as)).toMatch(/\w{3}/)
    expect(sentence(action, as)).not.toMatch(/[{}]/)
  }
})

test('a sentence has its parts in their places', () => {
  expect(sentence('TRANSFER_OFFERED', 'self')).toBe('alice offered Night City to carol')
  expect(sentence('TRANSFER_DECLINED', 'system')).toBe('The offer of Night City ended')
})
