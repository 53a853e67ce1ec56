import type { FC } from 'react'
import type { KindName } from '../../../contract/devices/kinds/registry.ts'
import styles from './kind-icon.module.css'

/** Paths in a view box of 24 by 24, one per product family; others use the generic one. */
const lines: Partial<Record<KindName | 'hub' | 'other', string>> = {
  lightSwitch: 'M6 3h12v18H6z M12 7v5 M9.5 14.5h5v3h-5z',
  dimmer: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16z M12 12V7 M4 22h16',
  clampMeter: 'M15 4.2a5 5 0 1 0 0 7.6 M8 13h8v8H8z M10.5 17h3 M15 4.2l2-1.4 M15 11.8l2 1.4',
  smartMeter: 'M4 3h16v18H4z M8 7h8v4H8z M13 13l-3 3h4l-3 3',
  hanModule: 'M4 8h16v8H4z M8 8V5 M16 8V5 M8 16v3 M16 16v3',
  meteredSwitch: 'M4 5h7v14H4z M7.5 9v4 M15 8l-1.5 4h4L16 16 M20 5v14',
  ioController: 'M4 6h16v12H4z M8 10v4 M12 10v4 M16 10v4 M8 6V3 M16 6V3 M8 18v3 M16 18v3',
  modbus: 'M3 7h18 M3 17h18 M7 7v10 M12 7v10 M17 7v10 M7 3v4 M17 17v4',
  dryContact: 'M3 14h6l7-6 M16 14h5 M9 14a1 1 0 1 0 .1 0 M16 14a1 1 0 1 0 .1 0',
  lightHouse: 'M8 3h8v15H8z M8 8h8 M8 13h8 M5 21h14 M12 18v3',
  thermostat: 'M10 4a2 2 0 0 1 4 0v9a4 4 0 1 1-4 0z M12 9v8 M17 5h3 M17 9h3',
  taiseia: 'M3 5h18v7H3z M6 9h8 M7 15c0 2-2 2-2 4 M12 15c0 2-2 2-2 4 M17 15c0 2-2 2-2 4',
  motionSensor: 'M11 4a1.5 1.5 0 1 0 .1 0 M11 8l-2 5 3 2v5 M9 13l-3 6 M11 9l4 3 M18 6a8 8 0 0 1 0 10',
  presenceSensor: 'M12 8a3 3 0 1 0 .1 0 M6 21a6 6 0 0 1 12 0 M5 4a10 10 0 0 0-2 5 M19 4a10 10 0 0 1 2 5',
  doorSensor: 'M6 3h9v18H6z M12 12h.1 M18 9v6 M21 9v6',
  smokeSensor: 'M4 5h16v5H4z M8 14c0 2 2 2 2 4s-2 2-2 3 M14 14c0 2 2 2 2 4s-2 2-2 3',
  shockSensor: 'M8 8h8v8H8z M4 8v8 M20 8v8 M1.5 10v4 M22.5 10v4',
  airQualitySensor: 'M3 9h11a3 3 0 1 0-3-3 M3 13h15a3 3 0 1 1-3 3 M3 17h7',
  ipCamera: 'M3 7h12v9H3z M15 10l6-3v9l-6-3 M9 16v4 M6 20h6',
  irRemote: 'M8 8h8v13H8z M12 11h.1 M10.5 15h3 M10.5 18h3 M8 5a6 6 0 0 1 8 0',
  cover: 'M4 4h16 M6 4v9h12V4 M6 7h12 M6 10h12 M12 13v5 M6 21h12',
  gate: 'M4 20V5h16v15 M7 20v-4h10v4 M7 8h10 M7 12h10',
  button: 'M12 4a8 8 0 1 0 .1 0 M12 9a3 3 0 1 0 .1 0',
  siren: 'M7 17v-5a5 5 0 0 1 10 0v5z M4 21h16v-4H4z M12 4V2 M4.5 6.5L3 5 M19.5 6.5L21 5',
  sensor: 'M4 17a8 8 0 1 1 16 0 M12 17l4-5 M8 20h8',
  hub: 'M3 12h18v7H3z M7 15.5h.1 M11 15.5h.1 M12 12V8 M8 6a6 6 0 0 1 8 0 M5 3.5a10 10 0 0 1 14 0',
  other: 'M5 5h14v14H5z M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7 M12 16.5h.1',
}

export const KindIcon: FC<{ kind: keyof typeof lines }> = ({ kind }) => (
  <svg className={styles.icon} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path d={lines[kind] ?? lines.other} />
  </svg>
)
