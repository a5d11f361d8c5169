/** The pages of the account: settings, benefits and downloads. The build makes one file of them, because each file costs a request. */
export { BenefitSettingsPage } from '#web/pages/benefit-settings-page.tsx'
export { BenefitsPage } from '#web/pages/benefits-page.tsx'
export { DownloadsPage } from '#web/pages/downloads-page.tsx'
export * from '#web/pages/settings/settings-pages.tsx'
export * from '#web/pages/settings/settings-webhook-pages.tsx'
