import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ActivityEntry } from '#contract/events/activity.ts'
import { ACTIONS, ACTOR_ROLES, type ActorRole } from '#contract/events/events.ts'
import { eventSentence } from './sentence.tsx'

const PARTS = { who: 'alice', owners: 'bob’s', user: 'carol', other: 'dave', server: 'Night City', issue: 'an issue' }

const sentence = (action: ActivityEntry['action'], as: ActorRole, apiKey: string | null = null) =>
  renderToStaticMarkup(<>{eventSentence({ action, as, api_key: apiKey } as ActivityEntry, PARTS)}</>)

test.each(ACTIONS)('%s has a sentence for every role, without unknown placeholders', (action) => {
  for (const as of ACTOR_ROLES) {
    expect(sentence(action, as)).toMatch(/\w{3}/)
    expect(sentence(action, as)).not.toMatch(/[{}]/)
  }
})

test('a sentence names the API key with which the actor acted', () => {
  expect(sentence('SERVER_CREATED', 'self', 'CI')).toBe('alice created Night City with the API key “CI”')
})

test('placeholders are replaced by their parts', () => {
  expect(sentence('TRANSFER_OFFERED', 'self')).toBe('alice sent carol a transfer request for Night City')
  expect(sentence('TRANSFER_DECLINED', 'system')).toBe('The transfer of Night City was cancelled')
})
