import { useQuery } from '@tanstack/react-query'
import { Button, Form } from 'antd'
import { useState, type FC } from 'react'
import { capabilityOf, deviceType, measuresVoltage } from '../../../contract/devices/kinds/registry.ts'
import {
  Peripheral,
  peripheral,
  peripheralCalls,
  PULSE_DURATIONS,
} from '../../../contract/devices/peripheral.ts'
import { canBeSilent } from '../../../contract/devices/device-health.ts'
import type { Room } from '../../../contract/homes/room.ts'
import { call } from '../../data/api.ts'
import { devicesQuery } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { FollowedConflict } from '../../record-kit/record-conflict.tsx'
import { nameOf, RecordForm, type FormField } from '../../record-kit/record-form.tsx'
import { useTrackedRecord } from '../../record-kit/use-tracked-record.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { NumberWithUnit } from '../../ui/inputs/number-with-unit.tsx'
import { ModbusTableSelect } from '../../domain/modbus-table/modbus-table-select.tsx'
import styles from './device-panel.module.css'
import { useSettingWords } from './use-setting-words.ts'
import { holdsLabel } from '../../lib/match-words.ts'
import { series } from '../../ui/theme/theme.ts'
import page from '../../ui/page/page.module.css'

interface Props {
  /** Form value: #rrggbb, or null for the next free color of a chart. */
  value?: string | null
  onChange?: (next: string | null) => void
  id?: string
}

/** Selects the color of a series: a palette safe for color vision deficiencies, any other color, or automatic. */
const IndexColor: FC<Props> = ({ value = null, onChange, id }) => {
  const t = useT()
  const knownColors = series.light.map((color) => color.toLowerCase())
  return (
    <div
      id={id}
      role="group"
      aria-label={t('resources:peripheral.fields.IndexColor')}
      className={page.tightRow}
    >
      {knownColors.map((color, i) => (
        <button
          key={color}
          type="button"
          className={styles.swatch}
          style={{ background: color }}
          aria-pressed={color === value}
          aria-label={t('devices:color.number', { number: i + 1 })}
          onClick={() => onChange?.(color)}
        />
      ))}
      <label className={styles.custom}>
        <input
          type="color"
          value={value ?? knownColors[0]}
          aria-label={t('devices:color.custom')}
          onChange={(event) => onChange?.(event.target.value)}
        />
        {t(value === null ? 'devices:color.automatic' : 'devices:color.custom')}
      </label>
      {value !== null && <Button onClick={() => onChange?.(null)}>{t('devices:color.clear')}</Button>}
    </div>
  )
}

/** Name and room are saved by one call, other settings by another. */
const isBasic = (name: string): boolean => name === 'PeripheralName' || name === 'RoomID'
const isAdvanced = (name: string): boolean => !isBasic(name)

const pickValues = (
  values: Partial<Peripheral>,
  isIncluded: (name: string) => boolean,
): Partial<Peripheral> => Object.fromEntries(Object.entries(values).filter(([name]) => isIncluded(name)))

