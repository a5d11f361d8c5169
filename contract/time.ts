/** How a moment travels. */
import { z } from 'zod'

export const Time = z.iso.datetime().describe('ISO 8601, UTC.')
