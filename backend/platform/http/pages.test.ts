import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { openPages } from './pages.ts'

test('only the login page is marked for local sign-in, and only if no Discord application is configured', () => {
  const page = (usesLocalIdentity: boolean, url: string) =>
    openPages({ usesLocalIdentity, PUBLIC_SITE: true }).pageFor({ url, cookies: {}, headers: {} } as unknown as FastifyRequest)
  const isMarked = (usesLocalIdentity: boolean, url: string) =>
    page(usesLocalIdentity, url)?.html.includes('<div id="app" data-local-sign-in')
  expect([isMarked(true, '/login'), isMarked(false, '/login'), isMarked(true, '/servers')]).toEqual([true, false, false])
  expect(page(true, '/login')?.etag).not.toBe(page(false, '/login')?.etag)
})
