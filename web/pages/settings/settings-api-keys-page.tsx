import { m } from '#messages'
import { ApiKeysPanel } from '#web/features/api-keys/api-keys-panel.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'

export function SettingsApiKeysPage() {
  useTitle(m.nav_api_keys())
  return <ApiKeysPanel />
}
