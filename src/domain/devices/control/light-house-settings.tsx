import { amountText, formatLimit } from '../../../../contract/kernel/numbers.ts'
import { Button, ColorPicker, Form, Select, Switch } from 'antd'
import { useState, type FC } from 'react'
import { Peripheral, peripheralCalls } from '../../../../contract/devices/peripheral.ts'
import {
  type Color,
  colorHex,
  colorName,
  DEFAULT_COLOR,
  lampsOf,
  LightHouseGroup,
  MAX_COLORS,
  parseHex,
  SENSORS,
} from '../../../../contract/devices/capabilities/light-house.ts'
import { describeField } from '../../../data/failure.ts'
import { useAction } from '../../../data/use-action.ts'
import type { RequestOf } from '../../../../contract/kernel/define-endpoint.ts'
import { t as tNow, useT } from '../../../lib/i18n/i18n.ts'
import { useStatus } from '../../../data/status-store.ts'
import { notices } from '../../../data/notices.ts'
import { reasonFor } from '../../../record-kit/field-rules.ts'
import { FollowedConflict } from '../../../record-kit/record-conflict.tsx'
import { useTrackedRecord } from '../../../record-kit/use-tracked-record.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import { SignalTower } from '../../../ui/tags/signal-tower.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './light-house-settings.module.css'

/** Settings of a signal tower that this form edits. */
type Settings = Pick<Peripheral, 'LightHouseThreshold' | 'AbnormalBlinkRate' | 'LightHouseGroup'>

const settingsOf = ({
  LightHouseThreshold,
  AbnormalBlinkRate,
  LightHouseGroup: group,
}: Peripheral): Settings => ({
  LightHouseThreshold,
  AbnormalBlinkRate,
  LightHouseGroup: group,
})

/** Default for custom lamps: one lamp for each sensor, in the memorized colors. */
const oneEach = (colors: readonly Color[]): LightHouseGroup => ({
  Sensors: Array.from({ length: SENSORS }, (_, index) => ({ SensorID: index + 1, ColorIndex: index })),
  Colors: Array.from({ length: SENSORS }, (_, index) => colors[index] ?? DEFAULT_COLOR),
})

/** Settings of a signal tower: brightness threshold, abnormal blink rate, and the assignment of sensors to lamps (§3). */
const LightHouseSettings: FC<{ device: Peripheral; onDirty: (dirty: boolean) => void }> = ({
  device,
  onDirty,
}) => {
  const t = useT()
  const status = useStatus(device.PeripheralUID)
  const [settings, setSettings] = useState(() => settingsOf(device))
  const { LightHouseThreshold: threshold, AbnormalBlinkRate: rate, LightHouseGroup: group } = settings
  const tracked = useTrackedRecord<Peripheral>({
    record: device,
    parts: [['LightHouseThreshold'], ['AbnormalBlinkRate'], ['LightHouseGroup']],
    read: () => settings,
    write: (remote, fields) =>
      setSettings((current) => ({
        ...current,
        ...Object.fromEntries(fields.map((field) => [field, remote[field]])),
      })),
  })
  const { changed, seen } = tracked.changes()
  const isChanged = Object.keys(changed).length > 0
  const change = (changes: Partial<Settings>) => {
    setSettings((current) => ({ ...current, ...changes }))
    onDirty(true)
  }
  const groupIssue = group ? LightHouseGroup.safeParse(group).error?.issues[0]?.message : undefined
  const thresholdIssue = reasonFor(Peripheral.shape.LightHouseThreshold, threshold)
  const rateIssue = reasonFor(Peripheral.shape.AbnormalBlinkRate, rate)

  const { busy, run } = useAction(async (change: RequestOf<typeof peripheralCalls.updateAdvance>, send) => {
    if (!(await tracked.save(() => send(peripheralCalls.updateAdvance, change)))) return
    notices.success(() => tNow('screens:updated'))
    onDirty(false)
  })
  const save = () =>
    run({ HomeID: device.HomeID, PeripheralUID: device.PeripheralUID, ...changed, Seen: seen })

  const lampsText = (lamps: LightHouseGroup | null) =>
    (lamps?.Colors ?? [])
      .map((color, index) => {
        const sensors = (lamps?.Sensors ?? []).filter(({ ColorIndex }) => ColorIndex === index)
        const name = t(`devices:lamps.${colorName(color)}`)
        const ids = sensors.map(({ SensorID }) => SensorID).join(t('screens:listComma'))
        return ids === '' ? name : `${name} (${ids})`
      })
      .join(' · ')

  return (
    <section className={page.section}>
      <h2>{t('lightHouse:settings.title')}</h2>
      <Form layout="vertical" component="form" onFinish={() => void save()}>
        <Form.Item
          label={t('lightHouse:settings.threshold')}
          htmlFor="light-threshold"
          extra={t('lightHouse:settings.thresholdNote')}
          {...faultOf(thresholdIssue)}
        >
          <NumberWithUnit
            id="light-threshold"
            unit="1–99%"
            value={threshold}
            onChange={(next) => change({ LightHouseThreshold: next })}
          />
        </Form.Item>
        <Form.Item
          label={t('lightHouse:settings.rate')}
          htmlFor="blink-rate"
          extra={t('lightHouse:settings.rateNote')}
          {...faultOf(rateIssue)}
        >
          <NumberWithUnit
            id="blink-rate"
            unit={`1–6000 ${t('lightHouse:settings.perMinute')}`}
            value={rate}
            onChange={(next) => change({ AbnormalBlinkRate: next })}
          />
        </Form.Item>
        <Form.Item
          label={t('lightHouse:settings.lamps')}
          extra={t('lightHouse:settings.lampsNote')}
          {...faultOf(groupIssue)}
        >
          <label className={`${page.touch} ${page.tightRow}`}>
            <Switch
              checked={group !== null}
              aria-label={t('lightHouse:settings.custom')}
              onChange={(hasOwnGroup) =>
                change({
                  LightHouseGroup: hasOwnGroup ? oneEach((status?.['Colors'] ?? []) as Color[]) : null,
                })
              }
            />
            {t('lightHouse:settings.custom')}
          </label>
          {group && (
            <div className={styles.lamps}>
              <SignalTower lamps={lampsOf(undefined, group).map((lamp) => ({ ...lamp, state: 1 }))} />
              <Lamps group={group} change={(next) => change({ LightHouseGroup: next })} />
            </div>
          )}
        </Form.Item>
        <FollowedConflict
          tracked={tracked}
          record={device}
          words={[
            {
              label: t('lightHouse:settings.threshold'),
              of: (values) => figureOf(values.LightHouseThreshold, '%'),
            },
            {
              label: t('lightHouse:settings.rate'),
              of: (values) => figureOf(values.AbnormalBlinkRate, t('lightHouse:settings.perMinute')),
            },
            { label: t('lightHouse:settings.lamps'), of: (values) => lampsText(values.LightHouseGroup) },
          ]}
        />
        <Button
          type="primary"
          htmlType="submit"
          loading={busy}
          disabled={
            !isChanged ||
            tracked.conflicting.length > 0 ||
            [groupIssue, thresholdIssue, rateIssue].some(Boolean)
          }
        >
          {t('lightHouse:settings.save')}
        </Button>
      </Form>
    </section>
  )
}
export default LightHouseSettings

