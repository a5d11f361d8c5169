import { createStore } from '#web/lib/store.ts'

/** Whether the shown data is current. Times are on the server's clock. */
type Connection = { state: 'open' } | { state: 'lost'; since: number; retryAt: number }

/** Lost if neither the stream nor polling works. */
export const connection = createStore<Connection>({ state: 'open' })
export const useConnection = connection.use
