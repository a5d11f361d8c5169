/** The pages of the account: settings, benefits and downloads. The build makes one file of them, because each file costs a request. */
export { BenefitSettingsPage } from '#web/pages/benefit-settings-page.tsx'
export { BenefitsPage } from '#web/pages/benefits-page.tsx'
export { DownloadsPage } from '#web/pages/downloads-page.tsx'
export { SettingsLayout } from '#web/pages/settings/settings-layout.tsx'
export {
  SettingsActivityPage,
  SettingsApiKeysPage,
  SettingsDeleteAccountPage,
  SettingsManagersPage,
  SettingsNotificationsPage,
  SettingsProfilePage,
  SettingsSessionsPage,
  SettingsWebhooksPage,
} from '#web/pages/settings/settings-pages.tsx'
export { SettingsPreferencesPage } from '#web/pages/settings/settings-preferences-page.tsx'
export { SettingsTransfersPage } from '#web/pages/settings/settings-transfers-page.tsx'
export { SettingsNewWebhookPage, SettingsWebhookPage } from '#web/pages/settings/settings-webhook-pages.tsx'
