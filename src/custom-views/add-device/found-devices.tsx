import { Button, Input, Select, Checkbox } from 'antd'
import type { FC } from 'react'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import {
  peripheral,
  type Peripheral,
  type DiscoveredPeripheral,
  MAX_ADDED_AT_ONCE,
} from '../../../contract/devices/peripheral.ts'
import type { Room } from '../../../contract/homes/room.ts'
import { describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { KindIcon } from '../../ui/tags/kind-icon.tsx'
import page from '../../ui/page/page.module.css'
import styles from './add-device.module.css'
import { holdsLabel } from '../../lib/match-words.ts'
import { isMeter } from '../../../contract/devices/kinds/registry.ts'
import { meterPositions, type MeterPosition } from '../../../contract/meters/meter-tree.ts'
import { useDevices } from '../../data/homes.ts'
import type { Thing } from '../../../contract/devices/thing.ts'
import { EmptyState } from '../../ui/page/states.tsx'

interface ParentChoice {
  PeripheralUID: string
  name: string
}

/** The likeliest parent first. */
const LIKELY: readonly MeterPosition[] = ['main', 'alone', 'between', 'sub']

/**
 * Possible parents of each device to be added that is a meter: the home's meters, and those added with it. Other devices, and the first
 * meter of a home, have no entry.
 */
export function useParentChoices(
  homeId: string,
  devicesToAdd: readonly (DiscoveredPeripheral & Partial<Pick<Peripheral, 'ParentMeter'>>)[],
): ReadonlyMap<string, readonly ParentChoice[]> {
  const devices = useDevices(homeId).data
  const statusOf = new Map(devices?.Statuses.map((status) => [status.PeripheralUID, status]))
  const existingMeters = (devices?.Peripherals ?? []).filter((device) =>
    isMeter(device, statusOf.get(device.PeripheralUID)),
  )
  const positions = meterPositions(existingMeters)
  const rank = ({ PeripheralUID }: Peripheral) => LIKELY.indexOf(positions.get(PeripheralUID) ?? 'sub')
  const existing = existingMeters
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ PeripheralUID, IndexName, PeripheralName }) => ({
      PeripheralUID,
      name: IndexName ?? PeripheralName,
    }))
  // A Modbus device counts as a meter once it has reported a counter, which is unknown before it is added.
  const meters = devicesToAdd.filter((device) => isMeter(device, undefined))
  return new Map(
    meters.flatMap(({ PeripheralUID }): [string, readonly ParentChoice[]][] => {
      const otherMeters = meters.filter(
        (otherMeter) =>
          otherMeter.PeripheralUID !== PeripheralUID && otherMeter.ParentMeter !== PeripheralUID,
      )
      const choices = [
        ...existing.filter((choice) => choice.PeripheralUID !== PeripheralUID),
        ...otherMeters.map((otherMeter) => ({
          PeripheralUID: otherMeter.PeripheralUID,
          name: otherMeter.PeripheralName,
        })),
      ]
      return meters.length + existing.length > 1 ? [[PeripheralUID, choices]] : []
    }),
  )
}

interface ParentQuestionProps {
  uid: string
  name: string
  choices: readonly ParentChoice[]
  /** Undefined while unanswered; null for no parent. */
  parent: string | null | undefined
  answer: (parent: string | null) => void
}

/** Asks for the meter above a new meter. Has no default: an unnoticed wrong guess would count energy twice, or lose it. */
const ParentQuestion: FC<ParentQuestionProps> = ({ uid, name, choices, parent, answer }) => {
  const t = useT()
  const id = `parent-${uid}`
  return (
    <div className={`${page.wholeRow} ${page.field}`}>
      <label htmlFor={id}>{t('screens:addDevice.parent.ask', { name })}</label>
      <Select
        id={id}
        showSearch
        filterOption={holdsLabel}
        placeholder={t('screens:addDevice.parent.choose')}
        value={parent === undefined ? null : (parent ?? '')}
        onChange={(next: string | null) => answer(next || null)}
        options={[
          { value: '', label: t('screens:addDevice.parent.none') },
          ...choices.map((choice) => ({
            value: choice.PeripheralUID,
            label: t('screens:addDevice.parent.below', { name: choice.name }),
          })),
        ]}
      />
    </div>
  )
}

export type Description = Pick<Peripheral, 'PeripheralName' | 'RoomID'> & {
  /** The meter above it, null for none; undefined while unanswered. */
  ParentMeter?: string | null
}

interface Props {
  devices: readonly (Description & Pick<Peripheral, 'PeripheralUID' | 'PeripheralType'>)[]
  rooms: readonly Room[]
  parents: ReadonlyMap<string, readonly ParentChoice[]>
  change: (uid: string, description: Description) => void
  busy: boolean
  invalid: boolean
  back: () => void
  add: () => void
}

