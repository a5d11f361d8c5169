import { inject } from 'vitest'
import { copyFolder } from './program.ts'

/** A data folder as a first start and an orderly shutdown leave it. A copy costs much less than creating one. */
export const preparedFolder = (): string => copyFolder(inject('preparedFolder'))
