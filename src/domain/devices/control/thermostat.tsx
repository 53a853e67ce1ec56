import { fieldShape } from '../../../../contract/devices/kinds/field-shape.ts'
import { zone, type ThermostatNode } from '../../../../contract/devices/capabilities/thermostat.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { Stepper } from '../../../ui/inputs/stepper.tsx'
import { FieldControl } from './field-control.tsx'
import { FieldValue } from './field-value.tsx'
import { useDeviceFieldWords } from '../field-words.ts'
import styles from './climate.module.css'
import type { Face } from './face.ts'
import page from '../../../ui/page/page.module.css'

/** A thermostat's zones, each with switch, temperature and target temperature. NodeID identifies a zone (§4). */
const Thermostat: Face = ({ status, send, pending }) => {
  const t = useT()
  const { nameOf } = useDeviceFieldWords()
  const nodes = (status?.['ThermostatTable'] ?? []) as ThermostatNode[]
  const requestedNodes = (pending?.['ThermostatTable'] ?? []) as ThermostatNode[]
  if (nodes.length === 0) return <StateTag tone="offline">{t('devices:climate.noZones')}</StateTag>
  const target = fieldShape(zone, 'TargetTemperature')
  return (
    <ul className={page.rows}>
      {nodes.map((node) => {
        const { NodeID } = node
        const name = t('devices:climate.zone', { number: NodeID })
        const requestedNode = requestedNodes.find((requested) => requested.NodeID === NodeID)
        const set = send && ((values: object) => send({ ThermostatTable: [{ NodeID, ...values }] }))
        return (
          <li key={NodeID}>
            <div className={page.spread}>
              <h3>{name}</h3>
              {set ? (
                <FieldControl
                  name={`${name} ${nameOf(zone, 'Switch')}`}
                  capability={zone}
                  field="Switch"
                  status={node}
                  send={set}
                  pending={requestedNode}
                />
              ) : (
                <FieldValue capability={zone} field="Switch" value={node.Switch} />
              )}
            </div>
            <div className={styles.target}>
              <div className={page.intro}>
                <span className={page.small}>{t('devices:climate.now')}</span>
                <FieldValue capability={zone} field="Temperature" value={node.Temperature} large />
              </div>
              {target.as === 'number' && (
                <div className={page.intro}>
                  <span className={page.small}>{nameOf(zone, 'TargetTemperature')}</span>
                  <Stepper
                    name={`${name} ${nameOf(zone, 'TargetTemperature')}`}
                    value={node.TargetTemperature}
                    requested={requestedNode?.TargetTemperature}
                    min={target.min ?? 5}
                    max={target.max ?? 40}
                    step={target.step ?? 0.5}
                    unit="°C"
                    onChange={set && ((TargetTemperature) => set({ TargetTemperature }))}
                  />
                </div>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
export default Thermostat
