import { Button, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { AC_MODES } from '../../../contract/devices/capabilities/taiseia.ts'
import { applianceOf, deviceType } from '../../../contract/devices/kinds/registry.ts'
import { SWITCHES_HIDDEN, type Peripheral } from '../../../contract/devices/peripheral.ts'
import type { RoomDevices } from '../../../contract/devices/room-devices.ts'
import { roomValues, type RoomValues } from '../../../contract/devices/room-values.ts'
import { statuses } from '../../data/status-store.ts'
import { valueKey } from '../../domain/devices/field-words.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { sendToAll } from '../../live/runs.ts'
import page from '../../ui/page/page.module.css'
import { ControlArea } from '../../ui/inputs/control-area.tsx'
import { useNoControl } from '../../ui/inputs/no-control.ts'
import { Stepper } from '../../ui/inputs/stepper.tsx'
import type { RoomCommand } from './room-store.ts'
import styles from './building.module.css'

interface Props {
  HomeID: string
  RoomID: number
  name: string
  devices: readonly Peripheral[]
  onStart: (command: RoomCommand) => void
}

/** Sets all lights or the climate of a room by one call; the gateway determines the devices. */
export function RoomCommands({ HomeID, RoomID, name, devices, onStart }: Props) {
  const t = useT()
  const send = (Only: RoomDevices, values: RoomValues, description: string) => {
    const RunID = sendToAll(HomeID, { RoomID, Only }, values)
    if (RunID !== undefined) onStart({ RunID, description })
  }
  const canSend = (Only: RoomDevices, values: RoomValues) =>
    devices.some(
      ({ PeripheralUID, PeripheralType, ControlMode }) =>
        ControlMode !== SWITCHES_HIDDEN &&
        roomValues(Only, values, { PeripheralType, status: statuses.get(PeripheralUID) ?? null }),
    )
  const [hasLights, hasClimate] = [canSend('lights', { On: 1 }), canSend('climate', { On: 1 })]
  if (!hasLights && !hasClimate) return null
  const hasDimmers = devices.some(({ PeripheralType }) => deviceType(PeripheralType)?.category === 'Dimmer')
  const hasAirConditioner = devices.some(({ PeripheralUID, PeripheralType }) => {
    const type = deviceType(PeripheralType)
    return type && applianceOf(type, statuses.get(PeripheralUID)) === 'airConditioner'
  })
  return (
    <section className={page.tightStack} aria-label={t('building:control')}>
      <h3 className={page.hint}>{t('building:control')}</h3>
      <ControlArea>
        {hasLights && (
          <div className={page.tightRow}>
            <span className={styles.label}>{t('building:lights')}</span>
            <Button
              aria-label={t('building:lightsOn', { room: name })}
              onClick={() => send('lights', { On: 1 }, t('building:what.lightsOn'))}
            >
              {t('building:allOn')}
            </Button>
            <Button
              aria-label={t('building:lightsOff', { room: name })}
              onClick={() => send('lights', { On: 0 }, t('building:what.lightsOff'))}
            >
              {t('building:allOff')}
            </Button>
          </div>
        )}
        {hasDimmers && (
          <Level
            set={(value) => send('lights', { Brightness: value }, t('building:what.level', { value }))}
          />
        )}
        {hasClimate && (
          <div className={page.tightRow}>
            <span className={styles.label}>{t('building:climate')}</span>
            <Button
              aria-label={t('building:climateOn', { room: name })}
              onClick={() => send('climate', { On: 1 }, t('building:what.climateOn'))}
            >
              {t('building:allOn')}
            </Button>
            <Button
              aria-label={t('building:climateOff', { room: name })}
              onClick={() => send('climate', { On: 0 }, t('building:what.climateOff'))}
            >
              {t('building:allOff')}
            </Button>
          </div>
        )}
        {hasAirConditioner && (
          <Mode set={(ACMode, value) => send('climate', { ACMode }, t('building:what.mode', { value }))} />
        )}
        {canSend('climate', { TargetTemperature: 26 }) && (
          <Target
            set={(TargetTemperature) =>
              send('climate', { TargetTemperature }, t('building:what.target', { value: TargetTemperature }))
            }
          />
        )}
      </ControlArea>
      <p className={page.hint}>{t('building:excluded')}</p>
    </section>
  )
}

function Level({ set }: { set: (percent: number) => void }) {
  const t = useT()
  const [level, setLevel] = useState<number | null>(50)
  const reason = useNoControl()
  return (
    <div className={page.tightRow}>
      <span className={styles.label}>{t('building:level')}</span>
      <InputNumber
        min={1}
        max={100}
        precision={0}
        suffix="%"
        value={level}
        aria-label={t('building:level')}
        onChange={setLevel}
      />
      <Button
        disabled={level === null || reason !== undefined}
        aria-label={t('building:applyLevel')}
        onClick={() => level !== null && set(level)}
      >
        {t('building:apply')}
      </Button>
    </div>
  )
}

function Mode({ set }: { set: (mode: number, name: string) => void }) {
  const t = useT()
  return (
    <div className={page.tightRow}>
      <span className={styles.label}>{t('building:mode')}</span>
      <Select
        className={page.choice ?? ''}
        value={null}
        aria-label={t('building:mode')}
        placeholder={t('building:mode')}
        options={AC_MODES.map(([value, name]) => ({ value, label: t(valueKey(name)) }))}
        onChange={(mode: number | null) => {
          const name = AC_MODES.find(([value]) => value === mode)?.[1]
          if (mode !== null && name) set(mode, t(valueKey(name)))
        }}
      />
    </div>
  )
}

function Target({ set }: { set: (celsius: number) => void }) {
  const t = useT()
  const [requestedValue, setRequestedValue] = useState<number>()
  return (
    <div className={page.tightRow}>
      <span className={styles.label}>{t('building:target')}</span>
      <Stepper
        name={t('building:target')}
        value={requestedValue}
        requested={undefined}
        min={16}
        max={30}
        step={1}
        unit="°C"
        onChange={(next) => {
          setRequestedValue(next)
          set(next)
        }}
      />
    </div>
  )
}
