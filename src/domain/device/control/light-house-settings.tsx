import { Button, ColorPicker, Form, Select, Switch } from 'antd'
import { useState, type FC } from 'react'
import { Peripheral, peripheralCalls } from '../../../../contract/resources/peripheral.ts'
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
} from '../../../../contract/rules/light-house.ts'
import { call } from '../../../providers/api.ts'
import { describeFailure, describeField } from '../../../providers/failure.ts'
import { useT } from '../../../providers/i18n.ts'
import { useStatus } from '../../../providers/live/status-store.ts'
import { notices } from '../../../providers/notices.ts'
import { reasonFor } from '../../../ui/crud/field-rules.ts'
import { refreshAfter } from '../../../ui/crud/refresh-after.ts'
import { NumberWithUnit } from '../../../ui/number-with-unit.tsx'
import { SignalTower } from '../../../ui/signal-tower.tsx'
import styles from './light-house-settings.module.css'

interface Draft {
  threshold: number | null
  rate: number | null
  group: LightHouseGroup | null
}

const draftOf = (device: Peripheral): Draft => ({
  threshold: device.LightHouseThreshold,
  rate: device.AbnormalBlinkRate,
  group: device.LightHouseGroup,
})

/** One lamp for each sensor, in the colours that were memorised: where somebody who wants their own lamps begins. */
const oneEach = (colors: readonly Color[]): LightHouseGroup => ({
  Sensors: Array.from({ length: SENSORS }, (_, index) => ({ SensorID: index + 1, ColorIndex: index })),
  Colors: Array.from({ length: SENSORS }, (_, index) => colors[index] ?? DEFAULT_COLOR),
})

/** What a person says about a signal tower: from when a lamp is lit, from when it calls for help, which sensor sees which lamp (§3). */
const LightHouseSettings: FC<{ device: Peripheral; onDirty: (dirty: boolean) => void }> = ({
  device,
  onDirty,
}) => {
  const t = useT()
  const status = useStatus(device.PeripheralUID)
  const [draft, setDraft] = useState<Draft>()
  const [busy, setBusy] = useState(false)
  const { threshold, rate, group } = draft ?? draftOf(device)
  const change = (changes: Partial<Draft>) => {
    setDraft({ threshold, rate, group, ...changes })
    onDirty(true)
  }
  const groupIssue = group ? LightHouseGroup.safeParse(group).error?.issues[0]?.message : undefined
  const thresholdIssue = reasonFor(Peripheral.shape.LightHouseThreshold, threshold)
  const rateIssue = reasonFor(Peripheral.shape.AbnormalBlinkRate, rate)

  const save = async () => {
    setBusy(true)
    try {
      await call(peripheralCalls.updateAdvance, {
        HomeID: device.HomeID,
        PeripheralUID: device.PeripheralUID,
        LightHouseThreshold: threshold,
        AbnormalBlinkRate: rate,
        LightHouseGroup: group,
      })
      notices.success(() => t('screens:updated'))
      await refreshAfter('peripheral')
      setDraft(undefined)
      onDirty(false)
    } catch (error) {
      notices.error(() => describeFailure(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className={styles.section}>
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
            unit="1–99 %"
            value={threshold}
            onChange={(next) => change({ threshold: next })}
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
            onChange={(next) => change({ rate: next })}
          />
        </Form.Item>
        <Form.Item
          label={t('lightHouse:settings.lamps')}
          extra={t('lightHouse:settings.lampsNote')}
          {...faultOf(groupIssue)}
        >
          <label className={styles.own}>
            <Switch
              checked={group !== null}
              aria-label={t('lightHouse:settings.custom')}
              onChange={(own) =>
                change({ group: own ? oneEach((status?.['Colors'] ?? []) as Color[]) : null })
              }
            />
            {t('lightHouse:settings.custom')}
          </label>
          {group && (
            <div className={styles.lamps}>
              <SignalTower lamps={lampsOf(undefined, group).map((lamp) => ({ ...lamp, state: 1 }))} />
              <Lamps group={group} change={(next) => change({ group: next })} />
            </div>
          )}
        </Form.Item>
        <Button
          type="primary"
          htmlType="submit"
          loading={busy}
          disabled={draft === undefined || [groupIssue, thresholdIssue, rateIssue].some(Boolean)}
        >
          {t('lightHouse:settings.save')}
        </Button>
      </Form>
    </section>
  )
}
export default LightHouseSettings

/** How a field says that it is refused; its figure stays as it was typed. */
const faultOf = (reason: string | undefined) =>
  reason === undefined ? {} : { validateStatus: 'error' as const, help: describeField(reason) }

/** The lamps' colours, and for each sensor the lamp it looks at. */
const Lamps: FC<{ group: LightHouseGroup; change: (group: LightHouseGroup) => void }> = ({
  group: { Sensors, Colors },
  change,
}) => {
  const t = useT()
  const nameOf = (color: Color) => t(`devices:lamps.${colorName(color)}`)
  /** Sensors of a lamp that is taken away look at none; those of later lamps follow their lamp. */
  const without = (index: number) =>
    Sensors.flatMap((sensor) =>
      sensor.ColorIndex === index
        ? []
        : [{ ...sensor, ColorIndex: sensor.ColorIndex > index ? sensor.ColorIndex - 1 : sensor.ColorIndex }],
    )
  const look = (SensorID: number, ColorIndex: number | null) =>
    change({
      Colors,
      Sensors: [
        ...Sensors.filter((sensor) => sensor.SensorID !== SensorID),
        ...(ColorIndex === null ? [] : [{ SensorID, ColorIndex }]),
      ].sort((a, b) => a.SensorID - b.SensorID),
    })
  return (
    <div className={styles.editor}>
      <ol>
        {Colors.map((color, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a lamp is known by its place
          <li key={index}>
            <ColorPicker
              aria-label={t('lightHouse:settings.lampColor', { number: index + 1 })}
              disabledAlpha
              showText={() => t('lightHouse:settings.lampOption', { number: index + 1, name: nameOf(color) })}
              value={colorHex(color)}
              onChangeComplete={(next) => {
                const picked = parseHex(next.toHexString())
                if (picked) change({ Sensors, Colors: Colors.with(index, picked) })
              }}
            />
            <Button
              type="text"
              disabled={Colors.length === 1}
              aria-label={t('lightHouse:settings.removeLamp', { number: index + 1 })}
              onClick={() => change({ Colors: Colors.toSpliced(index, 1), Sensors: without(index) })}
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
        <div key={id} className={styles.sensor}>
          <span id={`sensor-${id}`}>{t('lightHouse:settings.sensor', { number: id })}</span>
          <Select<number | null>
            aria-labelledby={`sensor-${id}`}
            value={Sensors.find(({ SensorID }) => SensorID === id)?.ColorIndex ?? -1}
            onChange={(next) => look(id, next === -1 ? null : next)}
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
