import ToolOutlined from '@ant-design/icons-svg/es/asn/ToolOutlined.js'
import { createContext } from 'react'
import { formatWhen } from '../../../contract/time/format-time.ts'
import type { Maintenance } from '../../../contract/alarms/calls.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { Icon } from '../../ui/plain/icon.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'

/** Maintenance tag; its tooltip shows the end, the reason and the user. */
export function MaintenanceTag({ maintenance }: { maintenance: Maintenance }) {
  const t = useT()
  const words = useMaintenanceWords(maintenance)
  return (
    <span title={words}>
      <StateTag tone="plain" icon={<Icon of={ToolOutlined} />}>
        {t('devices:maintenance.tag')}
      </StateTag>
    </span>
  )
}

/** End, reason and user of a maintenance in a sentence. */
export function useMaintenanceWords({ HomeID, Until, Reason, By }: Maintenance): string {
  const t = useT()
  const language = useLanguage()
  const timeZone = useTimeZone(HomeID)
  const until = formatWhen(Until, language, timeZone)
  return t('devices:maintenance.until', { until, reason: Reason, name: By })
}

/** Current maintenances for the rows of a list; one query per row would be slow in a list of thousands. */
export const DevicesInMaintenance = createContext<readonly Maintenance[]>([])
