import type { FC } from 'react'
import { zone, type ThermostatNode } from '../../../../contract/devices/capabilities/thermostat.ts'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { useDeviceFieldWords } from '../field-words.ts'

/** A thermostat in one line: number of zones that are on, lowest and highest temperature. */
export const ThermostatCell: FC<{ status: CommandValues }> = ({ status }) => {
  const t = useT()
  const { valueOf } = useDeviceFieldWords()
  const nodes = (status['ThermostatTable'] ?? []) as ThermostatNode[]
  if (nodes.length === 0) return null
  const on = nodes.filter(({ Switch }) => Switch === 1).length
  const knownTemperatures = nodes.flatMap(({ Temperature }) =>
    Temperature === undefined ? [] : [Temperature],
  )
  const temperatureText = (temperature: number) => valueOf(zone, 'Temperature', temperature) ?? '–'
  const low = temperatureText(Math.min(...knownTemperatures))
  const high = temperatureText(Math.max(...knownTemperatures))
  return (
    <>
      <StateTag tone={on > 0 ? 'on' : 'plain'}>
        {t('devices:climate.zonesOn', { on, total: nodes.length })}
      </StateTag>
      {knownTemperatures.length > 0 && (
        <span>{low === high ? low : t('devices:climate.fromTo', { from: low, to: high })}</span>
      )}
    </>
  )
}
