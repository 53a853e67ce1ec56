import { Select } from 'antd'
import type { FC } from 'react'
import { ROW_KINDS } from '../../../contract/rules/list/list-query.ts'
import type { Room } from '../../../contract/resources/room.ts'
import type { countRows } from '../../domain/device/device-rows.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './device-list.module.css'
import type { ListAddress } from './use-list-address.ts'

interface Props {
  address: ListAddress
  /** How many devices each choice would show. */
  counts: ReturnType<typeof countRows>
  rooms: readonly Pick<Room, 'RoomID' | 'RoomName'>[]
  /** What the path says already is not asked. */
  byKind: boolean
  byRoom: boolean
}

/** Narrows the list to a category and a room, each with how many devices it has. */
export const DeviceFilters: FC<Props> = ({ address: { kind, RoomID, change }, counts, rooms, ...asked }) => {
  const t = useT()
  return (
    <div className={page.row}>
      {asked.byKind && (
        <fieldset className={`${page.buttons} ${styles.chips}`} aria-label={t('screens:devices.byKind')}>
          <Chip
            label={t('screens:devices.anyKind')}
            count={counts.anyKind}
            pressed={kind === undefined}
            onClick={() => change({ kind: undefined })}
          />
          {ROW_KINDS.filter((one) => counts.byKind.has(one) || kind === one).map((one) => (
            <Chip
              key={one}
              label={t(`devices:categories.${one}`)}
              count={counts.byKind.get(one) ?? 0}
              pressed={kind === one}
              onClick={() => change({ kind: kind === one ? undefined : one })}
            />
          ))}
        </fieldset>
      )}
      {asked.byRoom && (
        <Select
          className={styles.room}
          allowClear
          showSearch
          optionFilterProp="label"
          value={RoomID}
          placeholder={t('screens:devices.anyRoom')}
          aria-label={t('screens:devices.byRoom')}
          onChange={(chosen?: number) => change({ RoomID: chosen })}
          options={rooms.map((room) => ({
            value: room.RoomID,
            label: t('screens:devices.roomCount', {
              room: room.RoomName,
              count: counts.byRoom.get(room.RoomID) ?? 0,
            }),
          }))}
        />
      )}
    </div>
  )
}

function Chip(props: { label: string; count: number; pressed: boolean; onClick: () => void }) {
  return (
    <button type="button" className={styles.chip} aria-pressed={props.pressed} onClick={props.onClick}>
      {props.label} <span>{props.count}</span>
    </button>
  )
}
