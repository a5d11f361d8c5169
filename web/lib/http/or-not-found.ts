import { notFound } from '@tanstack/react-router'
import { isStatus } from './call.ts'

/** Turns a 404 for the main resource of a page into the router's not-found error. */
export async function orNotFound<T>(resource: Promise<T>): Promise<T> {
  try {
    return await resource
  } catch (error) {
    if (isStatus(error, 404)) throw notFound()
    throw error
  }
}
