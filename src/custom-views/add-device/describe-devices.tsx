import { Button, Input, Select } from 'antd'
import type { FC } from 'react'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { peripheral, type Peripheral } from '../../../contract/devices/peripheral.ts'
import type { Room } from '../../../contract/homes/room.ts'
import { describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { KindIcon } from '../../ui/tags/kind-icon.tsx'
import type { ParentChoice } from './use-parent-choices.ts'
import page from '../../ui/page/page.module.css'
import styles from './add-device.module.css'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

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
    <div className={styles.question}>
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
          ...choices.map((one) => ({
            value: one.PeripheralUID,
            label: t('screens:addDevice.parent.below', { name: one.name }),
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
      <p className={styles.note}>{t('screens:addDevice.describeNote')}</p>
      <ul className={`${page.tightStack} ${styles.described}`}>
        {devices.map(({ PeripheralUID, PeripheralType, ...description }) => {
          const { PeripheralName, RoomID, ParentMeter } = description
          const choices = parents.get(PeripheralUID)
          const type = deviceType(PeripheralType)
          const reason = reasonFor(peripheral.record.shape.PeripheralName, PeripheralName)
          return (
            <li key={PeripheralUID}>
              <span className={styles.what}>
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
