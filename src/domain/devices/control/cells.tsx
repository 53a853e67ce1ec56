import type { FC } from 'react'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { blinksAbnormally, lampsOf } from '../../../../contract/devices/capabilities/light-house.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { LampTag } from './lamp-words.tsx'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { useDeviceFieldWords, useSensorWords } from '../field-words.ts'
import { AmountValue } from '../../../ui/tags/power-value.tsx'
import { zone, type ThermostatNode } from '../../../../contract/devices/capabilities/thermostat.ts'

/** A signal tower in one line: its lit lamps. */
export const LightHouseCell: FC<{ status: DeviceStatus; device: Peripheral }> = ({ status, device }) => {
  const t = useT()
  const lamps = lampsOf(status, device.LightHouseGroup)
  const abnormal = blinksAbnormally(status, device.AbnormalBlinkRate)
  const litLamps = lamps.filter(({ state }) => state === 1 || state === 2)
  return (
    <>
      {abnormal && <StateTag tone="alarm">{t('devices:lamps.abnormal')}</StateTag>}
      {litLamps.map((lamp) => (
        <LampTag key={lamp.sensors.join()} lamp={lamp} abnormal={abnormal} />
      ))}
      {litLamps.length === 0 && lamps.some(({ state }) => state === 0) && (
        <StateTag tone="plain">{t('devices:lamps.allOff')}</StateTag>
      )}
    </>
  )
}

export const SensorCell: FC<{ status: DeviceStatus }> = ({ status }) => {
  const { nameOf, amountOf } = useSensorWords()
  return (
    <>
      <span>{nameOf(status)}</span>
      <AmountValue amount={amountOf(status)} />
    </>
  )
}

/** A thermostat in one line: number of zones that are on, lowest and highest temperature. */
export const ThermostatCell: FC<{ status: CommandValues }> = ({ status }) => {
  const t = useT()
  const { valueOf } = useDeviceFieldWords()
  const nodes = (status['ThermostatTable'] ?? []) as ThermostatNode[]
  if (nodes.length === 0) return null
  const onCount = nodes.filter(({ Switch }) => Switch === 1).length
  const knownTemperatures = nodes.flatMap(({ Temperature }) =>
    Temperature === undefined ? [] : [Temperature],
  )
  const temperatureText = (temperature: number) => valueOf(zone, 'Temperature', temperature) ?? '–'
  const low = temperatureText(Math.min(...knownTemperatures))
  const high = temperatureText(Math.max(...knownTemperatures))
  return (
    <>
      <StateTag tone={onCount > 0 ? 'on' : 'plain'}>
        {t('devices:climate.zonesOn', { on: onCount, total: nodes.length })}
      </StateTag>
      {knownTemperatures.length > 0 && (
        <span>{low === high ? low : t('devices:climate.fromTo', { from: low, to: high })}</span>
      )}
    </>
  )
}