/** A number with its unit; empty if it is null. */
const figureOf = (value: number | null, unit: string): string =>
  value === null ? '' : amountText(formatLimit(value, unit))

/** Form.Item props that show why a field was rejected; the entered number stays. */
const faultOf = (reason: string | undefined) =>
  reason === undefined ? {} : { validateStatus: 'error' as const, help: describeField(reason) }

/** Editor for the colors of the lamps and the lamp of each sensor. */
const Lamps: FC<{ group: LightHouseGroup; change: (group: LightHouseGroup) => void }> = ({
  group: { Sensors, Colors },
  change,
}) => {
  const t = useT()
  const nameOf = (color: Color) => t(`devices:lamps.${colorName(color)}`)
  /** Unassigns the sensors of a removed lamp and shifts the indexes of later lamps. */
  const withoutSensor = (index: number) =>
    Sensors.flatMap((sensor) =>
      sensor.ColorIndex === index
        ? []
        : [{ ...sensor, ColorIndex: sensor.ColorIndex > index ? sensor.ColorIndex - 1 : sensor.ColorIndex }],
    )
  const sensorColor = (SensorID: number, ColorIndex: number | null) =>
    change({
      Colors,
      Sensors: [
        ...Sensors.filter((sensor) => sensor.SensorID !== SensorID),
        ...(ColorIndex === null ? [] : [{ SensorID, ColorIndex }]),
      ].sort((a, b) => a.SensorID - b.SensorID),
    })
  return (
    <div className={styles.editor}>
      <ol className={page.field}>
        {Colors.map((color, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a lamp is identified by its index
          <li key={index}>
            <ColorPicker
              aria-label={t('lightHouse:settings.lampColor', { number: index + 1 })}
              disabledAlpha
              showText={() => t('lightHouse:settings.lampOption', { number: index + 1, name: nameOf(color) })}
              value={colorHex(color)}
              onChangeComplete={(next) => {
                const newColor = parseHex(next.toHexString())
                if (newColor) change({ Sensors, Colors: Colors.with(index, newColor) })
              }}
            />
            <Button
              type="text"
              disabled={Colors.length === 1}
              aria-label={t('lightHouse:settings.removeLamp', { number: index + 1 })}
              onClick={() => change({ Colors: Colors.toSpliced(index, 1), Sensors: withoutSensor(index) })}
            >
              ×
            </Button>
          </li>
        ))}
      </ol>
      <Button
        disabled={Colors.length >= MAX_COLORS}
        onClick={() => change({ Sensors, Colors: [...Colors, DEFAULT_COLOR] })}
      >
        {t('lightHouse:settings.addLamp')}
      </Button>
      {Array.from({ length: SENSORS }, (_, index) => index + 1).map((id) => (
        <div key={id} className={page.spread}>
          <span id={`sensor-${id}`}>{t('lightHouse:settings.sensor', { number: id })}</span>
          <Select<number | null>
            aria-labelledby={`sensor-${id}`}
            value={Sensors.find(({ SensorID }) => SensorID === id)?.ColorIndex ?? -1}
            onChange={(next) => sensorColor(id, next === -1 ? null : next)}
            options={[
              { value: -1, label: t('lightHouse:settings.unused') },
              ...Colors.map((color, at) => ({
                value: at,
                label: t('lightHouse:settings.lampOption', { number: at + 1, name: nameOf(color) }),
              })),
            ]}
          />
        </div>
      ))}
    </div>
  )
}
