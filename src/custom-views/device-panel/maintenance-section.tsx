import { Alert, Button } from 'antd'
import { useState } from 'react'
import { maintenances, type Maintenance } from '../../../contract/alarms/calls.ts'
import { maintainedBy } from '../../../contract/attention/attention-alarms.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useMaintenanceWords } from '../../domain/devices/maintenance-tag.tsx'
import { useMaintenances } from '../../domain/devices/use-device-notes.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'

const MaintenanceDialog = lazyPart(() => import('./maintenance-dialog.tsx'), { isOverlay: true })

interface Props {
  homeId: string
  /** The hub, or the hub of the device. */
  thingName: string | null
  /** Null for a hub. */
  peripheralUid: string | null
}

/** Maintenance of a device or hub: end, reason and author; starts and ends it. */
export function MaintenanceSection({ homeId, thingName, peripheralUid }: Props) {
  const t = useT()
  const now = useNow()
  const mayUpdate = useMay('device', 'Update')
  const all = useMaintenances()
  const [isAsking, setAsking] = useState(false)
  const end = useAction(maintenances.endMaintenance)
  const current = maintainedBy(all, now)
  const maintenance =
    peripheralUid !== null
      ? current.device({ HomeID: homeId, ThingName: thingName, PeripheralUID: peripheralUid })
      : thingName !== null
        ? current.hub({ HomeID: homeId, ThingName: thingName })
        : undefined
  if (!maintenance && !mayUpdate) return null
  const { MaintenanceID = '' } = maintenance ?? {}
  return (
    <section className={page.section}>
      <h2>{t('devices:maintenance.title')}</h2>
      {maintenance && <State maintenance={maintenance} />}
      {maintenance && mayUpdate && (
        <Button
          loading={end.busy}
          onClick={() =>
            void end.run({ HomeID: homeId, MaintenanceID }, () => tNow('devices:maintenance.ended'))
          }
        >
          {t('devices:maintenance.end')}
        </Button>
      )}
      {all && !maintenance && (
        <Button onClick={() => setAsking(true)}>{t('devices:maintenance.start')}</Button>
      )}
      {isAsking && (
        <MaintenanceDialog
          homeId={homeId}
          thingName={thingName}
          peripheralUid={peripheralUid}
          close={() => setAsking(false)}
        />
      )}
    </section>
  )
}

function State({ maintenance }: { maintenance: Maintenance }) {
  const t = useT()
  const words = useMaintenanceWords(maintenance)
  return (
    <Alert
      type="info"
      showIcon
      message={t(`devices:maintenance.of.${maintenance.Scope}`)}
      description={words}
      style={{ marginBottom: 12 }}
    />
  )
}
