/** How long the program keeps what it stores about people. docs/operating.md has the whole table ("What is kept"). */
import { z } from 'zod'

const wholeDays = (min: number, max: number, without = '') => {
  const error = `must be a whole number of days from ${min} to ${max}${without}`
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error)
}

export const RETENTION_VARIABLES = {
  // The trigger of the table keeps the last 30 days from every deletion (migration 0031).
  AUDIT_DAYS: wholeDays(30, 36_500, '. Leave it out to keep everything')
    .optional()
    .describe('Days that activity and the audit log are kept, at least 30. Without it, they are kept forever.'),
  // Browsers keep no cookie for longer than 400 days.
  SESSION_DAYS: wholeDays(1, 365).default(30).describe('Days after which an unused session ends.'),
  DELIVERY_DAYS: wholeDays(1, 365)
    .default(30)
    .describe('Days that the log of webhook deliveries goes back. It has at most 100 of each webhook.'),
}
