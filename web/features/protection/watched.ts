/** For administrators: the events of the stream are told to an issue's owner, so what they look at is asked for anew. */

/** How often an administrator's view is read anew, and that it is whenever it is entered. */
export const WATCHED = { refetchInterval: 10_000, refetchOnMount: 'always', retryOnMount: true } as const
