/** Errors of calls: messages, details and kinds. */
import { describe, expect, test } from 'vitest'
import { ConnectionError, detailsOf, HttpError, isConnectionError, isStatus, messageOf } from './call.ts'

const rejection = { status: 409, statusText: 'Conflict', url: '/api/users/tokens', body: null as unknown }
const reply = { statusCode: 409, errors: ['One.', 'Two.'], isBusiness: false }

test('an HttpError has the status, status text and URL', () => {
  const error = new HttpError(rejection)
  expect([error.name, error.status, error.statusText, error.url]).toEqual(['HttpError', 409, 'Conflict', '/api/users/tokens'])
  expect(isStatus(error, 409)).toBe(true)
  expect(isStatus(new Error('409'), 409)).toBe(false)
})

describe('the message', () => {
  test('joins the errors of an error body', () => {
    expect(messageOf(new HttpError({ ...rejection, body: reply }))).toBe('One., Two.')
  })

  test.each([
    ['nothing', null],
    ['a text', 'Conflict'],
    ['errors that are not strings', { ...reply, errors: [1] }],
    ['no list of errors', { ...reply, errors: 'One.' }],
    ['no status code', { errors: ['One.'], isBusiness: false }],
    ['no isBusiness', { statusCode: 409, errors: ['One.'] }],
  ])('is the status text if the body is %s', (_, body) => {
    expect(messageOf(new HttpError({ ...rejection, body }))).toBe('Conflict')
  })

  test('is the status code without a status text, as in HTTP/2', () => {
    expect(messageOf(new HttpError({ ...rejection, statusText: '' }))).toBe('Error 409')
  })

  test('of any other error or value is its own', () => {
    expect(messageOf(new TypeError('Not a function.'))).toBe('Not a function.')
    expect(messageOf('thrown as text')).toBe('thrown as text')
  })
})

test('only a business conflict has a business status', () => {
  const taken = { ...reply, isBusiness: true, businessStatus: 'NAME_ALREADY_EXISTS' }
  expect(new HttpError({ ...rejection, body: taken }).businessStatus).toBe('NAME_ALREADY_EXISTS')
  expect(new HttpError({ ...rejection, body: reply }).businessStatus).toBeUndefined()
})

test('the details have the call, status, message, time and request ID', () => {
  const details = detailsOf(new HttpError({ ...rejection, method: 'POST', requestId: 'r-1', body: reply }))?.split('\n')
  expect(details).toEqual([
    'POST /api/users/tokens',
    'Status: 409 Conflict',
    'Message: One., Two.',
    expect.stringMatching(/^Time: \d{4}-\d\d-\d\dT/),
    'Request: r-1',
  ])
  expect(detailsOf(new Error('anything'))).toBeUndefined()
})

test('a ConnectionError is a connection error, and an HttpError is not', () => {
  expect(isConnectionError(new ConnectionError(new TypeError('Failed to fetch')))).toBe(true)
  expect(isConnectionError(new HttpError(rejection))).toBe(false)
  expect(isConnectionError(new TypeError('Failed to fetch dynamically imported module: https://panel.example/a.js'))).toBe(false)
})
