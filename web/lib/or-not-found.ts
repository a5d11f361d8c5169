import { notFound } from '@tanstack/react-router'
import { isStatus } from './http-error.ts'

/** For what a page is about, read before it is entered: what is not there, or somebody else's, is a page that is not there. */
export async function orNotFound<T>(read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (isStatus(error, 404)) throw notFound()
    throw error
  }
}
