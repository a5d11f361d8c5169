import { notFound } from '@tanstack/react-router'
import { isStatus } from './http-error.ts'

/** For what a page is about: what is not there, or not theirs, is a page that is not there. */
export async function orNotFound<T>(read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (isStatus(error, 404)) throw notFound()
    throw error
  }
}
