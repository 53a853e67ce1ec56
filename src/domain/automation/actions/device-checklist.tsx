import { Checkbox } from 'antd'
import { useMemo, useState } from 'react'
import type { Room } from '../../../../contract/homes/room.ts'
import { WHOLE_LIST, ROW_KINDS, type RowKind } from '../../../../contract/lists/list-query.ts'
import { statuses } from '../../../data/status-store.ts'
import { filterRows, type DeviceRow } from '../../devices/device-rows.ts'
import { KindName } from '../../devices/kind-name.tsx'
import { RowIcon } from '../../devices/row-icon.tsx'
import { useKindName } from '../../devices/use-kind-name.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { ChoiceFilter } from '../../../ui/inputs/choice-filter.tsx'
import { SearchBox } from '../../../ui/inputs/search-box.tsx'
import page from '../../../ui/page/page.module.css'
import { EmptyState } from '../../../ui/page/states.tsx'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import styles from './actions.module.css'

interface Props {
  rows: readonly DeviceRow[]
  rooms: readonly Room[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  /** Maximum number of selected devices. */
  most: number
  /** Whether selecting a device deselects the previous one. */
  single?: boolean
  /** Note next to a device, e.g. that it was already added. */
  noteOf?: (row: DeviceRow) => string | undefined
  disabled?: boolean
}

/** Multiple selection of a home's devices, grouped by room, with search, a filter by kind and selection of whole rooms. */
export function DeviceChecklist(props: Props) {
  const { rows, rooms, chosen, onChange, most, single = false, disabled = false } = props
  const t = useT()
  const language = useLanguage()
  const kindName = useKindName()
  const [search, setSearch] = useState('')
  const [kind, setKind] = useState<RowKind>()
  const kinds = useMemo(() => {
    const there = new Set(rows.map((row) => row.kind))
    return ROW_KINDS.filter((one) => there.has(one))
  }, [rows])
  const found = filterRows(rows, { ...WHOLE_LIST, search, kind }, (row) =>
    kindName(row, statuses.get(row.id)),
  )
  const { compare } = new Intl.Collator(language, { numeric: true })
  const byRoom = rooms
    .map((room) => ({
      room,
      own: found.filter(({ RoomID }) => RoomID === room.RoomID).toSorted((a, b) => compare(a.name, b.name)),
    }))
    .filter(({ own }) => own.length > 0)

  const choose = (ids: readonly string[], on: boolean) => {
    if (single) return onChange(new Set(on ? ids.slice(0, 1) : []))
    const next = new Set(chosen)
    for (const id of ids) {
      if (!on) next.delete(id)
      else if (next.size < most) next.add(id)
    }
    onChange(next)
  }

  return (
    <div className={styles.checklist}>
      <div className={page.filters}>
        <SearchBox value={search} label={t('automation:picker.search')} search={setSearch} pause={0} />
        {kinds.length > 1 && (
          <ChoiceFilter<RowKind>
            value={kind}
            label={t('automation:picker.kind')}
            placeholder={t('automation:picker.anyKind')}
            options={kinds.map((one) => ({ value: one, label: t(`devices:categories.${one}`) }))}
            onChange={setKind}
          />
        )}
      </div>
      <div className={styles.choices} tabIndex={-1}>
        {byRoom.length === 0 && (
          <EmptyState
            drawing={rows.length === 0 ? 'hub' : 'result'}
            why={t(rows.length === 0 ? 'automation:picker.noDevices' : 'automation:picker.noMatch')}
          />
        )}
        {byRoom.map(({ room, own }) => (
          <RoomChoices
            key={room.RoomID}
            name={room.RoomName}
            own={own}
            chosen={chosen}
            single={single}
            isFull={!single && chosen.size >= most}
            choose={choose}
            noteOf={props.noteOf}
            disabled={disabled}
          />
        ))}
      </div>
    </div>
  )
}

interface RoomProps extends Pick<Props, 'chosen' | 'noteOf'> {
  name: string
  own: readonly DeviceRow[]
  single: boolean
  isFull: boolean
  disabled: boolean
  choose: (ids: readonly string[], on: boolean) => void
}

function RoomChoices({ name, own, chosen, single, isFull, disabled, choose, noteOf }: RoomProps) {
  const t = useT()
  const ids = own.map(({ id }) => id)
  const ticked = ids.filter((id) => chosen.has(id)).length
  return (
    <fieldset className={styles.room}>
      <legend>
        {single ? (
          name
        ) : (
          <Checkbox
            checked={ticked === ids.length}
            indeterminate={ticked > 0 && ticked < ids.length}
            disabled={disabled || (isFull && ticked === 0)}
            onChange={({ target }) => choose(ids, target.checked)}
          >
            {t('automation:picker.roomCount', { room: name, chosen: ticked, count: ids.length })}
          </Checkbox>
        )}
      </legend>
      <ul>
        {own.map((row) => (
          <li key={row.id}>
            <Checkbox
              checked={chosen.has(row.id)}
              disabled={disabled || (isFull && !chosen.has(row.id))}
              onChange={({ target }) => choose([row.id], target.checked)}
            >
              <span className={styles.device}>
                <RowIcon row={row} />
                <span className={styles.deviceName}>{row.name}</span>
                <small>
                  <KindName row={row} />
                </small>
                {row.hub?.Online === false && (
                  <StateTag tone="offline">{t('automation:picker.offline')}</StateTag>
                )}
                {noteOf?.(row) && <small>{noteOf(row)}</small>}
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
