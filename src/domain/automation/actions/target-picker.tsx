import { Checkbox, Segmented } from 'antd'
import { useState } from 'react'
import { ROOM_DEVICES, type RoomDevices } from '../../../../contract/devices/room-devices.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { EmptyState } from '../../../ui/page/states.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './actions.module.css'
import { DeviceChecklist } from './device-checklist.tsx'
import { editedTarget, targetText, type EditedAction, type TargetKey } from '../targets/target.ts'
import type { ActionFacts } from '../targets/use-action-facts.ts'
import { Modal } from '../../../ui/page/dialog.tsx'
import type { Category } from '../../../../contract/devices/kinds/device-kind.ts'
import type { DeviceRow } from '../../devices/device-rows.ts'

const CATEGORIES: Readonly<Record<RoomDevices, readonly Category[]>> = {
  lights: ['LightSwitch', 'Dimmer'],
  climate: ['Thermostat', 'TaiSEIA'],
}

/** Whether a room currently has lights or climate devices; a run evaluates this again. */
const roomHas = (rows: readonly DeviceRow[], RoomID: number, deviceFilter: RoomDevices): boolean =>
  rows.some(
    ({ RoomID: rowRoomId, type }) =>
      rowRoomId === RoomID && type !== undefined && CATEGORIES[deviceFilter].includes(type.category),
  )

type Tab = 'devices' | 'groups' | 'rooms' | 'scenes'

interface Props {
  facts: ActionFacts
  /** Existing actions. */
  actions: readonly EditedAction[]
  /** Number of actions that can still be added. */
  remainingCount: number
  allowScenes: boolean
  /** Hides the lights and climate devices of rooms. */
  notRooms?: boolean
  /** Picks a single device in place of a deleted one. */
  replaces: boolean
  close: () => void
  pick: (targets: readonly TargetKey[]) => void
}

/** Selects the targets of further actions: devices by room, groups, a room's lights or climate devices, scenes. */
export function TargetPicker({
  facts,
  actions,
  remainingCount,
  allowScenes,
  notRooms,
  replaces,
  close,
  pick,
}: Props) {
  const t = useT()
  const [tab, setTab] = useState<Tab>('devices')
  const [devices, setDevices] = useState<ReadonlySet<string>>(new Set())
  const [otherTargets, setOtherTargets] = useState<ReadonlyMap<string, TargetKey>>(new Map())
  const present = new Set(actions.map((action) => targetText(editedTarget(action))))
  const count = devices.size + otherTargets.size
  const groups = [...facts.groups.values()]
  const tabs: Tab[] = [
    'devices',
    ...(groups.length > 0 ? (['groups'] as const) : []),
    ...(notRooms ? [] : (['rooms'] as const)),
    ...(allowScenes && facts.known.scenes ? (['scenes'] as const) : []),
  ]
  const isSelected = (key: TargetKey) =>
    present.has(targetText(editedTarget(key as EditedAction))) ? t('automation:picker.present') : undefined
  const options: Record<Exclude<Tab, 'devices'>, Option[]> = {
    groups: groups.map(({ GroupID, GroupName, PeripheralList: { length: members } }) => ({
      key: { GroupID },
      label: GroupName,
      note: isSelected({ GroupID }) ?? t('automation:actions.members', { count: members }),
    })),
    rooms: facts.rooms.flatMap(({ RoomID, RoomName }) =>
      ROOM_DEVICES.filter((Only) => roomHas(facts.rows, RoomID, Only)).map((Only) => ({
        key: { RoomID, Only },
        label: t(`automation:actions.room.${Only}`, { room: RoomName }),
        note: isSelected({ RoomID, Only }),
      })),
    ),
    scenes: [...facts.scenes.values()].map(({ SceneID, SceneName }) => ({
      key: { SceneID },
      label: SceneName,
      note: isSelected({ SceneID }),
    })),
  }

  return (
    <Modal
      open
      title={t(replaces ? 'automation:picker.replace' : 'automation:picker.title')}
      width={720}
      onCancel={close}
      cancelText={t('screens:cancel')}
      okText={replaces ? t('automation:picker.replaceOk') : t('automation:picker.add', { count })}
      okButtonProps={{ disabled: count === 0 }}
      onOk={() =>
        pick([...[...devices].map((PeripheralUID) => ({ PeripheralUID })), ...otherTargets.values()])
      }
    >
      {!replaces && (
        <Segmented<Tab>
          block
          className={page.below12 ?? ''}
          aria-label={t('automation:picker.what')}
          value={tab}
          options={tabs.map((value) => ({ value, label: t(`automation:picker.tabs.${value}`) }))}
          onChange={setTab}
        />
      )}
      {tab === 'devices' ? (
        <DeviceChecklist
          rows={facts.rows}
          rooms={facts.rooms}
          selected={devices}
          onChange={setDevices}
          max={remainingCount - otherTargets.size}
          single={replaces}
          noteOf={({ id }) => isSelected({ PeripheralUID: id })}
        />
      ) : (
        <Options
          options={options[tab]}
          selected={otherTargets}
          isFull={count >= remainingCount}
          onChange={setOtherTargets}
        />
      )}
      {count >= remainingCount && !replaces && <p role="status">{t('automation:picker.full')}</p>}
    </Modal>
  )
}

interface Option {
  key: TargetKey
  label: string
  note: string | undefined
}

function Options(props: {
  options: readonly Option[]
  selected: ReadonlyMap<string, TargetKey>
  isFull: boolean
  onChange: (selected: ReadonlyMap<string, TargetKey>) => void
}) {
  const { options, selected, isFull, onChange } = props
  const t = useT()
  if (options.length === 0) return <EmptyState message={t('automation:picker.nothing')} />
  return (
    <ul className={styles.choices}>
      {options.map(({ key, label, note }) => {
        const text = targetText(editedTarget(key as EditedAction))
        return (
          <li key={text}>
            <Checkbox
              checked={selected.has(text)}
              disabled={isFull && !selected.has(text)}
              onChange={({ target }) => {
                const next = new Map(selected)
                if (target.checked) next.set(text, key)
                else next.delete(text)
                onChange(next)
              }}
            >
              <span className={page.tightRow}>
                <span className={page.words}>{label}</span>
                {note && <small>{note}</small>}
              </span>
            </Checkbox>
          </li>
        )
      })}
    </ul>
  )
}
