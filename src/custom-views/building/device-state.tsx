import { applies } from '../../../contract/devices/capabilities/capability.ts'
import { summaryFields } from '../../../contract/devices/kinds/field-shape.ts'
import { reportsNothing } from '../../../contract/devices/kinds/registry.ts'
import { isSilent } from '../../../contract/devices/silence.ts'
import { useStatus } from '../../data/status-store.ts'
import type { DeviceRow } from '../../domain/devices/device-rows.ts'
import { useDeviceFieldWords } from '../../domain/devices/field-words.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'

/** What a device or a hub of the room is like now, in one line. */
export function DeviceState({ row: { id, hub, device, type } }: { row: DeviceRow }) {
  const t = useT()
  const now = useNow()
  const status = useStatus(id)
  const { valueOf } = useDeviceFieldWords()
  if (!device)
    return (
      <StateTag tone={hub?.Online ? 'good' : 'offline'}>
        {t(hub?.Online ? 'devices:state.online' : 'devices:state.offline')}
      </StateTag>
    )
  if (hub?.Online === false) return <StateTag tone="offline">{t('devices:freshness.offline')}</StateTag>
  if (!status)
    return reportsNothing(type) ? null : <StateTag tone="offline">{t('devices:state.noData')}</StateTag>
  if (isSilent(device, status.Timestamp, now))
    return <StateTag tone="offline">{t('devices:state.silent')}</StateTag>
  const words = (type?.capabilities ?? [])
    .filter((one) => applies(one, status))
    .flatMap((one) => summaryFields(one).map((field) => valueOf(one, field, status[field])))
    .filter((value) => value !== undefined)
  return <span>{words.join(' · ')}</span>
}
