import { Checkbox } from 'antd'
import { useMemo, useState } from 'react'
import type { Room } from '../../../../contract/homes/room.ts'
import { WHOLE_LIST, ROW_KINDS, type RowKind } from '../../../../contract/lists/list-query.ts'
import { statuses } from '../../../data/status-store.ts'
import { filterRows, type DeviceRow } from '../../devices/device-rows.ts'
import { KindName, useKindName, RowIcon } from '../../devices/kind-name.tsx'
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
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
  /** Maximum number of selected devices. */
  max: number
  /** Whether selecting a device deselects the previous one. */
  single?: boolean
  /** Note next to a device, e.g. that it was already added. */
  noteOf?: (row: DeviceRow) => string | undefined
  disabled?: boolean
}

/** Multiple selection of a home's devices, grouped by room, with search, a filter by kind and selection of whole rooms. */
export function DeviceChecklist(props: Props) {
  const { rows, rooms, selected, onChange, max, single = false, disabled = false } = props
  const t = useT()
  const language = useLanguage()
  const kindName = useKindName()
  const [search, setSearch] = useState('')
  const [kind, setKind] = useState<RowKind>()
  const kinds = useMemo(() => {
    const existingKinds = new Set(rows.map((row) => row.kind))
    return ROW_KINDS.filter((rowKind) => existingKinds.has(rowKind))
  }, [rows])
  const matchingRows = filterRows(rows, { ...WHOLE_LIST, search, kind }, (row) =>
    kindName(row, statuses.get(row.id)),
  )
  const { compare } = new Intl.Collator(language, { numeric: true })
  const byRoom = rooms
    .map((room) => ({
      room,
      roomRows: matchingRows
        .filter(({ RoomID }) => RoomID === room.RoomID)
        .toSorted((a, b) => compare(a.name, b.name)),
    }))
    .filter(({ roomRows }) => roomRows.length > 0)

  const select = (ids: readonly string[], isSelected: boolean) => {
    if (single) return onChange(new Set(isSelected ? ids.slice(0, 1) : []))
    const next = new Set(selected)
    for (const id of ids) {
      if (!isSelected) next.delete(id)
      else if (next.size < max) next.add(id)
    }
    onChange(next)
  }

  return (
    <div className={page.tightStack}>
      <div className={page.filters}>
        <SearchBox value={search} label={t('automation:picker.search')} search={setSearch} pause={0} />
        {kinds.length > 1 && (
          <ChoiceFilter<RowKind>
            value={kind}
            label={t('automation:picker.kind')}
            placeholder={t('automation:picker.anyKind')}
            options={kinds.map((rowKind) => ({ value: rowKind, label: t(`devices:categories.${rowKind}`) }))}
            onChange={setKind}
          />
        )}
      </div>
      <div className={styles.choices} tabIndex={-1}>
        {byRoom.length === 0 && (
          <EmptyState
            drawing={rows.length === 0 ? 'hub' : 'result'}
            message={t(rows.length === 0 ? 'automation:picker.noDevices' : 'automation:picker.noMatch')}
          />
        )}
        {byRoom.map(({ room, roomRows }) => (
          <RoomChoices
            key={room.RoomID}
            name={room.RoomName}
            roomRows={roomRows}
            selected={selected}
            single={single}
            isFull={!single && selected.size >= max}
            select={select}
            noteOf={props.noteOf}
            disabled={disabled}
          />
        ))}
      </div>
    </div>
  )
}

interface RoomProps extends Pick<Props, 'selected' | 'noteOf'> {
  name: string
  roomRows: readonly DeviceRow[]
  single: boolean
  isFull: boolean
  disabled: boolean
  select: (ids: readonly string[], isSelected: boolean) => void
}

function RoomChoices({ name, roomRows, selected, single, isFull, disabled, select, noteOf }: RoomProps) {
  const t = useT()
  const ids = roomRows.map(({ id }) => id)
  const ticked = ids.filter((id) => selected.has(id)).length
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
            onChange={({ target }) => select(ids, target.checked)}
          >
            {t('automation:picker.roomCount', { room: name, chosen: ticked, count: ids.length })}
          </Checkbox>
        )}
      </legend>
      <ul>
        {roomRows.map((row) => (
          <li key={row.id}>
            <Checkbox
              checked={selected.has(row.id)}
              disabled={disabled || (isFull && !selected.has(row.id))}
              onChange={({ target }) => select([row.id], target.checked)}
            >
              <span className={page.tightRow}>
                <RowIcon row={row} />
                <span className={page.words}>{row.name}</span>
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
