import { describe, expect, test } from 'vitest'
import { ConnectionError, detailsOf, HttpError, isConnectionError, isStatus, messageOf } from './http-error.ts'

const refusal = { status: 409, statusText: 'Conflict', url: '/api/users/tokens', body: null as unknown }
const reply = { statusCode: 409, errors: ['One.', 'Two.'], isBusiness: false }

test('it carries status, status text and address', () => {
  const error = new HttpError(refusal)
  expect([error.name, error.status, error.statusText, error.url]).toEqual(['HttpError', 409, 'Conflict', '/api/users/tokens'])
  expect(isStatus(error, 409)).toBe(true)
  expect(isStatus(new Error('409'), 409)).toBe(false)
})

describe('the message', () => {
  test('is the errors joined, where the body has the shape of an error', () => {
    expect(messageOf(new HttpError({ ...refusal, body: reply }))).toBe('One., Two.')
  })

  test.each([
    ['nothing', null],
    ['a text', 'Conflict'],
    ['errors that are no texts', { ...reply, errors: [1] }],
    ['no list of errors', { ...reply, errors: 'One.' }],
    ['no status code', { errors: ['One.'], isBusiness: false }],
    ['nothing on business', { statusCode: 409, errors: ['One.'] }],
  ])('is the status text, where the body is %s', (_, body) => {
    expect(messageOf(new HttpError({ ...refusal, body }))).toBe('Conflict')
  })

  test('is the status, where HTTP/2 leaves the text out', () => {
    expect(messageOf(new HttpError({ ...refusal, statusText: '' }))).toBe('Error 409')
  })

  test('is the error’s own, where it has nothing to do with a reply', () => {
    expect(messageOf(new TypeError('Not a function.'))).toBe('Not a function.')
    expect(messageOf('thrown as text')).toBe('thrown as text')
  })
})

test('a business conflict is told from others', () => {
  const taken = { ...reply, isBusiness: true, businessStatus: 'NAME_ALREADY_EXISTS' }
  expect(new HttpError({ ...refusal, body: taken }).businessStatus).toBe('NAME_ALREADY_EXISTS')
  expect(new HttpError({ ...refusal, body: reply }).businessStatus).toBeUndefined()
})

test('the details name the call, how and when it ended, and what the backend calls it', () => {
  const details = detailsOf(new HttpError({ ...refusal, method: 'POST', requestId: 'r-1', body: reply }))?.split('\n')
  expect(details).toEqual([
    'POST /api/users/tokens',
    'Status: 409 Conflict',
    'Message: One., Two.',
    expect.stringMatching(/^Time: \d{4}-\d\d-\d\dT/),
    'Request: r-1',
  ])
  expect(detailsOf(new Error('anything'))).toBeUndefined()
})

test('no reply at all is told from a refusal', () => {
  expect(isConnectionError(new ConnectionError(new TypeError('Failed to fetch')))).toBe(true)
  expect(isConnectionError(new HttpError(refusal))).toBe(false)
})
