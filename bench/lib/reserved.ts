/** The first servers announce only when a part says so: what is looked for on the list is changed by nobody else. */
export const RESERVED = 32
