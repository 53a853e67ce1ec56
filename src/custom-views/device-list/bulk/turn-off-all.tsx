import { useState } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { DeviceRow } from '../../../domain/devices/device-rows.ts'
import type { BulkAction } from '../../../record-kit/bulk/bulk-run.ts'
import { ResultsDialog } from '../../../record-kit/bulk/results-dialog.tsx'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import { PlainButton } from '../../../ui/plain/plain-button.tsx'
import { switchAll, switchValues, type DeviceItem } from './actions.ts'

/** Button that turns off all listed devices that can be switched; nothing if there are none. */
export default function TurnOffAll({ rows }: { rows: readonly DeviceRow[] }) {
  const t = useT()
  const reason = useNoControl()
  const [running, setRunning] = useState<{ items: readonly DeviceItem[]; action: BulkAction<DeviceItem> }>()
  const items = rows.flatMap(({ id, name, device }): DeviceItem[] =>
    device && typeof switchValues(device, false) === 'object' ? [{ id, name, device }] : [],
  )
  return (
    <>
      {items.length > 0 && (
        <PlainButton
          disabled={reason !== undefined}
          title={reason}
          onClick={() => switchAll(items, false, (action) => setRunning({ items, action }))}
        >
          {t('lists:bulk.allOff', { count: items.length })}
        </PlainButton>
      )}
      {/* The list loses its rows while they are turned off: the results show the devices that it had. */}
      {running && <ResultsDialog {...running} close={() => setRunning(undefined)} />}
    </>
  )
}