/** Form for name, room, and the settings of this device kind. Sends only changed fields. */
export const DeviceSettings: FC<{
  device: Peripheral
  rooms: readonly Room[]
  onDirty: (dirty: boolean) => void
}> = ({ device, rooms, onDirty }) => {
  const t = useT()
  const { data: snapshot } = useQuery(devicesQuery(device.HomeID))
  const otherMeters = (snapshot?.Peripherals ?? []).filter(
    ({ PeripheralUID, PeripheralType }) =>
      PeripheralUID !== device.PeripheralUID && capabilityOf(PeripheralType, 'meter'),
  )
  const [form] = Form.useForm()
  const [dirty, setDirty] = useState(false)
  const mayChange = useMay('device', 'Update')
  const has = (name: string) =>
    deviceType(device.PeripheralType)?.capabilities.some((capability) => capability.name === name)

  const wordsFor = useSettingWords(rooms, otherMeters)
  const fields: FormField[] = [
    'PeripheralName',
    {
      name: 'RoomID',
      input: (
        <FormSelect
          showSearch
          filterOption={holdsLabel}
          options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))}
        />
      ),
      ...(has('meter') && { hint: t('devices:movesToday') }),
    },
    ...(has('meter')
      ? [
          {
            name: 'PowerMeterUpdateFrequency',
            input: <NumberWithUnit unit={`1–86400 ${t('devices:seconds')}`} />,
          },
          {
            name: 'ParentMeter',
            input: (
              <FormSelect
                allowClear
                showSearch
                filterOption={holdsLabel}
                placeholder={t('devices:noParentMeter')}
                options={otherMeters.map(({ PeripheralUID, PeripheralName }) => ({
                  value: PeripheralUID,
                  label: PeripheralName,
                }))}
              />
            ),
            hint: t('devices:movesToday'),
          },
        ]
      : []),
    ...(canBeSilent(device.PeripheralType)
      ? [
          {
            name: 'SilentAfter',
            input: (
              <NumberWithUnit
                precision={0}
                placeholder={wordsFor('SilentAfter', { ...device, SilentAfter: null })}
                unit={`5–525600 ${t('devices:units.min')}`}
              />
            ),
            hint: t('devices:silentAfter.hint'),
          },
        ]
      : []),
    ...(has('meter') && !measuresVoltage(device.PeripheralType)
      ? [
          {
            name: 'Voltage',
            input: <NumberWithUnit placeholder="220" unit="V" />,
          },
          {
            name: 'PhaseElectricPower',
            input: (
              <FormSelect
                allowClear
                placeholder={t('devices:phases.unknown')}
                options={([1, 3] as const).map((phases) => ({
                  value: phases,
                  label: t(`devices:phases.${phases}`),
                }))}
              />
            ),
          },
        ]
      : []),
    ...(has('meter')
      ? [
          {
            name: 'RatedCurrent',
            input: <NumberWithUnit placeholder="–" unit="A" />,
            hint: t('devices:ratedHint'),
          },
        ]
      : []),
    ...(has('meter') ? ['IndexName', { name: 'IndexColor', input: <IndexColor /> }] : []),
    ...(has('modbus') ? [{ name: 'ModbusTableID', input: <ModbusTableSelect /> }] : []),
    ...(has('switches') || has('dimmer') || has('dryContact')
      ? [
          {
            name: 'ControlMode',
            input: (
              <FormSelect
                options={([0, 1, 2] as const).map((mode) => ({
                  value: mode,
                  label: t(`devices:controlMode.${mode}`),
                }))}
              />
            ),
          },
        ]
      : []),
    ...(has('dryContact')
      ? [
          {
            name: 'PulseDuration',
            input: (
              <FormSelect
                allowClear
                placeholder={t('devices:pulseNone')}
                options={PULSE_DURATIONS.map((seconds) => ({
                  value: seconds,
                  label: t('devices:minutes', { count: seconds / 60 }),
                }))}
              />
            ),
          },
        ]
      : []),
  ]

  const names = fields.map(nameOf) as (keyof Peripheral)[]
  const tracked = useTrackedRecord<Peripheral>({
    record: mayChange ? device : undefined,
    parts: names.map((name) => [name]),
    read: () =>
      Object.fromEntries(names.map((name) => [name, (form.getFieldValue(name) as unknown) ?? null])),
    write: (remote, changed) =>
      form.setFieldsValue(Object.fromEntries(changed.map((name) => [name, remote[name]]))),
  })

  const submit = async () => {
    const key = { HomeID: device.HomeID, PeripheralUID: device.PeripheralUID }
    const { changed, seen } = tracked.changes()
    const saved = await tracked.save(async () => {
      const [basic, advanced] = [pickValues(changed, isBasic), pickValues(changed, isAdvanced)]
      let after: Peripheral | undefined
      if (Object.keys(basic).length > 0)
        after = await call(peripheral.operations.update, {
          ...key,
          ...basic,
          Seen: pickValues(seen, isBasic),
        })
      if (Object.keys(advanced).length > 0)
        after = await call(peripheralCalls.updateAdvance, {
          ...key,
          ...advanced,
          Seen: pickValues(seen, isAdvanced),
        })
      return after
    })
    if (saved) {
      onDirty(false)
      setDirty(false)
      notices.success(() => t('screens:updated'))
    }
  }

  if (!mayChange)
    return (
      <dl className={page.facts}>
        <dt>{t('resources:peripheral.fields.PeripheralName')}</dt>
        <dd>{device.PeripheralName}</dd>
        {has('meter') && (
          <>
            <dt>{t('resources:peripheral.fields.PowerMeterUpdateFrequency')}</dt>
            <dd>
              {device.PowerMeterUpdateFrequency} {t('devices:seconds')}
            </dd>
          </>
        )}
        {canBeSilent(device.PeripheralType) && (
          <>
            <dt>{t('resources:peripheral.fields.SilentAfter')}</dt>
            <dd>{wordsFor('SilentAfter', device)}</dd>
          </>
        )}
        {has('dryContact') && (
          <>
            <dt>{t('resources:peripheral.fields.PulseDuration')}</dt>
            <dd>
              {device.PulseDuration === null
                ? t('devices:pulseNone')
                : t('devices:minutes', { count: device.PulseDuration / 60 })}
            </dd>
          </>
        )}
      </dl>
    )
  return (
    <RecordForm
      resource="peripheral"
      schema={Peripheral}
      fields={fields}
      form={form}
      initial={device}
      submit={submit}
      onDirty={(now) => {
        setDirty(now)
        onDirty(now)
      }}
    >
      <FollowedConflict
        tracked={tracked}
        record={device}
        words={names.map((field) => ({
          label: t(`resources:peripheral.fields.${field}` as 'resources:peripheral.fields.PeripheralName'),
          of: (record: Peripheral) => wordsFor(field, record),
        }))}
      />
      <Button
        type="primary"
        htmlType="submit"
        loading={tracked.saving}
        disabled={!dirty || tracked.conflicting.length > 0}
      >
        {t('screens:save')}
      </Button>
    </RecordForm>
  )
}
