import type { BenefitKey } from '#contract/benefits/benefits.ts'

export function isAdmin({ benefits }: { readonly benefits: readonly { readonly key: BenefitKey }[] }): boolean {
  return benefits.some(({ key }) => key === 'ADMIN')
}
