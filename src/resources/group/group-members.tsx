import { useState } from 'react'
import { MAX_GROUP_DEVICES } from '../../../contract/automation/group.ts'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { DeviceChecklist } from '../../domain/automation/actions/device-checklist.tsx'
import { useHomes, useDevices } from '../../data/homes.ts'
import { deviceRows } from '../../domain/devices/device-rows.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import page from '../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

/** Type code of signal tower sensors; those of a group must be adjacent (§5). */
const LIGHT_HOUSE = '515'

interface Props {
  HomeID: string
  value?: readonly string[]
  onChange?: (uids: string[]) => void
  disabled?: boolean
}

/** Devices of a group, all of one type: the selected type, or that of the first device. */
export function GroupMembers({ HomeID, value = [], onChange, disabled = false }: Props) {
  const t = useT()
  const home = useHomes()?.find((one) => one.HomeID === HomeID)
  const { data, error, refetch } = useDevices(HomeID)
  const [picked, setPicked] = useState<string>()
  if (!data)
    return error ? <LoadFailed error={error} retry={() => void refetch()} /> : <ListSkeleton rows={4} />
  const all = deviceRows(data).filter(({ device }) => device !== undefined)
  const known = new Map(all.map((row) => [row.id, row]))
  const gone = value.filter((uid) => !known.has(uid))
  const first = value.map((uid) => known.get(uid)?.device).find((device) => device !== undefined)
  const type = first?.PeripheralType ?? picked
  const types = [...new Set(all.map(({ device }) => device?.PeripheralType as string))]
  const rows = type === undefined ? all : all.filter(({ device }) => device?.PeripheralType === type)
  const nameOf = (code: string) => {
    const kind = deviceType(code)?.kind
    return t('automation:group.typeName', {
      kind: kind ? t(`devices:kinds.${kind}`) : t('devices:kinds.other'),
      type: code,
    })
  }
  const change = (chosen: ReadonlySet<string>) => {
    const ids = [...chosen]
    // The first device decides the type; others of the selection are dropped.
    const own = known.get(ids[0] ?? '')?.device?.PeripheralType
    onChange?.(ids.filter((id) => !known.has(id) || known.get(id)?.device?.PeripheralType === own))
  }
  return (
    <fieldset
      className={page.tightStack}
      disabled={disabled}
      aria-label={t('resources:group.fields.PeripheralList')}
    >
      <FormSelect
        aria-label={t('automation:group.type')}
        placeholder={t('automation:group.anyType')}
        allowClear
        showSearch
        filterOption={holdsLabel}
        disabled={disabled || value.length > 0}
        value={type ?? null}
        options={types.map((code) => ({ value: code, label: nameOf(code) }))}
        onChange={(next: string | undefined) => setPicked(next)}
      />
      <p className={page.hint}>
        {value.length > 0 ? t('automation:group.typeFixed') : t('automation:group.typeHint')}
        {type === LIGHT_HOUSE && ` ${t('automation:group.adjacent')}`}
      </p>
      <span className={page.count} role="status">
        {t('automation:group.chosen', { count: value.length, most: MAX_GROUP_DEVICES })}
      </span>
      {gone.length > 0 && (
        <StateTag tone="alarm">{t('automation:group.gone', { count: gone.length })}</StateTag>
      )}
      <DeviceChecklist
        rows={rows}
        rooms={home?.RoomList ?? []}
        selected={new Set(value)}
        onChange={change}
        max={MAX_GROUP_DEVICES}
        disabled={disabled}
      />
    </fieldset>
  )
}