export const DescribeDevices: FC<Props> = ({ devices, rooms, parents, change, busy, invalid, back, add }) => {
  const t = useT()
  const options = rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))
  return (
    <>
      <p className={`${page.note} ${page.below12}`}>{t('screens:addDevice.describeNote')}</p>
      <ul className={`${page.tightStack} ${styles.described}`}>
        {devices.map(({ PeripheralUID, PeripheralType, ...description }) => {
          const { PeripheralName, RoomID, ParentMeter } = description
          const choices = parents.get(PeripheralUID)
          const type = deviceType(PeripheralType)
          const reason = reasonFor(peripheral.record.shape.PeripheralName, PeripheralName)
          return (
            <li key={PeripheralUID}>
              <span className={`${page.field} ${page.grow}`}>
                <strong>
                  <KindIcon kind={type?.kind ?? 'other'} />{' '}
                  {t(type ? `devices:kinds.${type.kind}` : 'devices:kinds.other')}
                </strong>
                <span>{PeripheralUID}</span>
              </span>
              <div>
                <Input
                  value={PeripheralName}
                  maxLength={64}
                  status={reason ? 'error' : ''}
                  aria-label={`${t('resources:peripheral.fields.PeripheralName')} ${PeripheralUID}`}
                  onChange={(event) =>
                    change(PeripheralUID, { ...description, PeripheralName: event.target.value })
                  }
                />
                {reason && <small role="alert">{describeField(reason, 'PeripheralName')}</small>}
              </div>
              <Select
                showSearch
                filterOption={holdsLabel}
                value={RoomID}
                options={options}
                aria-label={`${t('resources:peripheral.fields.RoomID')} ${PeripheralUID}`}
                onChange={(next) => change(PeripheralUID, { ...description, RoomID: next })}
              />
              {choices && (
                <ParentQuestion
                  uid={PeripheralUID}
                  name={PeripheralName}
                  choices={choices}
                  parent={ParentMeter}
                  answer={(parent) => change(PeripheralUID, { ...description, ParentMeter: parent })}
                />
              )}
            </li>
          )
        })}
      </ul>
      <div className={`${page.row} ${styles.foot}`}>
        <Button onClick={back}>{t('screens:addDevice.back')}</Button>
        <Button type="primary" loading={busy} disabled={invalid} onClick={add}>
          {t('screens:addDevice.add', { count: devices.length })}
        </Button>
      </div>
    </>
  )
}

interface ChooseDevicesProps {
  discovered: readonly DiscoveredPeripheral[]
  emptyText: string
  hubs: readonly Thing[]
  selectedUids: ReadonlySet<string>
  change: (selectedUids: ReadonlySet<string>) => void
  next: () => void
}

/** Selects announced devices, at most 8 (§5). */
export const ChooseDevices: FC<ChooseDevicesProps> = ({
  discovered,
  emptyText,
  hubs,
  selectedUids,
  change,
  next,
}) => {
  const t = useT()
  const full = selectedUids.size >= MAX_ADDED_AT_ONCE
  const toggle = (uid: string) => {
    const all = new Set(selectedUids)
    if (!all.delete(uid)) all.add(uid)
    change(all)
  }
  if (discovered.length === 0 && selectedUids.size === 0) return <EmptyState message={emptyText} />
  return (
    <>
      {discovered.length === 0 && <EmptyState message={emptyText} />}
      <ul className={`${page.rows} ${styles.found}`}>
        {discovered.map(({ PeripheralUID, PeripheralName, PeripheralType, ThingName }) => {
          const type = deviceType(PeripheralType)
          const hub = hubs.find((candidate) => candidate.ThingName === ThingName)
          const checked = selectedUids.has(PeripheralUID)
          return (
            <li key={PeripheralUID}>
              <Checkbox
                checked={checked}
                disabled={!checked && full}
                aria-label={PeripheralName}
                onChange={() => toggle(PeripheralUID)}
              >
                <span className={`${page.field} ${page.grow}`}>
                  <strong>{PeripheralName}</strong>
                  <span>
                    <KindIcon kind={type?.kind ?? 'other'} />{' '}
                    {t(type ? `devices:kinds.${type.kind}` : 'devices:kinds.other')}
                    {` · ${hub?.DeviceName ?? ThingName} · ${PeripheralUID}`}
                  </span>
                </span>
              </Checkbox>
            </li>
          )
        })}
      </ul>
      <div className={`${page.row} ${styles.foot}`}>
        <span role="status">
          {t('screens:addDevice.chosen', { count: selectedUids.size, most: MAX_ADDED_AT_ONCE })}
          {full && ` · ${t('screens:addDevice.most')}`}
        </span>
        <Button type="primary" disabled={selectedUids.size === 0} onClick={next}>
          {t('screens:addDevice.next')}
        </Button>
      </div>
    </>
  )
}
